"""Too large, too many, or lying about it: refused in words, and nothing stays on the disk."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.service import Service
from tests.api.server import Person, World, api_settings

pytestmark = pytest.mark.C19

MB = 1_000_000


def on_disk(world: World) -> set[Path]:
    """The files in the data directory, without the database's."""
    return {p for p in world.service.settings.data_dir.rglob("*") if "library.db" not in p.name}


def upload(person: Person, files: list[tuple[str, bytes]]) -> tuple[int, str]:
    """Status and text of an upload into the person's session."""
    form = {"session_id": person.session_id}
    answer = person.client.post(
        "/ingest-files/", files=[("files", file) for file in files], data=form
    )
    return answer.status_code, answer.text


def test_one_byte_too_many(world: World, ida: Person) -> None:
    before = on_disk(world)
    status, text = upload(ida, [("fits.txt", b"It fits."), ("large.txt", b"x" * (2 * MB + 1))])
    assert status == 413
    assert "2 MB" in text
    assert on_disk(world) == before  # neither of the two
    assert "fits.txt" not in str(ida.client.get(f"/sessions/{ida.session_id}/documents").json())


def test_all_files_together_are_too_much(world: World, ida: Person) -> None:
    before = on_disk(world)
    status, text = upload(ida, [(f"{n}.txt", b"x" * (2 * MB)) for n in range(3)])
    assert status == 413
    assert "5 MB" in text
    assert on_disk(world) == before


def test_five_hundred_files(world: World, ida: Person) -> None:
    before = on_disk(world)
    status, text = upload(ida, [(f"{n}.txt", b"Text.") for n in range(500)])
    assert status == 413
    assert "25 files" in text
    assert on_disk(world) == before


def test_a_body_without_a_length_is_counted(world: World, ida: Person) -> None:
    def body() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
        for _ in range(100):
            yield b"x" * 100_000

    before = on_disk(world)
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    answer = ida.client.post("/ingest-files/", content=body(), headers=headers)
    assert answer.status_code == 413
    assert on_disk(world) == before


@pytest.mark.parametrize("length", ["-1", "99999999999999999999999999", "1e3", "+5", ""])
def test_a_length_that_is_none_is_refused(world: World, ida: Person, length: str) -> None:
    address = world.url.removeprefix("http://").split(":")
    with socket.create_connection((address[0], int(address[1])), timeout=20) as sock:
        sock.sendall(
            b"POST /api/ingest-files/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Authorization: Bearer " + ida.key.encode() + b"\r\n"
            b"Content-Type: multipart/form-data; boundary=b\r\n"
            b"Content-Length: " + length.encode() + b"\r\nConnection: close\r\n\r\n--b--\r\n"
        )
        status = sock.makefile("rb").readline().split()
    assert status[1] in (b"400", b"413")


def test_a_question_of_megabytes(ida: Person) -> None:
    body = {"session_id": ida.session_id, "question": "x" * 5 * MB}
    answer = ida.client.post("/query", json=body)
    assert answer.status_code == 413
    assert answer.json()["cure"]


def test_more_documents_than_a_session_may_hold(tmp_path: Path) -> None:
    service = Service(api_settings(tmp_path, max_files=1), background=False)
    session = service.sessions.create(service.owners.local(), "Full")
    first = service.documents.add_file(session, "a.txt", b"The first.")
    second = service.documents.add_file(session, "b.txt", b"The second.")
    service.close()
    assert first.outcome == "accepted"
    assert second.outcome == "failed"
    assert "1 documents" in second.reason
    assert second.cure
