"""What PostgreSQL still holds of a document that was removed, and what Clean up takes out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.service import Service
from tests.grown.server import Server
from tests.support.small_library import HashEmbedder, opened, settled

pytestmark = [pytest.mark.grown, pytest.mark.E15, pytest.mark.F28]

SECRET = "zanzibarite"


def holding(folder: Path) -> bool:
    return any(SECRET.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_tables_hold_it_until_clean_up_and_the_log_longer(
    settings: Settings, postgresql: Server
) -> None:
    data = postgresql.folder / "data"
    name = settings.database_url.rpartition("/")[2]
    with opened(settings, HashEmbedder("one")) as service:
        add_and_remove(service)
        of_table = f"SELECT oid FROM pg_database WHERE datname = '{name}'"
        ((number,),) = postgresql.run(of_table)
        tables = data / "base" / str(number)
        postgresql.run("CHECKPOINT")
        assert holding(tables)
        assert service.catalogue.database.erased(), "says nothing of PostgreSQL"
        state = service.upkeep.run("vacuum")
        assert "tables in PostgreSQL" in state.lines[0]
        assert "write-ahead log" in state.lines[0]
        postgresql.run("CHECKPOINT")
        assert not holding(tables)
        assert holding(data / "pg_wal")


def add_and_remove(service: Service) -> None:
    """A document that says the word in its name and text, known to the statistics too."""
    session = service.sessions.create(service.owners.for_token("somebody"), "Mine")
    for file_name, text in ((f"{SECRET}.txt", f"The {SECRET} is green. "), ("b.txt", "Bread.")):
        service.documents.add_file(session, file_name, (text * 300).encode())
    first, second = settled(service, session)
    with service.catalogue.database.plainly() as run:
        run("ANALYZE")
    service.documents.remove(session, first.id)
    assert service.documents.list(session) == [second]
