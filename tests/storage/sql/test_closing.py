"""A closed catalogue leaves no connection open, whatever still worked on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from core.config import Settings
from core.storage.sql.database import Database
from tests.conftest import eventually
from tests.grown.server import Server

pytestmark = pytest.mark.F28


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Database]:
    base = Database(Settings(data_dir=tmp_path / "data"))
    yield base
    base.close()


@pytest.mark.parametrize("begun", ["before", "after"])
def test_what_is_in_use_is_closed_when_it_is_given_back(base: Database, begun: str) -> None:
    if begun == "after":
        base.close()
    with base.reading() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        if begun == "before":
            base.close()
        assert connection.scalar(text("SELECT 1")) == 1
    with pytest.raises(Exception, match="closed"):
        driver.cursor()


@pytest.mark.grown
def test_a_lock_that_is_held_goes_with_its_connection(base: Database, postgresql: Server) -> None:
    with base.lock(1, "A"):
        base.close()
    locks = "SELECT count(*) FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()"
    name = Settings.model_fields["database_url"].default.rpartition("/")[2]
    assert eventually(lambda: postgresql.run(locks.format(name)) == [(0,)])


@pytest.mark.grown
def test_a_claim_that_was_given_back_is_not_taken_again(base: Database, tmp_path: Path) -> None:
    base.take()
    base.close()
    base.keep_claim()  # of the thread that looks after it
    other = Database(Settings(data_dir=tmp_path / "data"))
    try:
        other.take()
    finally:
        other.close()
