"""Places are found by their keys, whatever else the tables hold, on both kinds of databases."""

from __future__ import annotations

import sqlite3
from unittest.mock import Mock

import pytest
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql

from core.storage.catalogue import Catalogue
from core.storage.sql.places import chunks_at, texts_at
from tests.storage.made import store


def test_places_of_many_documents_in_any_order(catalogue: Catalogue, session_id: str) -> None:
    made = [store(catalogue, session_id, f"D{n}", [f"page {n}.0", f"page {n}.1"]) for n in range(9)]
    ids = [chunk.id for chunks in reversed(made) for chunk in chunks]
    assert catalogue.content.chunks_by_id(session_id, [*ids, "D1:77", "Z:0", "D1", ids[0]]) == {
        chunk.id: chunk for chunks in made for chunk in chunks
    }
    texts = catalogue.content.page_texts(session_id, [("D8", 1), ("D0", 0), ("D0", 7), ("Z", 0)])
    assert texts == {("D8", 1): "page 8.1", ("D0", 0): "page 0.0"}


def test_no_places(catalogue: Catalogue, session_id: str) -> None:
    assert catalogue.content.chunks_by_id(session_id, []) == {}
    assert catalogue.content.page_texts(session_id, []) == {}


def test_another_session_has_other_places(catalogue: Catalogue, session_id: str) -> None:
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Theirs").id
    mine = store(catalogue, session_id, "D", ["mine"])
    store(catalogue, other, "D", ["theirs"])
    assert catalogue.content.chunks_by_id(session_id, ["D:0"]) == {"D:0": mine[0]}
    assert catalogue.content.page_texts(other, [("D", 0)]) == {("D", 0): "theirs"}


@pytest.mark.sqlite
def test_no_table_is_read_from_end_to_end(catalogue: Catalogue, session_id: str) -> None:
    for number in range(5):
        store(catalogue, session_id, f"D{number}", ["one", "two"])
    run: list[str] = []
    plain = catalogue.database._engine
    with plain.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.set_trace_callback(run.append)
        chunks_at(connection, session_id, {("D1", 0), ("D3", 1)})
        texts_at(connection, session_id, {("D1", 0), ("D3", 1)})
        raw.set_trace_callback(None)
        asked = [sql for sql in run if sql.startswith("SELECT")]
        steps = [row[3] for sql in asked for row in raw.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert len(asked) == 3
    assert all(step.startswith(("SEARCH", "SCAN wanted")) for step in steps), steps


def test_postgresql_gets_the_places_as_json() -> None:
    connection = Mock(Connection)
    connection.dialect = postgresql.dialect()
    connection.execute.return_value.all.return_value = []
    assert texts_at(connection, "s", {("D", 1)}) == {}
    query = connection.execute.call_args.args[0].compile(dialect=postgresql.dialect())
    assert "json_array_elements" in str(query)
    assert query.params["places"] == '[["D", 1]]'
