"""The words of all sessions in PostgreSQL, in the database of the catalogue.

A row of `words` is a chunk: its vector (`bm25`) and its terms in their order, for phrases. A row of
`word_counts` is a document: in how many of its chunks each term occurs. What all documents of an
index have together is kept in memory and brought up to date by the rows that came since.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

import numpy as np
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    Uuid,
    and_,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
)

from core.ids import checked_index, checked_uuid, cut_of_index, session_of_index
from core.storage.lexical.analysis import UNKNOWN, fields_of, forms_of_word
from core.storage.lexical.bm25 import Row, Statistics, place_of, row_of, statistics_of
from core.storage.lexical.known import KnownIndexes
from core.storage.lexical.port import Entry
from core.storage.lexical.query import Candidate, query_of, ranked
from core.storage.sql.database import Database
from core.storage.sql.pgvector import SparseVector, from_sparse, make_tables, sparse
from core.storage.sql.room import Room
from core.types import Chunk

_LOOKED_AT = 200  # of the inner product's best, at least; they are scored exactly
_ALIKE_START = 3  # letters
_AT_ONCE = 500

_tables = MetaData()


def _of_session() -> list[Column[Any]]:
    return [
        Column("session_id", Uuid(as_uuid=False), primary_key=True),
        Column("cut", Integer, primary_key=True, autoincrement=False),
        Column("document_id", String(80), primary_key=True),
    ]


words = Table(
    "words",
    _tables,
    *_of_session(),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("lengths", LargeBinary, nullable=False),  # a byte for each field
    Column("weights", SparseVector, nullable=False),
    Column("body", Text, nullable=False),  # " term term term "
)
word_counts = Table(
    "word_counts",
    _tables,
    *_of_session(),
    Column("stamp", BigInteger, nullable=False),  # another one each time that it is written
    Column("language", String(20), nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("tokens", LargeBinary, nullable=False),  # int64 for each field
    Column("places", LargeBinary, nullable=False),  # int32, ascending
    Column("counts", LargeBinary, nullable=False),  # int32, as `places`
)


class SparsevecIndex(Room):
    """A `LexicalIndex` in the catalogue's PostgreSQL. Raises `StorageError` and `InvalidId`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known = KnownIndexes()
        make_tables(database, _tables, ["words.weights"])

    def add(
        self, index_name: str, chunks: Sequence[Chunk], titles: Sequence[str], language: str = ""
    ) -> None:
        """See `LexicalIndex`; a document that is there is replaced."""
        checked_index(index_name)
        language = language or UNKNOWN
        pairs = sorted(zip(chunks, titles, strict=True), key=lambda pair: pair[0].document_id)
        made = []
        for document_id, of_it in groupby(pairs, key=lambda pair: pair[0].document_id):
            made.append((document_id, _rows_of(index_name, list(of_it), language)))
        with self.database.writing() as connection:
            for document_id, (rows, count) in made:
                _delete(connection, index_name, document_id)
                for start in range(0, len(rows), _AT_ONCE):
                    connection.execute(insert(words), rows[start : start + _AT_ONCE])
                connection.execute(insert(word_counts), count)

    def query(
        self,
        index_name: str,
        text: str,
        n: int,
        allowed_documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """See `LexicalIndex`."""
        checked_index(index_name)
        if n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        with self.database.reading() as connection:
            statistics = self._statistics(connection, index_name)
            query = query_of(text, statistics)
            if not query.terms and not query.singles and not query.phrases:
                return []
            wanted = query.vector()
            singles = [f" .?{single}.? " for single in query.singles]
            rank: ColumnElement[Any] = _product(sparse(list(wanted), list(wanted.values())))
            for single in singles:
                rank = rank - case((words.c.body.op("~")(single), 1.0), else_=0.0)
            where = [_is(words, index_name), *(_holds(variants) for variants in query.phrases)]
            if allowed_documents is not None:
                where.append(words.c.document_id == func.any(list(allowed_documents)))
            best = (
                select(words)
                .where(*where)
                .order_by(rank, words.c.document_id, words.c.ordinal)
                .limit(max(_LOOKED_AT, 4 * n))
                .subquery()
            )
            found = connection.execute(
                select(
                    best.c.document_id,
                    best.c.ordinal,
                    best.c.lengths,
                    func.sparsevec_send(best.c.weights),  # of the best only, not of every row
                    best.c.body if query.phrases or singles else literal(""),
                )
            ).all()
        candidates = [
            Candidate(
                f"{document_id}:{ordinal}",
                from_sparse(weights),
                lengths,
                sum(bool(re.search(single, body)) for single in singles),
                body,
            )
            for document_id, ordinal, lengths, weights, body in found
        ]
        return ranked(query, candidates, statistics, n)

    def share_within(self, index_name: str, word: str, documents: Collection[str]) -> float:
        """See `LexicalIndex`."""
        checked_index(index_name)
        with self.database.reading() as connection:
            statistics = self._statistics(connection, index_name)
            places = {place_of("body", form) for form in forms_of_word(word, statistics.languages)}
            if not any(statistics.count(place) for place in places):
                return 1.0
            holds = _product(sparse(list(places), [1.0] * len(places))) < 0
            within = words.c.document_id == func.any(list(documents))
            counted = select(func.count(), func.count().filter(within))
            every, inside = connection.execute(
                counted.select_from(words).where(_is(words, index_name), holds)
            ).one()
        return inside / every if every else 1.0

    def like(self, index_name: str, word: str) -> tuple[str, float]:
        """See `LexicalIndex`."""
        checked_index(index_name)
        word = word.lower()
        start = re.escape(" " + word[:_ALIKE_START])
        terms = func.unnest(func.regexp_matches(words.c.body, rf"({start}[^ ]*)", "g"))
        holds = func.strpos(words.c.body, " " + word[:_ALIKE_START]) > 0
        query = select(terms).where(_is(words, index_name), holds).distinct()
        with self.database.reading() as connection:
            stems = [stem.strip() for stem in connection.scalars(query)]
        alike = ((SequenceMatcher(None, word, stem).ratio(), stem) for stem in stems)
        ratio, stem = max(alike, default=(0.0, ""))
        return stem, ratio

    def ids(self, index_name: str) -> set[str]:
        """See `LexicalIndex`."""
        checked_index(index_name)
        query = select(words.c.document_id, words.c.ordinal).where(_is(words, index_name))
        with self.database.reading() as connection:
            return {f"{document}:{ordinal}" for document, ordinal in connection.execute(query)}

    def delete_document(self, index_name: str, document_id: str) -> None:
        """See `LexicalIndex`."""
        checked_index(index_name)
        with self.database.writing() as connection:
            _delete(connection, index_name, document_id)

    def delete_session(self, session_id: str) -> None:
        """See `LexicalIndex`."""
        checked_uuid(session_id)
        with self.database.writing() as connection:
            for table in (words, word_counts):
                connection.execute(delete(table).where(table.c.session_id == session_id))

    def delete_index(self, index_name: str) -> None:
        """See `LexicalIndex`."""
        checked_index(index_name)
        with self.database.writing() as connection:
            for table in (words, word_counts):
                connection.execute(delete(table).where(_is(table, index_name)))

    def erase_later(self, index_name: str) -> None:
        """See `LexicalIndex`: `Database.vacuum` does it."""

    def to_erase(self) -> list[str]:
        """See `LexicalIndex`: `Database.vacuum` does it."""
        return []

    def holds_deleted(self, index_name: str) -> bool:
        """See `LexicalIndex`: what VACUUM has not come by yet is not known."""
        return False

    def rewrite(self, index_name: str, entries: Iterable[Entry]) -> None:
        """See `LexicalIndex`."""
        kept = list(entries)

        def write() -> None:
            self.delete_index(index_name)
            for chunks, title, language in kept:
                self.add(index_name, chunks, [title] * len(chunks), language)

        self.database.together(write)

    def close(self) -> None:
        """Forget what is in memory; the connections are the catalogue's."""
        self._known.forget()

    # --------------------------------------------------------------------------------- inside

    def _statistics(self, connection: Connection, index_name: str) -> Statistics:
        """The statistics of an index as the transaction sees it."""
        of_index = _is(word_counts, index_name)
        known = self._known.get(index_name)
        # Each stamp is one by chance, so their sum tells whether anything was written since.
        summed = select(func.count(), func.sum(word_counts.c.stamp)).where(of_index)
        mark = tuple(connection.execute(summed).one())
        if mark == known.mark:
            return known.statistics
        stamps = select(word_counts.c.document_id, word_counts.c.stamp).where(of_index)
        now = frozenset((document, stamp) for document, stamp in connection.execute(stamps))

        def read(new: list[str]) -> list[Statistics]:
            these = word_counts.c.document_id == func.any(new)
            query = select(word_counts).where(of_index)
            found = query if len(new) == len(now) else query.where(these)
            return [_read(row) for row in connection.execute(found)]

        known = known.brought_to(now, read, mark)
        self._known.keep(index_name, known)
        return known.statistics


def _rows_of(
    index_name: str, pairs: Sequence[tuple[Chunk, str]], language: str
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of a document's chunks, and its row of counts."""
    document_id = pairs[0][0].document_id
    key = {"session_id": session_of_index(index_name), "cut": cut_of_index(index_name)}
    key |= {"document_id": document_id}
    made: list[Row] = []
    rows: dict[int, dict[str, Any]] = {}
    for chunk, title in pairs:
        terms = fields_of(chunk, title, language)
        made.append(row := row_of(terms))
        vector = sparse(list(row.weights), list(row.weights.values()))
        body = f" {' '.join(terms['body'])} "
        ordinal = int(chunk.id.rpartition(":")[2])
        rows[ordinal] = {**key, "ordinal": ordinal, "lengths": row.lengths, "weights": vector}
        rows[ordinal]["body"] = body
    statistics = statistics_of(made, language)
    count = {
        **key,
        "stamp": secrets.randbits(62),
        "language": language,
        "chunks": statistics.chunks,
        "tokens": statistics.tokens.tobytes(),
        "places": statistics.places.tobytes(),
        "counts": statistics.counts.tobytes(),
    }
    return list(rows.values()), count


def _read(row: Any) -> Statistics:
    return Statistics(
        row.chunks,
        np.frombuffer(row.tokens, np.int64),
        np.frombuffer(row.places, np.int32),
        np.frombuffer(row.counts, np.int32),
        (row.language,),
    )


def _is(table: Table, index_name: str) -> ColumnElement[bool]:
    session = table.c.session_id == session_of_index(index_name)
    return and_(session, table.c.cut == cut_of_index(index_name))


def _delete(connection: Connection, index_name: str, document_id: str) -> None:
    for table in (words, word_counts):
        of_it = table.c.document_id == document_id
        connection.execute(delete(table).where(_is(table, index_name), of_it))


def _product(vector: str) -> ColumnElement[Any]:
    """The inner product of a chunk with a query, less than 0: the best come first."""
    return words.c.weights.op("<#>", return_type=Float())(cast(vector, SparseVector))


def _holds(variants: Sequence[Sequence[str]]) -> ColumnElement[bool]:
    """Whether a body holds a phrase in one of the languages."""
    found = (func.strpos(words.c.body, f" {' '.join(terms)} ") > 0 for terms in variants)
    return or_(*found)
