"""Of two processes on one database the second does not start, until the first one has ended."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryInUse
from core.storage.stores import Stores, open_stores
from tests.conftest import ROOT, eventually, settings_in
from tests.grown.server import Server, running

pytestmark = [pytest.mark.grown, pytest.mark.F04]

HELD = """
import sys, time
from pathlib import Path
from core.storage.stores import open_stores
from tests.conftest import settings_in
stores = open_stores(settings_in(Path(sys.argv[1]), database_url=sys.argv[2]))
print("taken", flush=True)
time.sleep(300)
"""


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that only this test uses."""
    with running() as server:
        yield server


def opens(settings: Settings) -> bool:
    try:
        open_stores(settings).close()
    except DataDirectoryInUse:
        return False
    return True


def test_the_second_is_refused_until_the_first_is_killed(tmp_path: Path, database: str) -> None:
    command = [sys.executable, "-c", HELD, str(tmp_path / "first"), database]
    first = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "taken\n"
        with pytest.raises(DataDirectoryInUse, match="DATABASE_URL") as caught:
            open_stores(settings_in(tmp_path / "second", database_url=database))
        assert "a database of its own" in caught.value.cure
    finally:
        first.kill()
        first.communicate()
    assert eventually(lambda: opens(settings_in(tmp_path / "second", database_url=database)))


def test_who_closes_gives_the_database_back(tmp_path: Path) -> None:
    assert opens(settings_in(tmp_path / "first"))
    assert opens(settings_in(tmp_path / "second"))


def works(stores: Stores) -> bool:
    try:
        stores.catalogue.sessions.ids()
    except DataDirectoryInUse:
        return False
    return True


@pytest.mark.parametrize("another", [False, True])
def test_after_the_server_was_away_the_database_is_taken_again(
    own: Server, tmp_path: Path, another: bool
) -> None:
    """Another process may have been first; then this one does nothing more."""
    url = own.database("library")
    first = open_stores(settings_in(tmp_path / "first", database_url=url))
    second = None
    try:
        own.stop(signal.SIGQUIT)
        with pytest.raises(Exception, match="does not answer"):
            first.catalogue.sessions.ids()
        own.start()
        if another:
            second = open_stores(settings_in(tmp_path / "second", database_url=url))
        assert works(first) is not another
        assert first.catalogue.database.is_reachable is not another
        assert opens(settings_in(tmp_path / "third", database_url=url)) is False
    finally:
        first.close()
        if second is not None:
            second.close()
