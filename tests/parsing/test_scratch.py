"""What is put aside while a file is read: beside the data, swept, gone with its session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryUnusable, NotEnoughSpace
from core.parsing import sandbox
from core.parsing.sandbox import load_in_child
from core.service import Service
from core.types import DocumentState, Session
from tests.conftest import settled
from tests.parsing.files import written

pytestmark = [pytest.mark.F23, pytest.mark.F24, pytest.mark.F25]

SECRET = b"The code of the vault is 4711."


def files_in(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in folder.rglob("*")]


def test_the_child_writes_beside_the_data_and_nothing_stays(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Path] = []
    read_result = sandbox.read_result
    monkeypatch.setattr(
        sandbox, "read_result", lambda folder: (seen.append(folder), read_result(folder))[1]
    )
    source = written(tmp_path / "a.txt", SECRET)
    load_in_child(source, name="a.txt", settings=settings)
    load_in_child(source, name="a.txt", settings=settings, scratch=tmp_path / "own")
    assert [folder.parent for folder in seen] == [settings.scratch_dir, tmp_path / "own"]
    assert files_in(settings.scratch_dir, tmp_path / "own") == []


def test_a_session_has_its_own_which_goes_with_it(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Path] = []
    read_result = sandbox.read_result
    monkeypatch.setattr(
        sandbox, "read_result", lambda folder: (seen.append(folder), read_result(folder))[1]
    )
    service.documents.add_file(session, "a.txt", SECRET)
    assert settled(service, session)[0].state is DocumentState.READY
    (folder,) = seen
    assert folder.is_relative_to(service.settings.sessions_dir / session.id)
    written(folder.parent / "left", SECRET)  # as a kill leaves it
    service.sessions.delete(session)
    assert not (service.settings.sessions_dir / session.id).exists()


def test_what_a_kill_left_is_swept_at_the_start(settings: Settings) -> None:
    service = Service(settings)
    session = service.sessions.create(service.owners.for_token("somebody"), "Test")
    service.close()
    session_folder = service.settings.sessions_dir / session.id
    left = [
        settings.scratch_dir / "child-x" / "result.jsonl",
        settings.scratch_dir / "web-x" / "page.pdf",
        settings.scratch_dir / "spooled",
        session_folder / "scratch" / "child-x" / "result.jsonl",
        session_folder / "collected" / "source" / ".pairs-x" / "posts.db",
        session_folder / "collected" / "source" / "pairs.json.new",
        session_folder / "originals" / ".incoming-x",
    ]
    kept = session_folder / "collected" / "source" / "pairs.json"
    for path in [*left, kept]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(SECRET)
    service = Service(settings)
    assert service.wait_ready(60)
    service.close()
    assert [path for path in left if path.exists()] == []
    assert not left[0].parent.exists()
    assert kept.exists()


def test_a_full_disk_is_said_to_be_one(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import errno, runpy, sys; from core.parsing import wire\n"
        "def full(*a): raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "wire.write_document = full\n"
        "sys.argv = ['x']; runpy.run_module('core.parsing.child', run_name='__main__')"
    )
    monkeypatch.setattr(sandbox, "_COMMAND", (sandbox._COMMAND[0], "-P", "-c", code))
    with pytest.raises(NotEnoughSpace, match="disk is full") as caught:
        load_in_child(written(tmp_path / "a.txt", SECRET), name="a.txt", settings=settings)
    assert "damaged" not in f"{caught.value.message} {caught.value.cure}"


def test_a_folder_that_cannot_be_written_is_said_to_be_one(
    tmp_path: Path, settings: Settings
) -> None:
    source, no_folder = written(tmp_path / "a.txt", SECRET), written(tmp_path / "file", b"x")
    with pytest.raises(DataDirectoryUnusable):
        load_in_child(source, name="a.txt", settings=settings, scratch=no_folder / "scratch")


def test_nobody_else_on_the_machine_can_read_the_data(settings: Settings) -> None:
    before = os.umask(0o022)
    try:
        settings.data_dir.mkdir(parents=True, mode=0o755)
        service = Service(settings)
        session = service.sessions.create(service.owners.for_token("somebody"), "Test")
        service.documents.add_file(session, "a.txt", SECRET)
        assert settled(service, session)[0].state is DocumentState.READY
        service.close()
    finally:
        os.umask(before)
    folders = (settings.data_dir, settings.chroma_dir)
    found = [*folders, *files_in(*folders)]
    assert len(found) > 10
    assert [str(path) for path in found if path.stat().st_mode & 0o077] == []
