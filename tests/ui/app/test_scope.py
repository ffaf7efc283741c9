"""Which documents the Chat page asks, and files that come with a question."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from core.types import Answer, DocumentState, Scope
from tests.ui.app.fake_service import FakeService, canned_answer
from tests.ui.app.pages import answered, button, open_tab, session_of, sheets


def library(fake: FakeService) -> dict[str, str]:
    """The samples, ready: ids by label."""
    mine = fake.sessions.create(fake.owners.for_token("somebody"))
    fake.documents.load_samples(mine)
    while any(d.state is not DocumentState.READY for d in fake.documents.list(mine)):
        pass
    return {document.label: document.id for document in fake.documents.list(mine)}


def keep(fake: FakeService, scope: object) -> None:
    fake.sessions.set_preferences(session_of(fake), {"scope": scope})


def ask(tab: AppTest, fake: FakeService, question: str) -> Scope:
    tab.chat_input[0].set_value(question).run()
    answered(tab, fake)
    return fake.options[-1].scope


def test_what_was_chosen_is_asked_and_said(fake: FakeService) -> None:
    ids = library(fake)
    tab = open_tab()
    assert ask(tab, fake, "What is carried?") == Scope()
    assert "asked of" not in sheets(tab)[-1]["content"]["meta"]
    keep(fake, {"documents": [ids["glossary.md"]]})
    assert ask(tab, fake, "What is carried?") == Scope(frozenset({ids["glossary.md"]}))
    assert "asked of 1 of 3 documents" in sheets(tab)[-1]["content"]["meta"]


def test_what_comes_along_with_a_question_counts_for_it_and_once(fake: FakeService) -> None:
    """Where the run of the choice was ended by that of the question before it took anything."""
    ids = library(fake)
    tab = open_tab()
    scope = {"documents": [ids["glossary.md"]]}
    key = f"scope-choice-{session_of(fake).id}"
    tab.session_state[key] = {"choice": {"scope": scope, "keep": False, "at": 1}}
    assert ask(tab, fake, "What is carried?") == Scope(frozenset({ids["glossary.md"]}))
    assert ask(tab, fake, "And then?") == Scope()


@pytest.mark.parametrize(
    "kept", [{"documents": 7}, {"origin": ["post"]}, "all", {"added_after": "soon"}, None]
)
def test_a_choice_that_cannot_be_read_is_all_documents(fake: FakeService, kept: object) -> None:
    library(fake)
    keep(fake, kept)
    assert ask(open_tab(), fake, "What is carried?") == Scope()


def test_a_day_that_an_earlier_version_kept_is_read(fake: FakeService) -> None:
    library(fake)
    keep(fake, {"added_after": "2020-01-31"})
    asked = ask(open_tab(), fake, "What is carried?")
    assert asked == Scope(added_after=datetime(2020, 1, 31, tzinfo=UTC))


def test_a_name_in_the_question_holds_for_this_question(fake: FakeService) -> None:
    ids = library(fake)
    keep(fake, {"origin": ["upload"]})
    tab = open_tab()
    scope = ask(tab, fake, "@glossary what is carried?")
    assert scope == Scope(frozenset({ids["glossary.md"]}))
    assert fake.asked == ["what is carried?"]
    assert ask(tab, fake, "And then?").documents is None
    assert fake.options[-1].scope.origin


def test_a_repeated_question_is_asked_of_the_same_documents(fake: FakeService) -> None:
    ids = library(fake)
    fake.answer = lambda question: replace(canned_answer(question), complete=False)
    tab = open_tab()
    scope = ask(tab, fake, "@glossary what is carried?")
    keep(fake, {"documents": [ids["handbook.pdf"]]})
    button(tab, "Retry").click().run()
    answered(tab, fake)
    assert len(fake.options) == 2
    assert fake.options[-1].scope == scope
    assert ask(tab, fake, "And then?") == Scope(frozenset({ids["handbook.pdf"]}))


def test_a_file_that_comes_with_a_question_is_read_first(fake: FakeService) -> None:
    library(fake)
    tab = open_tab()
    box: Any = tab.chat_input[0]
    box.upload("notes.txt", b"Notes on what is carried.").set_value("What is carried?").run()
    assert "notes.txt" in fake.added
    while not fake.asked:
        tab.run()
    answered(tab, fake)
    by_label = {document.label: document for document in fake.documents.list(session_of(fake))}
    assert by_label["notes.txt"].state is DocumentState.READY
    assert fake.asked == ["What is carried?"]


def test_a_file_alone_asks_nothing(fake: FakeService) -> None:
    library(fake)
    tab = open_tab()
    box: Any = tab.chat_input[0]
    box.upload("notes.txt", b"Notes.").run()
    assert "notes.txt" in fake.added
    for _ in range(20):
        tab.run()
    assert fake.asked == []
    assert any("1 document added" in markdown.value for markdown in tab.markdown)


def test_several_files_at_once_are_all_added(fake: FakeService) -> None:
    """As the browser sends what is dropped, or pasted one after the other."""
    library(fake)
    tab = open_tab()
    box: Any = tab.chat_input[0]
    box.upload("boats.txt", b"Boats.").upload("sails.txt", b"Sails.").run()
    assert {"boats.txt", "sails.txt"} <= set(fake.added)


def test_a_file_with_a_question_that_is_too_long_is_not_lost(fake: FakeService) -> None:
    library(fake)
    tab = open_tab()
    box: Any = tab.chat_input[0]
    box.upload("notes.txt", b"Notes.").set_value("x" * 4_001).run()
    assert "notes.txt" in fake.added
    assert fake.asked == []
    assert "4,001 characters" in tab.warning[0].value


@pytest.mark.parametrize(("zone", "day"), [("UTC", "02"), ("Pacific/Kiritimati", "03")])
def test_the_day_of_reading_is_that_of_the_browser(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    """In the list of sources, in the copied text, and beside the evidence."""
    monkeypatch.setattr(ContextProxy, "timezone", zone)

    def answer(question: str) -> Answer:
        whole = canned_answer(question)
        read = [replace(one, read_at="2026-01-02T23:30:00+00:00") for one in whole.citations]
        return replace(whole, citations=tuple(read))

    fake.answer = answer
    library(fake)
    tab = open_tab()
    ask(tab, fake, "What is carried?")
    content = sheets(tab)[-1]["content"]
    assert f"read 2026-01-{day}" in content["cited"][0]["attribution"]
    assert f"read 2026-01-{day}" in content["copy"]
    assert [str(one) for one in fake.zones] == [zone]
