"""Searching and pinning conversations, over a real catalogue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.errors import ConversationNotFound, NotFound
from core.library.conversations import Conversations
from core.storage.catalogue import Catalogue
from core.types import Answer, Citation, Evidence, Session
from tests.answering.exports.material import PDF


def evidence(session: Session, citation: Citation) -> Evidence:
    return Evidence(citation, "")


@pytest.fixture
def room(settings: Settings) -> Iterator[Conversations]:
    catalogue = Catalogue(settings)
    yield Conversations(catalogue, evidence)
    catalogue.close()


@pytest.fixture
def session(room: Conversations) -> Session:
    catalogue = room.catalogue
    return catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine")


def said(room: Conversations, session: Session, title: str, *texts: str) -> str:
    talk = room.create(session, title).id
    for text in texts:
        room.catalogue.conversations.add_message(session.id, talk, "user", text)
    return talk


def test_all_words_are_found_in_titles_and_texts(room: Conversations, session: Session) -> None:
    tower = said(room, session, "On towers", "When was the Eiffel tower built?", "In ÉTÉ 1889.")
    lamp = said(room, session, "On lamps", "How far is a lamp seen from a tower?")

    def found(words: str) -> list[str]:
        return [hit.conversation.id for hit in room.search(session, words)]

    assert found("TOWER") == [lamp, tower]
    assert found("eiffel été") == [tower]
    assert found("lamps seen") == [lamp], "one word in the title, one in a text"
    assert found("eiffel lamp") == []
    assert found("  ") == []
    assert found("%") == []


def test_a_hit_says_where(room: Conversations, session: Session) -> None:
    said(room, session, "Long", "word " * 40 + "needle " + "word " * 40)
    (hit,) = room.search(session, "needle")
    assert hit.excerpt.startswith("…word")
    assert "needle" in hit.excerpt
    assert hit.excerpt.endswith("…")
    assert len(hit.excerpt) <= 82
    (hit,) = room.search(session, "long")
    assert hit.excerpt == ""


def test_a_pin_stays(room: Conversations, session: Session) -> None:
    talk = said(room, session, "Kept")
    assert not room.get(session, talk).pinned
    room.pin(session, talk, True)
    assert [one.pinned for one in room.list(session)] == [True]
    room.pin(session, talk, False)
    assert not room.get(session, talk).pinned


def test_nothing_of_somebody_else_is_found_or_pinned(room: Conversations, session: Session) -> None:
    other = room.catalogue.owners.create("b" * 64)
    theirs = room.catalogue.conversations.create(session.id, "Theirs", other)
    room.catalogue.conversations.add_message(session.id, theirs.id, "user", "a secret tower")
    assert room.search(session, "tower") == []
    assert room.search(session, "theirs") == []
    assert room.catalogue.conversations.texts(session.id, session.viewer_id) == {}
    with pytest.raises(ConversationNotFound):
        room.pin(session, theirs.id, True)


def test_one_answer_is_exported_with_its_question(room: Conversations, session: Session) -> None:
    talk = said(room, session, "Two", "First?")
    messages = room.catalogue.conversations
    answer = Answer("First?", "In 1889 [1].", (PDF,))
    first = messages.add_message(session.id, talk, "assistant", answer.text, answer)
    asked = messages.add_message(session.id, talk, "user", "Second?")
    messages.add_message(session.id, talk, "assistant", "No.", Answer("Second?", "No."))
    text = room.export(session, talk, "markdown", first.id).decode()
    assert "## First?" in text
    assert "Second?" not in text
    for missing in (asked.id, 10**9):
        with pytest.raises(NotFound):
            room.export(session, talk, "markdown", missing)
