"""A backup of a library in PostgreSQL, taken while documents come in, restores to either form."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryInUse, InvalidRequest
from core.maintenance.backup import back_up_running, restore
from tests.conftest import settled
from tests.grown.server import Server
from tests.maintenance.test_backup import MODEL, elsewhere, quiet
from tests.support.small_library import all_found, fill, opened, the_session, troubles

pytestmark = [pytest.mark.grown, pytest.mark.F19]


@pytest.fixture
def empty(settings: Settings, tmp_path: Path, postgresql: Server) -> Settings:
    """Another data directory, and another database."""
    name = settings.database_url.rpartition("/")[2] + "_restored"
    there = elsewhere(settings, tmp_path / "restored")
    there.data_dir.mkdir(parents=True)
    return there.model_copy(update={"database_url": postgresql.database(name)})


@pytest.fixture
def backup(settings: Settings, tmp_path: Path) -> Path:
    """A backup that was taken in the middle of something."""
    with opened(settings, MODEL) as service:
        session = fill(service)
        begun = threading.Event()

        def add() -> None:
            for number in range(30):
                name, text = f"more-{number}.txt", f"More of {number}.".encode()
                service.documents.add_file(session, name, text)
                if number == 5:
                    begun.set()

        thread = threading.Thread(target=add)
        thread.start()
        assert begun.wait(30)
        lines = back_up_running(settings, tmp_path / "backups", quiet)
        assert "Backed up to" in lines[0]
        thread.join()
        settled(service, session, 180)
    (found,) = (tmp_path / "backups").iterdir()
    return found


def is_whole(settings: Settings) -> bool:
    with opened(settings, MODEL) as service:
        session = the_session(service)
        documents = settled(service, session, 180)
        return all_found(service, session) and troubles(service) == [] and len(documents) >= 9


def test_to_another_database_and_to_the_disk(
    backup: Path, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    restore(empty, backup, replace=False, progress=quiet)
    assert is_whole(empty)
    on_disk = elsewhere(settings, tmp_path / "disk").model_copy(update={"database_url": ""})
    on_disk.data_dir.mkdir(parents=True)
    restore(on_disk, backup, replace=False, progress=quiet)
    assert is_whole(on_disk)
    again = back_up_running(on_disk, tmp_path / "again", quiet)
    assert "Backed up" in again[0]


def test_a_database_that_is_not_empty_stays_as_it_is(
    backup: Path, settings: Settings, empty: Settings
) -> None:
    there = empty.model_copy(update={"database_url": settings.database_url})
    with pytest.raises(InvalidRequest, match="already is a library in the database"):
        restore(there, backup, replace=True, progress=quiet)
    assert not list(there.data_dir.iterdir())
    with opened(settings, MODEL), pytest.raises(DataDirectoryInUse):
        restore(there, backup, replace=True, progress=quiet)
