"""The vectors of all sessions in PostgreSQL, in the database of the catalogue.

A session's vectors are compared one by one, which finds exactly the nearest; a session of many gets
a graph (HNSW) of its own. One graph for all sessions would find little in the small ones.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Column as SqlColumn
from sqlalchemy import (
    ColumnElement,
    Integer,
    MetaData,
    String,
    Table,
    Uuid,
    and_,
    cast,
    delete,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import Float, UserDefinedType

from core.errors import IndexDamaged, ModelChanged, StorageError
from core.ids import checked_index, checked_uuid, cut_of_index, session_of_index
from core.storage.sql.database import Database
from core.storage.sql.pgvector import Vector, dense, from_dense, make_tables
from core.storage.sql.room import Room
from core.storage.vectors.port import EXACT_UP_TO, REBUILDING, Vectors
from core.types import Cut

log = logging.getLogger(__name__)

GRAPH_FROM = 50_000
"""Vectors of an index from which it gets a graph: comparing 50,000 takes 40 ms (docs/growth.md)."""
_GRAPH = "m = 32, ef_construction = 200"
# The first is read by Citus alone: it sends the others to the machine that has the session.
_SEARCH = "SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL hnsw.ef_search = 400; \
SET LOCAL hnsw.iterative_scan = 'strict_order'"
_SAME = 0.999  # a chunk that is in the index finds itself with this similarity or more
_SHORT = 16  # characters of a model's digest
_AT_ONCE = 500
_OTHER_DIMENSION = "22000"  # data_exception: "different vector dimensions"

_tables = MetaData()
vectors = Table(
    "vectors",
    _tables,
    # First, in every table of a session: it is what the tables could be distributed by.
    SqlColumn("session_id", Uuid(as_uuid=False), primary_key=True),
    SqlColumn("cut", Integer, primary_key=True, autoincrement=False),
    SqlColumn("model", String(_SHORT), primary_key=True),
    SqlColumn("document_id", String(80), primary_key=True),
    SqlColumn("ordinal", Integer, primary_key=True, autoincrement=False),
    SqlColumn("embedding", Vector, nullable=False),
)


class PgvectorStore(Room):
    """A `VectorStore` in the catalogue's PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._digest: Callable[[str], str] = lambda _: ""
        self._made_with: Callable[[str], str | None] = lambda _: None
        self._grown: set[str] | None = None  # indexes that may lack a graph; None: any of them
        self._lock = threading.Lock()
        make_tables(database, _tables, ["vectors.embedding"])

    def follow(self, model: Callable[[str], str], made_with: Callable[[str], str | None]) -> None:
        """See `VectorStore`."""
        self._digest, self._made_with = model, made_with

    def add(self, index_name: str, ids: Sequence[str], vectors_: Vectors) -> None:
        """See `VectorStore`."""
        if not ids:
            return
        if not np.isfinite(vectors_).all():
            raise StorageError("The vector store refused these vectors.")
        where = self._where(index_name)
        key = {"session_id": session_of_index(index_name), "cut": cut_of_index(index_name)}
        model, rows = self._model(index_name), []
        for chunk_id, vector in zip(ids, vectors_, strict=True):
            document_id, _, ordinal = chunk_id.rpartition(":")
            row = {"document_id": document_id, "ordinal": int(ordinal), "embedding": dense(vector)}
            rows.append({**key, "model": model, **row})
        statement = insert(vectors)
        replacing = statement.on_conflict_do_update(
            index_elements=list(vectors.primary_key),
            set_={"embedding": statement.excluded.embedding},
        )
        with self.database.writing() as connection:
            one = select(func.vector_dims(vectors.c.embedding)).where(where).limit(1)
            dimension = connection.scalar(one)
            if dimension not in (None, vectors_.shape[1]):
                raise ModelChanged("The session's vectors were made with another embedding model.")
            for start in range(0, len(rows), _AT_ONCE):
                connection.execute(replacing, rows[start : start + _AT_ONCE])
        with self._lock:
            if self._grown is not None:
                self._grown.add(index_name)

    def query(
        self,
        index_name: str,
        vector: Vectors,
        n: int,
        allowed_documents: Collection[str] | None = None,
        *,
        allowed_ids: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """See `VectorStore`."""
        where = self._where(index_name)
        self._check_whole(index_name)
        if n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        few = allowed_ids is not None and len(allowed_ids) <= EXACT_UP_TO
        if allowed_documents is not None:
            where = and_(where, vectors.c.document_id == func.any(list(allowed_documents)))
        # Only the form that the graph was made of can use it; without a graph they are the same.
        embedding = vectors.c.embedding if few else cast(vectors.c.embedding, _Sized(len(vector)))
        return self._nearest(embedding, where, vector, n)

    def vectors(self, index_name: str, ids: Sequence[str]) -> dict[str, Vectors]:
        """See `VectorStore`."""
        where = self._where(index_name)
        if not ids:
            return {}
        wanted = set(ids)
        documents = list({chunk_id.rpartition(":")[0] for chunk_id in ids})
        ordinals = list({int(chunk_id.rpartition(":")[2]) for chunk_id in ids})
        query = select(
            vectors.c.document_id, vectors.c.ordinal, func.vector_send(vectors.c.embedding)
        ).where(
            where,
            vectors.c.document_id == func.any(documents),
            vectors.c.ordinal == func.any(ordinals),
        )
        with self.database.reading() as connection:
            rows = [(f"{d}:{o}", sent) for d, o, sent in connection.execute(query)]
        return {chunk_id: from_dense(sent) for chunk_id, sent in rows if chunk_id in wanted}

    def ids(self, index_name: str) -> set[str]:
        """See `VectorStore`."""
        query = select(vectors.c.document_id, vectors.c.ordinal).where(self._where(index_name))
        with self.database.reading() as connection:
            return {f"{d}:{o}" for d, o in connection.execute(query)}

    def delete_document(self, index_name: str, chunk_ids: Sequence[str]) -> None:
        """See `VectorStore`."""
        of: dict[str, list[int]] = {}
        for chunk_id in chunk_ids:
            document_id, _, ordinal = chunk_id.rpartition(":")
            of.setdefault(document_id, []).append(int(ordinal))
        where = self._where(index_name)
        with self.database.writing() as connection:
            for document_id, ordinals in of.items():
                these = and_(
                    vectors.c.document_id == document_id, vectors.c.ordinal == func.any(ordinals)
                )
                connection.execute(delete(vectors).where(where, these))

    def delete_session(self, session_id: str) -> None:
        """See `VectorStore`."""
        checked_uuid(session_id)
        with self.database.writing() as connection:
            connection.execute(delete(vectors).where(vectors.c.session_id == session_id))
        self._drop_graphs(f"graph_{_hex(session_id)}_%")

    def delete_index(self, index_name: str) -> None:
        """See `VectorStore`."""
        with self.database.writing() as connection:
            connection.execute(delete(vectors).where(self._where(index_name)))
        self._drop_graphs(self._graph(index_name))

    def drop_others(self, index_name: str) -> None:
        """See `VectorStore`."""
        checked_index(index_name)
        model = self._model(index_name)
        others = and_(
            vectors.c.session_id == session_of_index(index_name),
            vectors.c.cut == cut_of_index(index_name),
            vectors.c.model != model,
        )
        with self.database.writing() as connection:
            connection.execute(delete(vectors).where(others))
        mine = self._graph(index_name)
        self._drop_graphs(f"{mine.removesuffix(model)}%", kept=mine)

    def adopt(self) -> None:
        """See `VectorStore`: no earlier form is known."""

    def purge(self) -> None:
        """See `VectorStore`: `Database.vacuum` does it, and graphs are out of its way.

        It would make them again while everybody waits: 191 s for 50,000 vectors, where writing
        the table anew takes one. `settle` makes them beside the searches.
        """
        with self._lock:
            self._grown = None
        self._drop_graphs("graph_%")

    def settle(self) -> None:
        """See `VectorStore`: make a graph for each index that has many vectors by now."""
        with self._lock:
            grown, self._grown = self._grown, set()
        for index_name in sorted(self._large() if grown is None else grown):
            where = self._where(index_name)
            sized = select(func.count(), func.max(func.vector_dims(vectors.c.embedding)))
            with self.database.reading() as connection:
                count, dimension = connection.execute(sized.where(where)).one()
            if count >= GRAPH_FROM:
                self._make_graph(index_name, dimension)

    def sessions(self) -> set[str]:
        """See `VectorStore`."""
        with self.database.reading() as connection:
            return set(connection.scalars(select(vectors.c.session_id).distinct()))

    def probe(self, index_name: str, sample: Sequence[str]) -> bool:
        """See `VectorStore`."""
        found = self.vectors(index_name, sample)
        if len(found) < len(set(sample)):
            return False
        where = self._where(index_name)
        nearest = (self._nearest(vectors.c.embedding, where, v, 1) for v in found.values())
        return all(best and best[0][1] >= _SAME for best in nearest)

    def close(self) -> None:
        """See `VectorStore`; the connections are the catalogue's."""

    # --------------------------------------------------------------------------------- inside

    def _nearest(
        self, embedding: ColumnElement[Any], where: ColumnElement[bool], vector: Vectors, n: int
    ) -> list[tuple[str, float]]:
        distance = embedding.op("<=>", return_type=Float())(cast(dense(vector), Vector))
        query = (
            select(vectors.c.document_id, vectors.c.ordinal, distance)
            .where(where)
            .order_by(distance)
            .limit(n)
        )
        with self.database.reading() as connection:
            try:
                connection.exec_driver_sql(_SEARCH)
                found = connection.execute(query).all()
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", "") != _OTHER_DIMENSION:
                    raise
                raise ModelChanged(
                    "The session's vectors were made with another embedding model."
                ) from None
        pairs = [(f"{d}:{o}", 0.0 if far != far else 1.0 - far) for d, o, far in found]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))

    def _model(self, index_name: str) -> str:
        return self._digest(index_name)[:_SHORT]

    def _where(self, index_name: str) -> ColumnElement[bool]:
        checked_index(index_name)
        return and_(
            vectors.c.session_id == session_of_index(index_name),
            vectors.c.cut == cut_of_index(index_name),
            vectors.c.model == self._model(index_name),
        )

    def _check_whole(self, index_name: str) -> None:
        made_with = self._made_with(index_name)
        if made_with == REBUILDING:
            raise IndexDamaged("The vectors of this session are being made again.")
        if made_with is not None and made_with[:_SHORT] != self._model(index_name):
            raise ModelChanged("The passages of this session are not in the index of this model.")

    def _large(self) -> list[str]:
        by = (vectors.c.session_id, vectors.c.cut)
        query = select(*by).group_by(*by).having(func.count() >= GRAPH_FROM)
        with self.database.reading() as connection:
            return [Cut(*row).index for row in connection.execute(query)]

    def _graph(self, index_name: str) -> str:
        session = _hex(session_of_index(index_name))
        return f"graph_{session}_{cut_of_index(index_name)}_{self._model(index_name)}"

    def _make_graph(self, index_name: str, dimension: int) -> None:
        name = self._graph(index_name)
        session_id, cut = session_of_index(index_name), cut_of_index(index_name)
        model = self._model(index_name)
        with self.database.plainly() as run:
            state = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
            valid = run(state, (name,)).scalar()
            if valid:
                return
            if valid is False:  # of a try that was broken off
                run(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            log.info("A graph is made for session %s.", session_id)
            # The ids and the digest are checked: they hold letters, digits and hyphens.
            run(
                f"CREATE INDEX CONCURRENTLY {name} ON vectors USING hnsw "
                f"((embedding::vector({int(dimension)})) vector_cosine_ops) WITH ({_GRAPH}) "
                f"WHERE session_id = '{session_id}' AND cut = {cut} AND model = '{model}'"
            )

    def _drop_graphs(self, pattern: str, kept: str = "") -> None:
        named = text("SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE :pattern")
        with self.database.reading() as connection:
            names = list(connection.scalars(named, {"pattern": pattern.replace("_", r"\_")}))
        for name in names:
            if name == kept:
                continue
            with self.database.plainly() as run:
                run(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


class _Sized(UserDefinedType[str]):
    cache_ok = True

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    def get_col_spec(self, **_: Any) -> str:
        return f"VECTOR({self.dimension})"


def _hex(session_id: str) -> str:
    return session_id.replace("-", "")
