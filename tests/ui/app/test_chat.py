"""The Chat page: first screen, questions, answers, conversations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.answering.exports.registry import FORMS
from core.answering.routes.silence import BEING_READ, NOT_READ
from core.errors import ModelUnavailable
from core.types import Answer, Check, DocumentState, Level, Notice, Step
from core.types.steps import Sectioned
from core.ui.shell import state
from tests.ui.app.fake_service import QUESTIONS, FakeService, canned_answer
from tests.ui.app.pages import answered, button, open_tab, session_of, sheets


def test_the_first_screen_explains_itself_and_loads_the_samples(fake: FakeService) -> None:
    tab = open_tab()
    assert not tab.exception
    assert tab.title[0].value == "Ask your documents. Check every answer."
    assert len(tab.text[0].value.splitlines()) == 2
    button(tab, "Load the sample library").click().run()
    assert [document.label for document in fake.documents.list(session_of(fake))] == [
        "handbook.pdf",
        "glossary.md",
        "measures.html",
    ]
    tab.run()
    labels = [b.label.replace("\\", "") for b in tab.button]
    assert set(QUESTIONS) <= set(labels)


def test_a_suggested_question_is_asked_by_one_click(fake: FakeService) -> None:
    tab = open_tab()
    button(tab, "Load the sample library").click().run()
    tab.run()
    button(tab, QUESTIONS[0]).click().run()
    answered(tab, fake)
    assert fake.asked == [QUESTIONS[0]]
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == [QUESTIONS[0]]


def test_the_page_is_drawn_once_for_a_question(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab, drawn = open_tab(), []
    monkeypatch.setattr("core.ui.chat.page.draw_desk", lambda *_: drawn.append("the box"))
    tab.chat_input[0].set_value(QUESTIONS[0]).run()
    assert drawn == ["the box"]
    answered(tab, fake)
    assert fake.asked == [QUESTIONS[0]]


def test_questions_that_were_not_asked_yet_stand_below_the_last_answer(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value(QUESTIONS[0].upper()).run()
    answered(tab, fake)
    tab.run()
    labels = [b.label.replace("\\", "") for b in tab.button]
    assert [label for label in labels if label in QUESTIONS] == list(QUESTIONS[1:])
    button(tab, QUESTIONS[1]).click().run()
    answered(tab, fake)
    assert fake.asked[-1] == QUESTIONS[1]


def test_the_first_screen_names_what_could_not_be_read(fake: FakeService) -> None:
    tab = open_tab()
    button(tab, "Load the sample library").click().run()
    session = session_of(fake)
    for document in fake.documents.list(session)[:2]:
        fake.put(session, replace(document, state=DocumentState.FAILED, reason="It is broken."))
    tab.run()
    assert [one.value.replace("\\", "") for one in tab.warning] == [
        "2 documents could not be read: handbook.pdf, glossary.md."
    ]
    assert "See why" in [link.proto.label for link in tab.get("page_link")]
    assert tab.caption[0].value.startswith("1 document ready")


def test_an_answer_that_names_unread_documents_leads_to_them(fake: FakeService) -> None:
    unread = Notice(NOT_READ, "Not read, so not searched: a.pdf.", "See Documents for the reason.")
    tab = open_tab()
    for notices, led in (((), False), ((unread,), True)):
        fake.answer = lambda question, told=notices: replace(canned_answer(question), notices=told)
        tab.chat_input[0].set_value("What is carried?").run()
        answered(tab, fake)
        assert ("Open Documents" in [link.proto.label for link in tab.get("page_link")]) is led


def test_below_an_answer_is_seen_how_far_the_reading_is(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread = Notice(BEING_READ, "Still being read, so not searched yet: a.pdf.", "Ask again.")
    fake.answer = lambda question: replace(canned_answer(question), notices=(unread,))
    tab = open_tab()
    button(tab, "Load the sample library").click().run()
    session = session_of(fake)
    late = fake.documents.list(session)[0]
    with monkeypatch.context() as held:
        held.setattr(fake, "_work", lambda session: None)
        fake.put(session, replace(late, state=DocumentState.READING, progress=0.5))
        tab.chat_input[0].set_value("What is carried?").run()
        answered(tab, fake)
        assert len(tab.get("progress")) == 1
        assert button(tab, "Ask again").proto.type == "secondary"
    fake.put(session, late)
    tab.run()
    assert not tab.get("progress")
    assert "The documents are read now." in [one.value for one in tab.caption]
    assert button(tab, "Ask again").proto.type == "primary"


def test_what_a_greeting_suggests_is_asked_by_one_click(fake: FakeService) -> None:
    fake.answer = lambda question: Answer(
        question, "Hello!\n\nFor example:\n\n- What is it?", route="smalltalk"
    )
    tab = open_tab()
    button(tab, "Load the sample library").click().run()
    tab.chat_input[0].set_value("hello").run()
    answered(tab, fake)
    assert sheets(tab)[0]["content"]["tree"] == [{"t": "p", "c": ["Hello!"]}]
    labels = [b.label.replace("\\", "") for b in tab.button]
    assert [label for label in labels if label in QUESTIONS] == list(QUESTIONS)
    keys = [menu.key for menu in tab.get("menu_button")]
    assert "ask-again" not in keys, "another effort would say the same"
    button(tab, QUESTIONS[0]).click().run()
    answered(tab, fake)
    assert fake.asked == ["hello", QUESTIONS[0]]


def test_questions_that_are_being_made_are_waited_for(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake.documents, "suggestions", lambda session: None)
    tab = open_tab()
    button(tab, "Load the sample library").click().run()
    tab.run()
    assert not tab.exception
    assert not {b.label.replace("\\", "") for b in tab.button} & set(QUESTIONS)


def test_an_answer_shows_its_sources_claims_and_search(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    answered(tab, fake)
    content = sheets(tab)[0]["content"]
    assert [source["n"] for source in content["cited"]] == [1, 2, 3]
    assert content["cited"][0]["place"] == "page 3 · Storage › Keeping what was said"
    assert len(content["unused"]) == 2
    kinds = {claim["kind"]: claim["words"] for claim in content["claims"].values()}
    assert kinds["unsupported"] == "not supported: the number 1,577 is not in the source"
    assert kinds["matched"] == "matches, not cited"
    assert content["searched"]["hits"][0]["dense"] == {"score": "0.71", "rank": "#1"}
    assert content["searched"]["dropped"][0]["dropped"] == "too like a better passage"
    assert content["copy"].endswith("lists in which a passage stands.”")


def test_an_answer_in_sections_shows_them_with_its_limits(fake: FakeService) -> None:
    def in_sections(question: str) -> Answer:
        answer = canned_answer(question)
        assert answer.search
        limits = Step("sections", Sectioned(("Price", "Delivery"), 6, 300.0), count=2)
        search = replace(answer.search, steps=(limits, *answer.search.steps))
        text = f"## Price\n\n{answer.text}\n\n## What was not found\n\n- Delivery: You stopped it."
        return replace(answer, text=text, claims=(), search=search)

    fake.answer = in_sections
    tab = open_tab()
    tab.chat_input[0].set_value("Compare price and delivery.").run()
    answered(tab, fake)
    assert not tab.exception
    content = sheets(tab)[0]["content"]
    assert str(content["tree"]).count("heading") + str(content["tree"]).count("'h") >= 2
    assert "Price; Delivery (at most 6 searches and 5 min)" in str(content["searched"]["steps"][0])


def test_a_refusal_says_what_was_searched(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("Is there a zebra?").run()
    answered(tab, fake)
    content = sheets(tab)[0]["content"]
    assert content["abstention"]["lead"] == "No passage names “zebra”."
    assert content["certainty"]["words"] == "Not found"
    assert "3 documents, 183 passages" in content["abstention"]["looked"]
    assert content["tree"] == []
    assert len(content["unused"]) == 1


def test_an_empty_library_is_said_to_be_empty_with_the_way_to_documents(fake: FakeService) -> None:
    def nothing(question: str) -> Answer:
        refusal = canned_answer("zebra")
        assert refusal.abstention
        return replace(refusal, abstention=replace(refusal.abstention, searched_documents=0))

    fake.answer = nothing
    tab = open_tab()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    abstention = sheets(tab)[0]["content"]["abstention"]
    assert abstention["lead"] == "There is nothing to search yet."
    assert abstention["looked"] == ""
    button(tab, "Load the sample library").click().run()
    tab.run()
    fake.answer = canned_answer
    button(tab, "Ask again").click().run()
    answered(tab, fake)
    assert len(sheets(tab)[-1]["content"]["cited"]) == 3


@pytest.mark.parametrize("linked", ["session", "conversation"])
def test_a_link_that_leads_nowhere_says_so_once(fake: FakeService, linked: str) -> None:
    other = fake.sessions.create(fake.owners.for_token("somebody else"))
    theirs = {"session": other.id, "conversation": fake.conversations.create(other, "Theirs").id}
    tab = open_tab(**{linked: theirs[linked]})
    assert [warning.value for warning in tab.warning] == [
        "This link leads to nothing that you can open: what it names was deleted, or belongs to "
        "somebody else."
    ]
    tab.run()
    assert not tab.warning


def test_a_link_to_a_conversation_of_ones_own_opens_it(fake: FakeService) -> None:
    mine = fake.sessions.create(fake.owners.for_token("somebody"))
    conversation = fake.conversations.create(mine, "Mine").id
    tab = open_tab(session=mine.id, conversation=conversation)
    assert not tab.warning
    assert tab.query_params["conversation"] in (conversation, [conversation])


def test_a_question_that_is_too_long_is_told_so_and_not_asked(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("x" * 4_001).run()
    assert fake.asked == []
    assert "4,001 characters; 4,000 are allowed" in tab.warning[0].value
    tab.chat_input[0].set_value("x" * 4_000).run()
    answered(tab, fake)
    assert len(fake.asked) == 1
    assert not tab.warning


def test_a_failed_answer_says_why_and_can_be_asked_again(fake: FakeService) -> None:
    fake.error = ModelUnavailable("The model's weights are not here.")
    tab = open_tab()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert "weights are not here" in tab.error[0].value
    assert "Status page" in tab.error[0].value
    fake.error = None
    button(tab, "Ask again").click().run()
    answered(tab, fake)
    assert not tab.error
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What?"]


def test_pages_that_will_be_opened_are_drawn_ahead(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    tab = answered(tab, fake)
    (message,) = [m for m in fake._messages[str(tab.query_params["conversation"])] if m.answer]
    assert message.answer
    cited = dict.fromkeys((c.document_id, c.page_ordinal) for c in message.answer.citations)
    assert fake.drawn_ahead == list(cited)[:3]
    tab.run()
    assert fake.drawn_ahead == list(cited)[:3], "once for each answer"
    fake.drawn_ahead.clear()
    tab.session_state["opened"] = state.Opened("answer-0", "cited", 0)
    tab.run()
    document, page = next(iter(cited))
    assert fake.drawn_ahead == [(document, page + 1)], "the fake evidence has one neighbour"


def test_an_answer_is_made_again_at_another_effort(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    tab = answered(tab, fake)
    tab.menu_button(key="ask-again").click("Deep").run()
    tab = answered(tab, fake)
    assert not tab.exception
    assert fake.asked == ["What is carried?"] * 2
    assert [options.level for options in fake.options] == [Level.AUTO, Level.IN_DEPTH]
    assert "level" not in fake.sessions.preferences(session_of(fake)), "the switch stays"


def test_an_incomplete_answer_can_be_asked_for_again(fake: FakeService) -> None:
    fake.answer = lambda question: replace(canned_answer(question), complete=False)
    tab = open_tab()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    fake.answer = canned_answer
    button(tab, "Retry").click().run()
    answered(tab, fake)
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What?", "What?"]
    assert "Retry" not in [b.label for b in tab.button]


def test_conversations_are_listed_opened_renamed_and_deleted(fake: FakeService) -> None:
    tab = open_tab()
    for question in ("First question", "Second question"):
        tab.chat_input[0].set_value(question).run()
        answered(tab, fake)
        button(tab, "New conversation").click().run()
        assert "conversation" not in tab.query_params
    button(tab, "First question").click().run()
    assert sheets(tab)[0]["content"]["question"] == "First question"
    menu(tab, "First question").click("Rename").run()
    tab.text_input(key="new_title").set_value("Renamed")
    tab.form_submit_button[0].click().run()
    titles = {c.title for c in fake.conversations.list(session_of(fake))}
    assert titles == {"Renamed", "Second question"}
    menu(tab, "Renamed").click("Delete").run()
    button(tab, "Delete permanently").click().run()
    assert [c.title for c in fake.conversations.list(session_of(fake))] == ["Second question"]
    assert not sheets(tab)


def menu(tab: AppTest, title: str) -> Any:
    """The menu on the row of a conversation."""
    row = next(
        b for b in tab.button if plain_label(b) == title and "conversation-" in (b.key or "")
    )
    return tab.menu_button(key=row.key.replace("conversation-", "menu-"))


def plain_label(widget: Any) -> str:
    """A label without its escapes, and without the emphasis of the row that is open."""
    return str(widget.label).replace("\\", "").replace("*", "")


def rows(tab: AppTest) -> list[str]:
    """The titles of the conversations in the side bar."""
    found = (b for b in tab.sidebar.button if (b.key or "").startswith("conversation-"))
    return [plain_label(b) for b in found]


def two_talks(fake: FakeService) -> AppTest:
    tab = open_tab()
    for question in ("First question", "Second question"):
        tab.chat_input[0].set_value(question).run()
        answered(tab, fake)
        button(tab, "New conversation").click().run()
    return tab


def test_a_pinned_conversation_stands_first(fake: FakeService) -> None:
    tab = two_talks(fake)
    assert rows(tab) == ["Second question", "First question"]
    menu(tab, "First question").click("Pin").run()
    assert rows(tab) == ["First question", "Second question"]
    assert [one.value for one in tab.sidebar.caption if one.value in ("Pinned", "Today")] == [
        "Pinned",
        "Today",
    ]
    assert menu(tab, "First question").options == ["Unpin", "Rename", "Export", "Delete"]
    menu(tab, "First question").click("Unpin").run()
    assert rows(tab) == ["Second question", "First question"]


def test_conversations_are_searched(fake: FakeService) -> None:
    tab = two_talks(fake)
    tab.text_input(key="conversation-words").set_value("First").run()
    assert rows(tab) == ["First question"]
    tab.text_input(key="conversation-words").set_value("nothing like it").run()
    assert rows(tab) == []
    assert "No conversation has these words." in [one.value for one in tab.sidebar.caption]
    tab.text_input(key="conversation-words").set_value("").run()
    assert len(rows(tab)) == 2


def test_an_address_opens_the_citation_that_it_names(fake: FakeService) -> None:
    tab = two_talks(fake)
    button(tab, "First question").click().run()
    talk = str(tab.query_params["conversation"])
    linked = open_tab(conversation=talk, citation="3")
    assert sheets(linked)[0]["opened"] == "cited-2"
    assert sheets(linked)[0]["evidence"]["label"] == "glossary.md"
    message = fake._messages[talk][1]
    assert linked.query_params["answer"] == str(message.id)
    linked.run()
    assert sheets(linked)[0]["opened"] == "cited-2"
    assert not linked.warning
    same = open_tab(conversation=talk, citation="3", answer=str(message.id))
    assert sheets(same)[0]["opened"] == "cited-2"


@pytest.mark.parametrize(
    "named", [{"citation": "9"}, {"citation": "x"}, {"citation": "1", "answer": "999999"}]
)
def test_a_citation_that_is_not_there_is_told(fake: FakeService, named: dict[str, str]) -> None:
    tab = two_talks(fake)
    button(tab, "First question").click().run()
    talk = str(tab.query_params["conversation"])
    linked = open_tab(conversation=talk, **named)
    assert "is not in this conversation" in linked.warning[0].value
    assert sheets(linked)[0]["opened"] == ""
    assert "citation" not in linked.query_params


def test_a_link_into_a_conversation_of_somebody_else_opens_nothing(fake: FakeService) -> None:
    tab = two_talks(fake)
    button(tab, "First question").click().run()
    talk, session = (str(tab.query_params[name]) for name in ("conversation", "session"))
    foreign = open_tab(token="other", session=session, conversation=talk, citation="1")
    assert "leads to nothing that you can open" in foreign.warning[0].value
    assert not sheets(foreign)


def test_a_conversation_is_exported_in_the_format_that_is_chosen(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    menu(tab, "What?").click("Export").run()
    assert not tab.exception
    offered = [one.proto.label for one in tab.get("download_button")]
    assert offered == [form.label for form in FORMS.values()]


def test_all_reviews_are_offered_once_below_the_last_answer_that_is_checked(
    fake: FakeService,
) -> None:
    tab = open_tab()
    for question in ("What?", "Why?", "Who?"):
        tab.chat_input[0].set_value(question).run()
        answered(tab, fake)

    def offered() -> list[str]:
        return [one.proto.label for one in tab.run().get("download_button")]

    session = session_of(fake)
    (conversation,) = fake.conversations.list(session)
    said = fake.conversations.messages(session, conversation.id)
    answers = [message for message in said if message.answer]
    assert offered() == []
    fake.conversations.check(session, conversation.id, answers[1].id, Check(0, True))
    assert offered() == ["Export the review"]
    fake.conversations.check(session, conversation.id, answers[0].id, Check(0, False))
    assert offered() == ["Export the review", "Export the review", "Export all 2 reviews"]
    assert not tab.exception


def test_the_prompt_is_shown_only_when_debugging(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert not tab.code
    tab.query_params["debug"] = "true"
    tab.run()
    assert tab.code[0].value.startswith("SYSTEM: answer only from the sources")


def test_sessions_are_created_and_kept_apart(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("Mine?").run()
    answered(tab, fake)
    owner = fake.owners.for_token("somebody")
    other = fake.sessions.create(owner, "Other")
    tab.run()
    tab.selectbox(key="session_choice").select(other.id).run()
    assert not sheets(tab)
    assert "conversation" not in tab.query_params
    assert tab.query_params["session"] == other.id


def test_a_new_session_is_made_with_the_models_that_were_chosen(fake: FakeService) -> None:
    fake.settings.embedding_choices = ("all-MiniLM-L6-v2", "multilingual-e5-small")
    fake.settings.reranker_choices = ("", "ms-marco-MiniLM-L6-v2")
    tab = open_tab()
    tab.menu_button(key="session_menu").click("New session").run()
    tab.text_input(key="new_session_name").set_value("Reports")
    tab.selectbox(key="Embedding model-new_session").set_value("multilingual-e5-small")
    tab.selectbox(key="Reranker-new_session").set_value("ms-marco-MiniLM-L6-v2")
    button(tab, "Create").click().run()
    assert not tab.exception
    made = session_of(fake)
    indexing = fake.sessions.indexing(made)
    assert made.name == "Reports"
    assert (indexing.embedding_model, indexing.reranker_model) == (
        "multilingual-e5-small", "ms-marco-MiniLM-L6-v2",
    )  # fmt: skip


def test_a_thumb_with_its_reason_is_kept(fake: FakeService) -> None:
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    tab = answered(tab, fake)
    message = fake.conversations.messages(session_of(fake), str(tab.query_params["conversation"]))[
        -1
    ]
    tab.feedback(key=f"thumb-{message.id}").set_value(0).run()
    tab.text_input(key=f"thumb-{message.id}-reason").set_value("The year is wrong").run()
    given = fake.evaluations.thumbs.given[message.id]
    assert (given.up, given.reason, given.question) == (
        False, "The year is wrong", "What is carried?",
    )  # fmt: skip
    assert not tab.exception
