"""The tests of the catalogue and the service over PostgreSQL: `pytest -p tests.grown.postgresql`.

Each test has an empty database. It is the default of `database_url`, and what `DATABASE_URL` names
for processes that a test starts, so whatever settings a test makes lead there. What is about the
SQLite file itself has the marker `sqlite` and is left out. An object store is there as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from core.config import Settings
from tests.grown.objects import Objects, objects
from tests.grown.server import Server, running

_numbers = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A server for all tests of a process."""
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def database(postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty database, in `DATABASE_URL`."""
    name = f"test_{next(_numbers)}"
    url = postgresql.database(name)
    monkeypatch.setenv("DATABASE_URL", url)
    _lead_to(url)
    yield url
    _lead_to("")
    postgresql.drop(name)


@pytest.fixture(scope="session")
def object_store() -> Iterator[Objects]:
    """An object store for all tests of a process that want one."""
    with objects() as server:
        yield server


@pytest.fixture
def bucket(object_store: Objects, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty bucket, to which the environment leads."""
    for name, value in object_store.environment.items():
        monkeypatch.setenv(name, value)
    return object_store.made(f"bucket-{next(_numbers)}")


def _lead_to(url: str) -> None:
    Settings.model_fields["database_url"].default = url
    Settings.model_rebuild(force=True)
