"""The one door, with every real part behind it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import core.service
from core.errors import ConversationNotFound, DocumentNotFound, InvalidId, SessionNotFound
from core.ids import new_id
from core.library import conversations
from core.models import reader
from core.service import Service
from core.types import (
    AddOutcome,
    Answer,
    Asked,
    AskRequest,
    DocumentState,
    QueryOptions,
    SearchOptions,
    Session,
    TextPiece,
)
from tests.conftest import answer_of, settled

LIGHTHOUSE = (
    "The lighthouse of Port Amber was built in 1874 by Ida Holm. "
    "Its lamp can be seen from 23 nautical miles away.\n\n"
    "The keeper's house is a museum today. It opens at ten in the morning."
)
BREAD = (
    "# Bread\n\nSourdough bread needs flour, water and salt. "
    + "It takes a day to rise. " * 30
    + "\n\n## Baking\n\nBake the loaf for forty minutes at 230 degrees. "
    + "Steam in the oven makes a better crust. " * 20
)


def fill(service: Service, session: Session) -> None:
    """Two small documents, ready."""
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "bread.md", BREAD.encode())
    assert {d.state for d in settled(service, session)} == {DocumentState.READY}


def test_documents_in_a_question_asked_a_cited_answer_out(
    service: Service, session: Session
) -> None:
    fill(service, session)
    answer = answer_of(service, session, "Who built the lighthouse of Port Amber?")
    assert "Ida Holm" in answer.text
    first = answer.citations[0]
    assert (first.number, first.label) == (1, "lighthouse.txt")
    assert "[1]" in answer.text
    page = service.documents.pages(session, first.document_id)[first.page_ordinal]
    assert page.text[first.start : first.end] == first.quote
    evidence = service.documents.evidence(session, first)
    assert evidence.page_text == page.text
    assert not evidence.missing


def test_headings_travel_with_the_citation(service: Service, session: Session) -> None:
    fill(service, session)
    answer = answer_of(service, session, "How long is the loaf baked?")
    assert answer.citations[0].headings[-1] == "Baking"


def test_a_question_about_something_else_is_refused(service: Service, session: Session) -> None:
    fill(service, session)
    answer = answer_of(service, session, "Which enzyme unwinds the DNA double helix?")
    assert answer.abstention is not None
    assert answer.abstention.searched_documents == 2
    assert answer.citations == ()


def test_an_empty_session_says_so(service: Service, session: Session) -> None:
    answer = answer_of(service, session, "Is anybody there?")
    assert answer.abstention is not None
    assert answer.abstention.searched_chunks == 0


def test_a_search_keeps_every_score(service: Service, session: Session) -> None:
    fill(service, session)
    hits = service.search(
        AskRequest(
            session, "lighthouse lamp", options=QueryOptions(search=SearchOptions(diversify=False))
        )
    ).hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert hits[0].document.label == "lighthouse.txt"
    assert hits[0].dense is not None
    assert hits[0].lexical is not None
    assert hits[0].fused is not None


def test_a_document_taken_out_is_not_searched(service: Service, session: Session) -> None:
    fill(service, session)
    lighthouse = service.documents.list(session)[0]
    service.documents.set_searched(session, lighthouse.id, False)
    hits = service.search(AskRequest(session, "lighthouse of Port Amber")).hits
    assert {hit.document.label for hit in hits} == {"bread.md"}
    service.documents.set_searched(session, lighthouse.id, True)
    assert service.search(AskRequest(session, "lighthouse of Port Amber")).hits[0].document == (
        service.documents.get(session, lighthouse.id)
    )


def test_a_removed_document_answers_no_more(service: Service, session: Session) -> None:
    fill(service, session)
    answer = answer_of(service, session, "Who built the lighthouse of Port Amber?")
    citation = answer.citations[0]
    service.documents.remove(session, citation.document_id)
    assert "deleted" in service.documents.evidence(session, citation).missing
    assert "Ida Holm" not in answer_of(service, session, "Who built the lighthouse?").text
    with pytest.raises(DocumentNotFound):
        service.documents.get(session, citation.document_id)


def test_a_conversation_is_kept_and_exported(service: Service, session: Session) -> None:
    fill(service, session)
    talk = service.conversations.create(session, "Who built the lighthouse of Port Amber?")
    events = list(
        service.ask(AskRequest(session, "Who built the lighthouse of Port Amber?", talk.id))
    )
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert sum(isinstance(event, Answer) for event in events) == 1
    assert any(isinstance(event, TextPiece) for event in events)
    question, kept = service.conversations.messages(session, talk.id)
    assert (question.role, kept.role) == ("user", "assistant")
    assert kept.answer == answer
    assert b"lighthouse.txt" in service.conversations.export(session, talk.id, "markdown")
    data = json.loads(service.conversations.export(session, talk.id, "json"))
    assert data["messages"][1]["citations"][0]["document"] == "lighthouse.txt"
    service.conversations.rename(session, talk.id, "The lighthouse")
    assert service.conversations.list(session)[0].title == "The lighthouse"
    service.conversations.delete(session, talk.id)
    with pytest.raises(ConversationNotFound):
        service.conversations.messages(session, talk.id)


def test_an_answer_is_kept_with_the_first_of_what_was_dropped(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core.service, "MOST_DROPPED", 2)
    fill(service, session)
    service.documents.add_file(session, "more.txt", (LIGHTHOUSE * 60).encode())
    settled(service, session)
    talk = service.conversations.create(session, "q")
    request = AskRequest(session, "Who built the lighthouse?", talk.id)
    *_, answer = service.ask(request)
    assert isinstance(answer, Answer)
    assert answer.search is not None
    assert len(answer.search.dropped) > 2, "who asks gets all"
    kept = service.conversations.messages(session, talk.id)[-1].answer
    assert kept is not None
    assert kept.search == replace(
        answer.search,
        dropped=answer.search.dropped[:2],
        dropped_more=len(answer.search.dropped) - 2,
    )
    assert kept.search.shortened(2) is kept.search
    assert kept.search.shortened(1).dropped_more == len(answer.search.dropped) - 1


def test_the_same_bytes_twice_change_nothing(service: Service, session: Session) -> None:
    fill(service, session)
    again = service.documents.add_file(session, "copy.txt", LIGHTHOUSE.encode())
    assert again.outcome is AddOutcome.DUPLICATE
    assert "lighthouse.txt" in again.reason
    assert len(service.documents.list(session)) == 2


def test_a_changed_file_asks_replaces_or_is_kept(service: Service, session: Session) -> None:
    fill(service, session)
    changed = LIGHTHOUSE.replace("Ida Holm", "Nils Berg").encode()
    asked = service.documents.add_file(session, "lighthouse.txt", changed)
    assert asked.outcome is AddOutcome.CONFLICT
    assert len(service.documents.list(session)) == 2
    replaced = service.documents.add_file(session, "lighthouse.txt", changed, "replace")
    assert replaced.outcome is AddOutcome.REPLACED
    settled(service, session)
    assert len(service.documents.list(session)) == 2
    text = answer_of(service, session, "Who built the lighthouse of Port Amber?").text
    assert "Nils Berg" in text
    assert "Ida Holm" not in text
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode(), "keep")
    labels = {d.label for d in settled(service, session)}
    assert len(labels) == 3


def test_a_bad_file_says_why_and_harms_nothing(service: Service, session: Session) -> None:
    fill(service, session)
    assert service.documents.add_file(session, "nothing.pdf", b"").outcome is AddOutcome.FAILED
    service.documents.add_file(session, "program.pdf", b"MZ\x90\x00" + bytes(range(256)) * 40)
    states = {d.label: d for d in settled(service, session)}
    assert states["program.pdf"].state is DocumentState.FAILED
    assert states["program.pdf"].reason
    assert states["program.pdf"].cure
    assert "Ida Holm" in answer_of(service, session, "Who built the lighthouse?").text


def test_sessions_do_not_see_each_other(service: Service, session: Session) -> None:
    fill(service, session)
    mine = service.owners.for_token("somebody")
    stranger = service.owners.for_token("a stranger")
    with pytest.raises(SessionNotFound):
        service.sessions.get(stranger, session.id)
    other = service.sessions.create(mine, "Other")
    assert service.search(AskRequest(other, "lighthouse of Port Amber")).hits == ()
    with pytest.raises(DocumentNotFound):
        service.documents.get(other, service.documents.list(session)[0].id)
    with pytest.raises(InvalidId):
        service.sessions.get(mine, "../" + session.id)
    with pytest.raises(SessionNotFound):
        service.sessions.get(mine, new_id())
    assert {s.name for s in service.sessions.list(mine)} == {"Test", "Other"}
    assert service.sessions.list(stranger) == []


def test_stopped_work_is_resumed(service: Service, session: Session) -> None:
    for number in range(12):
        service.documents.add_file(session, f"note-{number}.txt", f"Note number {number}.".encode())
    assert service.documents.stop(session) > 0
    assert any(d.state is DocumentState.STOPPED for d in settled(service, session))
    service.documents.resume(session)
    assert {d.state for d in settled(service, session)} == {DocumentState.READY}


def test_a_restart_goes_on_where_it_was(service: Service, session: Session) -> None:
    for number in range(6):
        service.documents.add_file(session, f"note-{number}.txt", f"Note number {number}.".encode())
    service.close()
    again = Service(service.settings)
    try:
        assert {d.state for d in settled(again, session)} == {DocumentState.READY}
        assert len(again.documents.list(session)) == 6
    finally:
        again.close()


def test_a_question_that_is_being_answered_is_left_to_nobody(
    service: Service, session: Session
) -> None:
    talk = service.conversations.create(session, "Talk").id
    answering = service.ask(AskRequest(session, "Who built the lighthouse?", talk))
    next(answering)
    service.close()
    again = Service(service.settings)
    try:
        (question,) = again.conversations.messages(session, talk)
        assert question.asked is None
        assert list(again.ask_again(AskRequest(session, "", talk))) == []
        assert again.conversations.messages(session, talk) == [question]
    finally:
        again.close()


def test_a_question_that_a_move_or_a_backup_left_is_answered_once(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversations, "PATIENCE", 0.0)
    fill(service, session)
    talk = service.conversations.create(session, "Talk").id
    text, asked = "Who built the lighthouse of Port Amber?", Asked(QueryOptions())
    question = service.catalogue.conversations.add_message(
        session.id, talk, "user", text, asked=asked
    )
    assert service.conversations.is_left(session, question)
    *_, answer = service.ask_again(AskRequest(session, "", talk))
    assert isinstance(answer, Answer)
    assert answer.text.startswith("The lighthouse of Port Amber was built in 1874")
    assert list(service.ask_again(AskRequest(session, "", talk))) == []
    said = service.conversations.messages(session, talk)
    assert [(one.role, one.asked) for one in said] == [("user", None), ("assistant", None)]


def test_what_quotes_is_loaded_before_the_first_question(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.close()
    loaded: list[str] = []
    monkeypatch.setattr(reader, "_loaded", lambda folder, changed: loaded.append(folder.name))
    again = Service(service.settings.model_copy(update={"reader_model": "bundled"}))
    try:
        assert again.wait_ready(60)
        assert loaded == ["reader"]
    finally:
        again.close()


def test_a_lost_index_is_made_again(service: Service, session: Session) -> None:
    fill(service, session)
    service.stores.vectors.delete_session(session.id)
    service.stores.lexical.delete_session(session.id)
    service.close()
    again = Service(service.settings)
    try:
        assert again.wait_ready(60)
        hits = again.search(AskRequest(session, "lighthouse lamp")).hits
        assert hits[0].dense is not None
        assert hits[0].lexical is not None
    finally:
        again.close()


def test_the_doctor_examines_every_part(service: Service) -> None:
    found = {health.name: health for health in service.health()}
    assert found["Catalogue"].state == "ok"
    assert found["Embedding model"].state == "ok"
    assert found["Language model"].state == "off"
    assert all(health.cure for health in found.values() if health.state == "error")
