"""What PostgreSQL still holds of a document that was removed, and what Clean up takes out of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import CursorResult

from core.config import Settings
from core.service import Service
from core.storage.sql import postgresql as sql
from core.storage.vectors.pgvector import store
from tests.grown.server import Server
from tests.support.small_library import HashEmbedder, fill, opened, settled

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


def test_clean_up_makes_no_graph_while_everybody_waits(
    settings: Settings, postgresql: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GRAPH_FROM", 1)
    name, seen = settings.database_url.rpartition("/")[2], list[int]()

    def graphs() -> int:
        found = "SELECT count(*) FROM pg_class WHERE relkind = 'i' AND relname LIKE 'graph_%'"
        return int(postgresql.run(found, name)[0][0])

    def write_anew(run: Callable[[str], CursorResult[Any]]) -> None:
        seen.append(graphs())
        written_anew(run)

    written_anew = sql.write_anew
    monkeypatch.setattr(sql, "write_anew", write_anew)
    with opened(settings, HashEmbedder("one")) as service:
        fill(service)
        service.upkeep.tidy()
        assert graphs() == 1
        service.upkeep.run("vacuum")
        assert seen == [0]
        assert graphs() == 1


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
