"""A whole library of an earlier version opens in this one: asked, cited, shared, deleted.

`make_library.py` writes these files: stores, originals and both indexes, as the version left them.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SessionNotFound
from core.service import Service
from core.storage.sql.schema import SCHEMA_VERSION
from core.types import Role
from tests.conftest import answer_of, settings_in
from tests.support.small_library import FACTS, QUESTIONS, troubles
from tests.upgrade.make_library import FOLDER, QUESTION

pytestmark = pytest.mark.F17

LIBRARIES = sorted(FOLDER.glob("library-*.zip"))


@pytest.fixture(params=LIBRARIES, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    """The service on a library of an earlier version."""
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(tmp_path)
    service = Service(settings_in(tmp_path))
    try:
        assert service.wait_ready(120)
        yield service
    finally:
        service.close()


def test_the_libraries_are_of_earlier_versions_and_small() -> None:
    """A version that was released is left behind with one, made by `make_library.py`."""
    versions = [int(path.stem.removeprefix("library-")) for path in LIBRARIES]
    assert min(versions) == 6
    assert max(versions) < SCHEMA_VERSION
    assert all(path.stat().st_size < 1_000_000 for path in LIBRARIES)


def test_it_is_asked_cited_shared_and_deleted(old: Service, tmp_path: Path) -> None:
    owner = old.owners.for_token("somebody")
    (session,) = old.sessions.list(owner)
    documents = {document.name: document for document in old.documents.list(session)}
    assert set(documents) == set(FACTS)
    assert troubles(old) == []
    for name, question in QUESTIONS.items():
        answer = answer_of(old, session, question)
        assert answer.citations[0].label == name
        evidence = old.documents.evidence(session, answer.citations[0])
        assert answer.citations[0].quote in evidence.page_text
    (talk,) = old.conversations.list(session)
    kept = old.conversations.messages(session, talk.id)[-1].answer
    assert kept is not None
    assert kept.question == QUESTION
    assert "Ida Holm" in kept.citations[0].quote
    assert [key.name for key in old.keys.list(owner)] == ["old key"]
    (golden,) = old.evaluations.sets(session)
    assert [i.answers for i in old.evaluations.items(session, golden.id)] == [("Ida Holm",)]

    nils = old.owners.for_token("nils")
    assert old.sessions.get(nils, session.id).role is Role.READER, "what was shared stays shared"
    members = {member.email: member.accepted for member in old.people.members(session)}
    assert members == {"eva@example.org": False, "nils@example.org": True}
    with pytest.raises(SessionNotFound):
        old.sessions.get(old.owners.for_token("eva"), session.id)

    old.documents.remove(session, documents["lighthouse.txt"].id)
    assert "Ida Holm" not in answer_of(old, session, QUESTION).text
    old.sessions.delete(session)
    assert old.sessions.list(owner) == []
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not any(text.encode() in left for text in FACTS.values())
