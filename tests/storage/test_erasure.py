"""After a session is deleted, no byte of its text is on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.service import Service
from core.types import AskRequest, Session
from tests.conftest import answer_of, settled

pytestmark = pytest.mark.E11

SECRET = "Zwölfboxkämpfer-7f3a9c41d2e85b60-unique"


def holders(folder: Path, needle: str) -> list[Path]:
    """Files under `folder` whose raw bytes hold the needle, in UTF-8 or UTF-16."""
    forms = [needle.encode("utf-8"), needle.encode("utf-16-le"), needle.lower().encode("utf-8")]
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


def test_no_byte_is_left(service: Service, session: Session, tmp_path: Path) -> None:
    other = service.sessions.create(session.owner_id, "Other")
    service.documents.add_file(other, "kept.txt", b"This one stays where it is.")
    text = f"The code word is {SECRET}. Nobody else knows it."
    service.documents.add_file(session, f"{SECRET}.txt", text.encode())
    settled(service, session)
    settled(service, other)
    talk = service.conversations.create(session, f"What is {SECRET}?")
    list(service.ask(AskRequest(session, f"What is the code word {SECRET}?", talk.id)))
    assert holders(tmp_path, SECRET)
    service.sessions.delete(session)
    assert holders(tmp_path, SECRET) == []
    assert not (service.settings.sessions_dir / session.id).exists()
    assert "stays" in answer_of(service, other, "Which one stays where it is?").text


def test_a_removed_document_leaves_nothing(
    service: Service, session: Session, tmp_path: Path
) -> None:
    result = service.documents.add_file(session, "a.txt", f"The code word is {SECRET}.".encode())
    settled(service, session)
    assert result.document
    service.documents.remove(session, result.document.id)
    assert holders(tmp_path, SECRET) == []
