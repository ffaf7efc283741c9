"""Chunks and page texts found by where they are: many places in one statement, each by its key.

SQLite reads a table from end to end for `(a, b) IN (...)`. So the places travel as one JSON value
and are joined with the tables; the outer joins keep the order in which SQLite must go.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, TypeAlias

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Integer,
    String,
    and_,
    bindparam,
    cast,
    func,
    select,
)
from sqlalchemy.sql.selectable import FromClause

from core.storage.sql.rows import chunk_of
from core.storage.sql.schema import chunks, documents, pages
from core.types import Chunk

Place: TypeAlias = tuple[str, int]
"""The id of a document, and the ordinal of a chunk or page of it."""
CHUNK = tuple(column for column in chunks.c if column.name != "document_key")
"""What `chunk_of` takes, after the document's id."""


def chunks_at(connection: Connection, session_id: str, places: Collection[Place]) -> list[Chunk]:
    """The chunks of the session at these places; places without one are left out."""
    wanted, name, ordinal = _wanted(connection, sorted(places))
    query = (
        select(documents.c.key, documents.c.id, *CHUNK)
        .select_from(wanted)
        .outerjoin(documents, and_(documents.c.session_id == session_id, documents.c.id == name))
        .outerjoin(
            chunks, and_(chunks.c.document_key == documents.c.key, chunks.c.ordinal == ordinal)
        )
    )
    rows = [tuple(row) for row in connection.execute(query).all() if row[2] is not None]
    texts = _texts_by_key(connection, {(row[0], row[3]) for row in rows})
    return [chunk_of(row[1:], texts[row[0]]) for row in rows]


def texts_at(
    connection: Connection, session_id: str, places: Collection[Place]
) -> dict[Place, str]:
    """The text of each page that exists."""
    wanted, name, ordinal = _wanted(connection, sorted(places))
    query = (
        select(documents.c.id, pages.c.ordinal, pages.c.text)
        .select_from(wanted)
        .outerjoin(documents, and_(documents.c.session_id == session_id, documents.c.id == name))
        .outerjoin(pages, and_(pages.c.document_key == documents.c.key, pages.c.ordinal == ordinal))
    )
    rows = connection.execute(query).all()
    return {(document_id, at): text for document_id, at, text in rows if text is not None}


def _texts_by_key(
    connection: Connection, places: set[tuple[int, int]]
) -> dict[int, dict[int, str]]:
    """The texts of the pages at these keys and ordinals."""
    wanted, first, ordinal = _wanted(connection, sorted(places))
    query = (
        select(pages.c.document_key, pages.c.ordinal, pages.c.text)
        .select_from(wanted)
        .outerjoin(
            pages,
            and_(pages.c.document_key == cast(first, Integer), pages.c.ordinal == ordinal),
        )
    )
    texts: dict[int, dict[int, str]] = {}
    for key, at, text in connection.execute(query).all():
        texts.setdefault(key, {})[at] = text
    return texts


def _wanted(
    connection: Connection, places: list[Any]
) -> tuple[FromClause, ColumnElement[Any], ColumnElement[int]]:
    """The places as rows, with their two columns."""
    given = bindparam("places", json.dumps(places), type_=String)
    if connection.dialect.name == "sqlite":
        rows = func.json_each(given).table_valued("value", name="wanted")
        value = rows.c.value
        return rows, func.json_extract(value, "$[0]"), func.json_extract(value, "$[1]")
    rows = func.json_array_elements(cast(given, JSON)).table_valued("value", name="wanted")
    value = rows.c.value
    return rows, value.op("->>")(0), cast(value.op("->>")(1), Integer)
