"""A backup, taken also while documents come in, restores to a library that is whole."""

from __future__ import annotations

import errno
import json
import shutil
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from core.config import Settings
from core.errors import IndexUnreachable, InvalidRequest, NotEnoughSpace
from core.maintenance.__main__ import main
from core.maintenance.backup import back_up_running, restore
from tests.conftest import settled
from tests.maintenance.test_rebuild import as_environment
from tests.support.small_library import HashEmbedder, all_found, fill, opened, the_session, troubles

pytestmark = pytest.mark.F19

MODEL = HashEmbedder("model")


def quiet(done: int, total: int) -> None:
    """Nobody looks."""


def elsewhere(settings: Settings, folder: Path) -> Settings:
    """The same settings for another data directory."""
    places = {"data_dir": folder / "data", "chroma_dir": folder / "chroma"}
    return settings.model_copy(update=places)


@pytest.mark.timeout(300)
def test_taken_while_documents_come_in(settings: Settings, tmp_path: Path) -> None:
    with opened(settings, MODEL) as service:
        session = fill(service)
        ended = threading.Event()

        def add() -> None:
            for number in range(30):
                service.documents.add_file(
                    session, f"more-{number}.txt", f"More of {number}.".encode()
                )
            ended.set()

        thread = threading.Thread(target=add)
        thread.start()
        backups = [back_up_running(settings, tmp_path / f"b{n}", quiet) for n in range(3)]
        assert "Backed up to" in backups[0][0]
        service.upkeep.run("backup", tmp_path / "inside")
        thread.join()
        assert ended.is_set()
        settled(service, session, 180)
    for number, folder in enumerate([*tmp_path.glob("b?/*"), *tmp_path.glob("inside/*")]):
        new = elsewhere(settings, tmp_path / f"restored-{number}")
        new.data_dir.mkdir(parents=True)
        restore(new, folder, replace=False, progress=quiet)
        with opened(new, MODEL) as service:
            session = the_session(service)
            settled(service, session)
            assert all_found(service, session)
            assert troubles(service) == []


def test_an_upload_that_is_put_in_its_place_meanwhile_does_not_stop_it(
    settings: Settings, tmp_path: Path
) -> None:
    with opened(settings, MODEL) as service:
        folder = (service.settings.sessions_dir / fill(service).id) / "originals"
        (folder / ".incoming-moved").symlink_to(folder / "gone")  # listed, and then not there
        assert "Backed up to" in back_up_running(settings, tmp_path / "b", quiet)[0]


def test_nothing_is_overwritten_unasked(settings: Settings, tmp_path: Path) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    back_up_running(settings, tmp_path / "b", quiet)
    (folder,) = (tmp_path / "b").iterdir()
    with opened(settings, MODEL) as service:
        kept = service.sessions.create(service.owners.for_token("somebody else"), "Newer")
    with pytest.raises(InvalidRequest, match="already is a library"):
        restore(settings, folder, replace=False, progress=quiet)
    said = restore(settings, folder, replace=True, progress=quiet)
    assert "What was there is in" in said[1]
    with opened(settings, MODEL) as service:
        assert all_found(service, the_session(service))
        assert kept.id not in service.catalogue.sessions.ids()


def test_indexes_that_cannot_be_emptied_are_met_before_anything_is_changed(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    back_up_running(settings, tmp_path / "b", quiet)
    (folder,) = (tmp_path / "b").iterdir()
    before = {path.name for path in settings.data_dir.iterdir()}
    away = Mock(remove_files=Mock(side_effect=IndexUnreachable("It does not answer.")))
    with monkeypatch.context() as patch:
        patch.setattr("core.maintenance.backup.vector_adapter", lambda _: away)
        with pytest.raises(IndexUnreachable):
            restore(settings, folder, replace=True, progress=quiet)
    assert {path.name for path in settings.data_dir.iterdir()} == before
    restore(settings, folder, replace=True, progress=quiet)


@pytest.mark.parametrize("harm", ["damaged", "missing", "foreign path", "no list"])
def test_only_a_whole_backup_is_restored(settings: Settings, tmp_path: Path, harm: str) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    back_up_running(settings, tmp_path / "b", quiet)
    (folder,) = (tmp_path / "b").iterdir()
    original = next(folder.glob("sessions/*/originals/*"))
    manifest = folder / "manifest.json"
    if harm == "damaged":
        original.write_bytes(b"something else")
    elif harm == "missing":
        original.unlink()
    elif harm == "foreign path":
        listed = json.loads(manifest.read_text())
        listed["files"]["../../evil"] = "0" * 64
        manifest.write_text(json.dumps(listed))
    else:
        manifest.unlink()
    new = elsewhere(settings, tmp_path / "new")
    new.data_dir.mkdir(parents=True)
    with pytest.raises(InvalidRequest):
        restore(new, folder, replace=True, progress=quiet)
    assert list(new.data_dir.iterdir()) == []


def test_no_room_for_a_backup(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    starved = settings.model_copy(update={"min_free_mb": 10**9})
    with pytest.raises(NotEnoughSpace):
        back_up_running(starved, tmp_path / "b", quiet)
    assert not (tmp_path / "b").exists()


def test_from_a_shell(
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    as_environment(monkeypatch, settings)
    assert main(["backup", str(tmp_path / "b")]) == 2
    assert "There is no library" in capsys.readouterr().err
    with opened(settings, MODEL) as service:
        fill(service)
        assert main(["backup", str(tmp_path / "b")]) == 0  # also while it runs
        (folder,) = (tmp_path / "b").iterdir()
        assert main(["restore", str(folder)]) == 2
    assert main(["restore", str(folder)]) == 2
    assert main(["restore", "--replace", str(folder)]) == 0
    assert main(["vacuum"]) == 0
    with opened(settings, MODEL) as service:
        assert all_found(service, the_session(service))


@pytest.mark.F27
@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_disk_that_runs_full_while_restoring_changes_nothing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    back_up_running(settings, tmp_path / "b", quiet)
    (folder,) = (tmp_path / "b").iterdir()
    with opened(settings, MODEL) as service:
        kept = service.sessions.create(service.owners.for_token("somebody else"), "Newer")
    before = {path.name for path in settings.data_dir.iterdir()}
    with monkeypatch.context() as patch:
        full_at_call(patch, at)
        with pytest.raises(
            NotEnoughSpace, match="Restoring the backup failed: the disk is full"
        ) as e:
            restore(settings, folder, replace=True, progress=quiet)
    assert e.value.cure == "Free some space on that disk, then begin again. Nothing was changed."
    assert {path.name for path in settings.data_dir.iterdir()} == before
    with opened(settings, MODEL) as service:
        assert kept.id in service.catalogue.sessions.ids()
        assert all_found(service, the_session(service))
    restore(settings, folder, replace=True, progress=quiet)
    with opened(settings, MODEL) as service:
        assert all_found(service, the_session(service))
        assert kept.id not in service.catalogue.sessions.ids()
    assert not (settings.data_dir / "restoring").exists()


def full_at_call(patch: pytest.MonkeyPatch, at: int) -> None:
    """Let the disk be full when a file is copied for the so-and-so-many-th time."""
    copyfile, count = shutil.copyfile, [0]

    def copied(source: Any, target: Any) -> Any:
        count[0] += 1
        if count[0] == at:
            Path(target).write_bytes(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        return copyfile(source, target)

    patch.setattr(shutil, "copyfile", copied)


@pytest.mark.F27
def test_a_disk_that_runs_full_while_backing_up_leaves_nothing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(settings, MODEL) as service:
        fill(service)
    for full in (OSError(errno.ENOSPC, "full"), NotEnoughSpace("Writing to DATA_DIR failed.")):

        def fails(*_: object, error: Exception = full) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr("core.maintenance.backup._copy_originals", fails)
            with pytest.raises(NotEnoughSpace, match="Writing the backup failed") as e:
                back_up_running(settings, tmp_path / "b", quiet)
        assert "Free some space on that disk" in e.value.cure
        assert list((tmp_path / "b").iterdir()) == []
