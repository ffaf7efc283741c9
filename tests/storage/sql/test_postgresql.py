"""The address of a PostgreSQL database, its driver, and its errors; servers: tests/grown."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, OperationalError

from core.config import Settings
from core.errors import DatabaseUnreachable, NotEnoughSpace, SettingsError
from core.storage.catalogue import Catalogue
from core.storage.sql.postgresql import is_postgresql, translated
from core.storage.sql.room import Overtaken

pytestmark = pytest.mark.F28


class OfTheDriver(Exception):
    """An error as psycopg raises it."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("text of the server")
        self.sqlstate = sqlstate


@pytest.mark.parametrize("scheme", ["postgresql", "postgresql+psycopg", "postgres"])
def test_a_missing_driver_is_named_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    settings = Settings(data_dir=tmp_path, database_url=f"{scheme}://x@127.0.0.1/y")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(SettingsError, match="driver") as caught:
            Catalogue(settings)
    assert "pip install -r requirements-grown.txt" in caught.value.cure
    assert "footnote[grown]" in caught.value.cure


@pytest.mark.parametrize("scheme", ["postgresql+psycopg2", "postgresql+asyncpg"])
def test_another_driver_is_refused(tmp_path: Path, scheme: str) -> None:
    with pytest.raises(SettingsError, match=r"begin with postgresql\+psycopg://"):
        Catalogue(Settings(data_dir=tmp_path, database_url=f"{scheme}://x@127.0.0.1/y"))


def test_another_kind_of_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PostgreSQL database, or an SQLite file"):
        Catalogue(Settings(data_dir=tmp_path, database_url="mysql://x@127.0.0.1/y"))


def test_which_addresses_are_postgresql() -> None:
    assert is_postgresql(make_url("postgres://x/y"))
    assert is_postgresql(make_url("postgresql+psycopg://x/y"))
    assert not is_postgresql(make_url("sqlite:///file.db"))


@pytest.mark.parametrize("state", ["40001", "40P01", "23505", "23503"])
def test_a_transaction_in_the_way_is_a_reason_to_try_again(state: str) -> None:
    found = translated(IntegrityError("INSERT", {}, OfTheDriver(state)))
    assert isinstance(found, Overtaken)
    assert found.seconds > 0
    assert "server" not in found.message


@pytest.mark.parametrize("state", [None, "08006", "57P01", "57P02", "57P03", "53300"])
def test_a_server_that_is_away_is_said(state: str | None) -> None:
    found = translated(OperationalError("SELECT", {}, OfTheDriver(state)))
    assert type(found) is DatabaseUnreachable
    assert "DATABASE_URL" in found.cure


def test_a_connection_that_broke_is_said() -> None:
    broken = OperationalError("SELECT", {}, OfTheDriver("XX000"), connection_invalidated=True)
    assert type(translated(broken)) is DatabaseUnreachable


def test_a_full_disk_is_said() -> None:
    full = OperationalError("INSERT", {}, OfTheDriver("53100"))
    assert type(translated(full)) is NotEnoughSpace


def test_errors_of_others_are_left_to_them() -> None:
    assert translated(OperationalError("SELECT", {}, sqlite3.OperationalError("locked"))) is None
    assert translated(IntegrityError("INSERT", {}, OfTheDriver("23502"))) is None
    assert translated(sqlite3.OperationalError("locked")) is None
