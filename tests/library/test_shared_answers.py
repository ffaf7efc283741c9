"""One answer shown to everybody in the session, and nothing else of its conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from core.config import Settings
from core.errors import ConversationNotFound, NotAllowed, NotFound, SessionNotFound
from core.ids import new_id
from core.library.conversations import Conversations
from core.library.shared_answers import SharedAnswers
from core.planning.rules import plan_by_rule
from core.storage.catalogue import Catalogue
from core.storage.sql.schema import shared_answers
from core.types import (
    Abstention,
    Answer,
    Evidence,
    Message,
    QueryPlan,
    Role,
    SearchResult,
    Session,
)
from tests.answering.exports import material

pytestmark = pytest.mark.E08

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
PDF = replace(material.PDF, document_id="d" * 64)
BEFORE = "What is the secret dossier?"
QUESTION = "How does it work?"
SEARCHED = SearchResult(QueryPlan(QUESTION, f"{BEFORE} {QUESTION}", (BEFORE,)), ())


@dataclass(frozen=True)
class World:
    """Ida's session with a member of each role; the conversation is a reader's."""

    catalogue: Catalogue
    shared: SharedAnswers
    ida: Session
    members: dict[Role, Session]
    author: Session
    talk: str
    message: int

    def share(self) -> str:
        return self.shared.share(self.author, self.talk, self.message).id


@pytest.fixture
def world(settings: Settings) -> Iterator[World]:
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(person(catalogue, "ida"), "Reports").id
    ida = seen_by(catalogue, session_id, "ida")
    members = {}
    for name, role in (("nils", Role.READER), *((str(role), role) for role in Role)):
        owner = person(catalogue, name)
        catalogue.sharing.set_member(session_id, f"{name}@example.org", role)
        assert catalogue.sharing.accept(owner, session_id)
        members[role] = seen_by(catalogue, session_id, name)
    nils = seen_by(catalogue, session_id, "nils")
    talk = catalogue.conversations.create(session_id, BEFORE, nils.viewer_id).id
    said = catalogue.conversations.add_message
    said(session_id, talk, "user", BEFORE)
    said(session_id, talk, "assistant", "Nothing.", Answer(BEFORE, "Nothing."))
    said(session_id, talk, "user", QUESTION)
    before = [Message(1, "user", BEFORE, WHEN), Message(2, "assistant", "Nothing.", WHEN)]
    back = plan_by_rule(QUESTION, before)
    assert "dossier" in repr(back.notices)
    answer = Answer(
        QUESTION, "In 1889 [1].", (PDF,), search=SEARCHED, prompt=f"{BEFORE} ...",
        notices=back.notices, abstention=Abstention("Nothing says.", 1, 1, back.queries),
    )  # fmt: skip
    message = said(session_id, talk, "assistant", answer.text, answer).id
    yield World(catalogue, SharedAnswers(catalogue), ida, members, nils, talk, message)
    catalogue.close()


def person(catalogue: Catalogue, name: str) -> str:
    """Somebody who has signed in."""
    owner = catalogue.owners.create(name.ljust(64, "-"))
    catalogue.owners.sign_in(owner, name.capitalize(), f"{name}@example.org")
    return owner


def seen_by(catalogue: Catalogue, session_id: str, name: str) -> Session:
    """The session in the hands of somebody."""
    owner = catalogue.owners.find(name.ljust(64, "-"))
    assert owner
    found = catalogue.sessions.get(owner, session_id)
    assert found
    return found


def exported(world: World) -> list[dict[str, object]]:
    """The messages of the conversation in its JSON."""
    room = Conversations(world.catalogue, lambda session, citation: Evidence(citation, ""))
    data = json.loads(room.export(world.author, world.talk, "json"))
    return list(data["messages"])


@pytest.mark.parametrize("role", list(Role))
def test_everybody_in_the_session_reads_the_answer_with_its_sources(
    world: World, role: Role
) -> None:
    shared_id = world.share()
    seen = world.shared.get(world.members[role], shared_id)
    assert (seen.question, seen.shared_by, seen.mine) == (QUESTION, "Nils", False)
    assert seen.answer
    assert (seen.answer.text, seen.answer.citations) == ("In 1889 [1].", (PDF,))
    (listed,) = world.shared.list(world.members[role])
    assert listed == replace(seen, answer=None)
    assert world.shared.get(world.author, shared_id).mine


def test_nothing_else_of_the_conversation_goes_with_it(world: World) -> None:
    shared_id = world.share()
    assert "dossier" not in repr(world.shared.get(world.ida, shared_id))
    assert "dossier" not in repr(world.shared.list(world.ida))


def test_only_the_author_shares(world: World) -> None:
    for session in (world.ida, *world.members.values()):
        with pytest.raises(ConversationNotFound):
            world.shared.share(session, world.talk, world.message)
    for missing in (world.message - 1, 10**9):  # a question, and nothing
        with pytest.raises(NotFound):
            world.shared.share(world.author, world.talk, missing)
    other = world.catalogue.conversations.create(world.ida.id, "Other", world.author.viewer_id)
    with pytest.raises(NotFound):
        world.shared.share(world.author, other.id, world.message)
    assert world.shared.list(world.ida) == []


def test_it_keeps_its_id(world: World) -> None:
    assert world.share() == world.share()
    assert len(world.shared.list(world.ida)) == 1


def test_the_author_and_an_admin_end_it(world: World) -> None:
    for role in (Role.READER, Role.EDITOR):
        shared_id = world.share()
        with pytest.raises(NotAllowed):
            world.shared.end(world.members[role], shared_id)
        assert world.shared.get(world.ida, shared_id)
    for session in (world.author, world.members[Role.ADMIN], world.ida):
        shared_id = world.share()
        world.shared.end(session, shared_id)
        with pytest.raises(NotFound):
            world.shared.get(world.author, shared_id)
        assert world.shared.list(world.ida) == []
    assert len(world.catalogue.conversations.messages(world.ida.id, world.talk)) == 4


def test_a_stranger_and_a_former_member_see_nothing(world: World) -> None:
    shared_id = world.share()
    stranger = world.catalogue.sessions.create(person(world.catalogue, "eva"), "Eva's")
    for missing in (shared_id, new_id(), "x"):
        with pytest.raises(NotFound):
            world.shared.get(stranger, missing)
    assert world.shared.list(stranger) == []
    with pytest.raises(NotFound):
        world.shared.end(stranger, shared_id)
    world.catalogue.sharing.remove_member(world.ida.id, "editor@example.org")
    with pytest.raises(SessionNotFound):
        world.shared.get(world.members[Role.EDITOR], shared_id)


def test_it_ends_with_its_conversation(world: World) -> None:
    shared_id = world.share()
    world.catalogue.conversations.delete(world.ida.id, world.talk)
    with pytest.raises(NotFound):
        world.shared.get(world.ida, shared_id)
    assert world.shared.list(world.ida) == []
    count = select(func.count()).select_from(shared_answers)
    assert world.catalogue.database.read(lambda c: c.scalar(count)) == 0, "the question is gone"


def test_it_ends_where_the_answer_is_erased_with_a_document(world: World) -> None:
    shared_id = world.share()
    assert world.catalogue.conversations.erase_quotes(world.ida.id, PDF.document_id) == 1
    with pytest.raises(NotFound):
        world.shared.get(world.ida, shared_id)
    assert [bool(one["shared"]) for one in exported(world) if "shared" in one] == [False, False]


def test_an_export_says_what_is_shared(world: World) -> None:
    assert [one["shared"] for one in exported(world) if "shared" in one] == [False, False]
    world.share()
    assert [one["shared"] for one in exported(world) if "shared" in one] == [False, True]
