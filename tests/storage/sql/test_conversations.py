"""Owners, sessions, and conversations with their answers."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ConversationNotFound, Interrupted, NotFound, SessionNotFound, StorageError
from core.storage.catalogue import Catalogue
from core.storage.sql.conversations import ERASED
from core.storage.sql.rows import dump_answer, load_answer
from core.types import (
    Answer,
    Asked,
    Check,
    Chunk,
    Citation,
    Claim,
    Cut,
    Cutting,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    Level,
    Message,
    ModelChoice,
    Notice,
    QueryOptions,
    QueryPlan,
    Scope,
    SearchResult,
    Step,
)  # fmt: skip

SCORES = st.none() | st.floats(allow_nan=False)


def test_an_owner_is_known_by_the_hash(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("a" * 64)
    assert catalogue.owners.find("a" * 64) == owner_id
    assert catalogue.owners.create("a" * 64) == owner_id
    assert catalogue.owners.find("b" * 64) is None


def test_a_session_is_its_owners(catalogue: Catalogue) -> None:
    mine, theirs = catalogue.owners.create("a" * 64), catalogue.owners.create("b" * 64)
    session = catalogue.sessions.create(mine, "Mine")
    assert catalogue.sessions.get(mine, session.id) == session
    assert catalogue.sessions.get(theirs, session.id) is None
    assert catalogue.sessions.list(theirs) == []
    assert catalogue.sessions.ids() == [session.id]
    with pytest.raises(StorageError):
        catalogue.sessions.create("nobody", "Lost")


def test_sessions_by_last_use(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("a" * 64)
    ids = [catalogue.sessions.create(owner_id, name).id for name in "abc"]
    catalogue.sessions.touch(ids[0])
    catalogue.sessions.rename(ids[1], "B")
    found = catalogue.sessions.list(owner_id)
    assert [session.name for session in found] == ["a", "c", "B"]
    assert found[0].updated_at > found[0].created_at


def test_preferences(catalogue: Catalogue, session_id: str) -> None:
    assert catalogue.sessions.preferences(session_id) == {}
    catalogue.sessions.set_preferences(session_id, {"search": {"top_k": 5}, "name": "\ud800é"})
    assert catalogue.sessions.preferences(session_id) == {"search": {"top_k": 5}, "name": "\ud800é"}
    assert catalogue.sessions.preferences("none") == {}


def test_which_model_made_the_vectors_of_a_cut(catalogue: Catalogue, session_id: str) -> None:
    catalogue.cuts.want(session_id, [Cutting(model="other"), Cutting()])
    first, other = Cut(session_id), Cut(session_id, 1)
    assert catalogue.cuts.collection(first) is None
    catalogue.cuts.set_collection(first, "MiniLM", "d" * 64, 384)
    assert catalogue.cuts.collection(first) == ("MiniLM", "d" * 64, 384)
    assert catalogue.cuts.collection(other) is None
    assert catalogue.cuts.collection(Cut("none")) is None
    assert catalogue.cuts.models() == {"other"}
    found = catalogue.cuts.of_index(other.index)
    assert found is not None
    assert found.cutting.model == "other"
    assert catalogue.cuts.of_index(f"{session_id}-7") is None


def test_conversations_by_last_use(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.conversations.create(session_id, "first")
    second = catalogue.conversations.create(session_id, "second")
    assert [c.id for c in catalogue.conversations.list(session_id)] == [second.id, first.id]
    catalogue.conversations.add_message(session_id, first.id, "user", "Why?")
    catalogue.conversations.rename(session_id, second.id, "2nd")
    found = catalogue.conversations.list(session_id)
    assert [(c.title, c.messages) for c in found] == [("first", 1), ("2nd", 0)]
    assert catalogue.conversations.get(session_id, first.id) == found[0]
    catalogue.conversations.delete(session_id, first.id)
    assert catalogue.conversations.get(session_id, first.id) is None
    assert catalogue.conversations.messages(session_id, first.id) == []


def test_messages_keep_order_and_answer(catalogue: Catalogue, session_id: str) -> None:
    talk = catalogue.conversations.create(session_id, "talk").id
    answer = Answer("Why?", "Because [1].", citations=(CITATION,), search=SEARCH, confidence=0.5)
    question = catalogue.conversations.add_message(session_id, talk, "user", "Why?")
    reply = catalogue.conversations.add_message(session_id, talk, "assistant", answer.text, answer)
    assert catalogue.conversations.messages(session_id, talk) == [question, reply]
    assert reply.answer == answer
    assert (question.role, question.answer) == ("user", None)
    catalogue.conversations.delete_message(session_id, talk, question.id)
    assert catalogue.conversations.messages(session_id, talk) == [reply]
    catalogue.conversations.delete_message(session_id, talk, reply.id)
    assert (
        catalogue.conversations.add_message(session_id, talk, "user", "And?").id > reply.id
    )  # never reused


def test_another_session_sees_and_touches_nothing(catalogue: Catalogue, session_id: str) -> None:
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id
    talk = catalogue.conversations.create(session_id, "talk").id
    message = catalogue.conversations.add_message(session_id, talk, "user", "Why?")
    assert catalogue.conversations.get(other, talk) is None
    assert catalogue.conversations.list(other) == []
    assert catalogue.conversations.messages(other, talk) == []
    catalogue.conversations.rename(other, talk, "theirs")
    catalogue.conversations.delete_message(other, talk, message.id)
    catalogue.conversations.delete(other, talk)
    with pytest.raises(ConversationNotFound):
        catalogue.conversations.add_message(other, talk, "user", "Mine now")
    with pytest.raises(SessionNotFound):
        catalogue.conversations.create("none", "x")
    (kept,) = catalogue.conversations.list(session_id)
    assert (kept.title, kept.messages) == ("talk", 1)


CITATION = Citation(1, "D:0", "D", "a.pdf", None, 0, 1, 0, 4, "text", score=0.25)
CHUNK = Chunk("D:0", "D", 0, 0, 1, 0, 4, "text", ("Part",))


def search() -> SearchResult:
    document = Document(
        "D", "S", "a.pdf", "a.pdf", DocumentKind.PDF, DocumentState.READY,
        notices=(Notice("a", "b"),), added_at=datetime(2038, 1, 20, tzinfo=UTC),
    )  # fmt: skip
    hit = Hit(CHUNK, document, dense=0.5, dense_rank=1, context="text")
    plan = QueryPlan("Why?", "Why?", ("Why?",))
    return SearchResult(plan, (hit,), (replace(hit, dropped="same"),), (Step("dense", count=9),))


SEARCH = search()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.builds(Answer, question=st.text(st.characters()), text=st.text(st.characters())))
def test_an_answer_comes_back_equal(answer: Answer) -> None:
    text = dump_answer(replace(answer, search=SEARCH))
    assert text is not None
    assert text.isascii()
    assert load_answer(text) == replace(answer, search=SEARCH)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.builds(
        Answer,
        citations=st.lists(st.builds(Citation, score=SCORES), max_size=2).map(tuple),
        claims=st.lists(st.builds(Claim, score=SCORES), max_size=2).map(tuple),
        confidence=SCORES,
        notices=st.lists(st.from_type(Notice), max_size=2).map(tuple),
        seconds=st.floats(allow_nan=False),  # NaN equals nothing, not even itself
    )
)
def test_citations_and_notices_come_back_equal(answer: Answer) -> None:
    assert load_answer(dump_answer(answer)) == answer


def test_fields_of_other_versions() -> None:
    """A row with fields that are not known yet, and one without later fields, can be read."""
    plain = json.loads(dump_answer(Answer("Q", "A", citations=(CITATION,))) or "")
    plain["mood"] = "good"
    plain["citations"][0]["colour"] = "red"
    del plain["prompt"], plain["complete"], plain["citations"][0]["passage"]
    assert load_answer(json.dumps(plain)) == Answer("Q", "A", citations=(CITATION,))
    assert load_answer('{"question": "Q", "text": "A"}') == Answer("Q", "A")


def test_no_answer_is_no_answer() -> None:
    assert dump_answer(None) is None
    assert load_answer(None) is None


def test_a_member_of_the_session_sees_only_their_own(catalogue: Catalogue, session_id: str) -> None:
    member = catalogue.owners.create("b" * 64)
    owners = catalogue.conversations.create(session_id, "The owner asks")
    members = catalogue.conversations.create(session_id, "A member asks", member)
    assert catalogue.conversations.get(session_id, owners.id, member) is None
    assert catalogue.conversations.get(session_id, members.id) is None
    assert catalogue.conversations.get(session_id, members.id, member) == members
    assert catalogue.conversations.list(session_id) == [owners]
    assert catalogue.conversations.list(session_id, member) == [members]


def test_checks_of_an_answer_are_kept_one_for_each_mark(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("c" * 64)
    session = catalogue.sessions.create(owner_id, "Mine")
    talk = catalogue.conversations.create(session.id, "Talk")
    put = catalogue.conversations.add_message
    asked = put(session.id, talk.id, "user", "q")
    said = put(session.id, talk.id, "assistant", "a", Answer("q", "a"))
    keep = catalogue.conversations.check
    for check in (Check(2, True, "so"), Check(0, False), Check(2, None, "wait"), Check(1, True)):
        keep(session.id, talk.id, said.id, check)
    keep(session.id, talk.id, said.id, Check(1, None))  # nothing found and nothing noted
    (_, kept) = catalogue.conversations.messages(session.id, talk.id)
    assert kept.checks == (Check(0, False), Check(2, None, "wait"))
    other = catalogue.conversations.create(session.id, "Other")
    for conversation, message in ((talk.id, asked.id), (other.id, said.id), (talk.id, 99)):
        with pytest.raises(NotFound):
            keep(session.id, conversation, message, Check(0, True))


def test_an_answer_that_is_erased_takes_its_checks_along(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("d" * 64)
    session = catalogue.sessions.create(owner_id, "Mine")
    talk = catalogue.conversations.create(session.id, "Talk")
    citation = Citation(1, "d:0", "d" * 64, "d.md", None, 0, None, 0, 3, "One")
    said = catalogue.conversations.add_message(
        session.id, talk.id, "assistant", "One [1].", Answer("q", "One [1].", (citation,))
    )
    catalogue.conversations.check(session.id, talk.id, said.id, Check(0, True, "It says One."))
    assert catalogue.conversations.erase_quotes(session.id, "d" * 64) == 1
    (kept,) = catalogue.conversations.messages(session.id, talk.id)
    assert kept.checks == ()


def test_an_answer_that_was_only_asked_of_an_erased_document_stays(catalogue: Catalogue) -> None:
    owner_id = catalogue.owners.create("d" * 64)
    session = catalogue.sessions.create(owner_id, "Mine")
    talk = catalogue.conversations.create(session.id, "Talk")
    put = catalogue.conversations.add_message
    asked, gone = Scope(documents=frozenset({"d" * 64, "e" * 64})), "d" * 64
    citation = Citation(1, "d:0", gone, "d.md", None, 0, None, 0, 3, "One")
    answers = [
        Answer("q", "Asked.", answerer="model", scope=asked, asked_of=(2, 3), search=search()),
        Answer("q", "One [1].", (citation,), scope=asked),
        Answer("q", "Later.", answerer="model", scope=Scope(documents=frozenset({"e" * 64}))),
    ]
    for answer in answers:
        put(session.id, talk.id, "assistant", answer.text, answer)
    assert catalogue.conversations.erase_quotes(session.id, gone) == 2
    first, *rest = catalogue.conversations.messages(session.id, talk.id)
    assert [message.text for message in rest] == [ERASED, ERASED]
    assert first.answer == replace(answers[0], scope=Scope(documents=frozenset({"e" * 64})))


ASKED = Asked(
    QueryOptions(
        level=Level.AS_TYPED, queries=("q",), scope=Scope(documents=frozenset({"d" * 64}))
    ),
    ModelChoice("ollama", "some"),
)


def asked(catalogue: Catalogue, session_id: str) -> tuple[str, Message]:
    """A conversation with a question that is being answered."""
    talk = catalogue.conversations.create(session_id, "Talk").id
    return talk, catalogue.conversations.add_message(session_id, talk, "user", "q", asked=ASKED)


def test_a_question_that_no_process_answers_is_left(catalogue: Catalogue, session_id: str) -> None:
    _, question = asked(catalogue, session_id)
    assert catalogue.conversations.is_left(question, 0.0)


def test_an_answer_settles_its_question(catalogue: Catalogue, session_id: str) -> None:
    talk, question = asked(catalogue, session_id)
    assert catalogue.conversations.messages(session_id, talk) == [question]
    assert question.asked == ASKED
    put = catalogue.conversations.add_message
    put(session_id, talk, "assistant", "a", Answer("q", "a"), to=question)
    first, _ = catalogue.conversations.messages(session_id, talk)
    assert first == replace(question, asked=None)


def test_who_took_a_question_over_answers_it(catalogue: Catalogue, session_id: str) -> None:
    talk, question = asked(catalogue, session_id)
    taken = catalogue.conversations.take_over(question)
    assert taken == replace(question, deaths=1)
    assert catalogue.conversations.take_over(question) is None
    put = catalogue.conversations.add_message
    with pytest.raises(Interrupted):
        put(session_id, talk, "assistant", "late", Answer("q", "late"), to=question)
    catalogue.conversations.release(question)
    assert catalogue.conversations.messages(session_id, talk) == [taken]
    put(session_id, talk, "assistant", "a", Answer("q", "a"), to=taken)
    assert [one.text for one in catalogue.conversations.messages(session_id, talk)] == ["q", "a"]


def test_a_question_is_taken_over_once_and_only_at_the_end(
    catalogue: Catalogue, session_id: str
) -> None:
    talk, question = asked(catalogue, session_id)
    taken = catalogue.conversations.take_over(question)
    assert taken is not None
    assert catalogue.conversations.take_over(taken) is None
    assert catalogue.conversations.messages(session_id, talk) == [replace(taken, asked=None)]
    talk, question = asked(catalogue, session_id)
    catalogue.conversations.add_message(session_id, talk, "user", "another")
    assert catalogue.conversations.take_over(question) is None
    talk, question = asked(catalogue, session_id)
    catalogue.conversations.release(question)
    assert catalogue.conversations.take_over(question) is None


def test_a_question_that_names_an_erased_document_is_not_taken_over(
    catalogue: Catalogue, session_id: str
) -> None:
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Other").id
    talk, question = asked(catalogue, session_id)
    elsewhere, kept = asked(catalogue, other)
    catalogue.conversations.erase_quotes(session_id, "e" * 64)
    assert catalogue.conversations.messages(session_id, talk) == [question]
    catalogue.conversations.erase_quotes(session_id, "d" * 64)
    assert catalogue.conversations.messages(session_id, talk) == [replace(question, asked=None)]
    assert catalogue.conversations.messages(other, elsewhere) == [kept]
