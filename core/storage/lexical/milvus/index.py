"""The words of all sessions in Milvus: BM25 as an inner product of sparse vectors.

A row of `footnote_words` is a chunk: its vector (`lexical/bm25.py`) and its terms in their order,
for phrases. A row of `footnote_counts` is a document: in how many of its chunks each term occurs.
What all documents of an index have together is kept in memory, and brought up to date when the
stamp of the index says that something was written.

Milvus's own BM25 is not used: it counts how rare a word is over all sessions, or in each segment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.ids import cut_of_index, session_of_index
from core.storage.lexical.analysis import UNKNOWN, fields_of, forms_of_word
from core.storage.lexical.bm25 import Statistics, place_of, row_of, statistics_of
from core.storage.lexical.known import KnownIndexes
from core.storage.lexical.port import Entry
from core.storage.lexical.query import Candidate, query_of, ranked
from core.storage.lexical.terms import unspaced_characters
from core.storage.milvus import (
    COUNTS,
    INDEXES,
    NOTHING,
    OF_WORDS,
    WORDS,
    Milvus,
    Row,
    new_stamp,
    of_documents,
    of_index,
    of_session,
    quoted,
)
from core.types import Chunk

_LOOKED_AT = 200  # of the inner product's best, at least; they are scored exactly
_MOST_ALIKE = 1_000  # passages that are looked through for a word like another
_ALIKE_START = 3  # letters
_LONGEST_BODY = 65_535  # bytes
_CHARACTER = "character"
"""The field, of the vector alone, of characters that may be asked for alone."""
_NOT_IN_A_TERM = frozenset('%_\\"')


class MilvusIndex:
    """A `LexicalIndex` in Milvus. What it keeps of deleted words goes with its compaction."""

    def __init__(self, settings: Settings) -> None:
        self._server = Milvus(settings.index_url)
        self._known = KnownIndexes()

    def add(
        self, index_name: str, chunks: Sequence[Chunk], titles: Sequence[str], language: str = ""
    ) -> None:
        """See `LexicalIndex`; a document that is there is replaced."""
        where, language = of_index(index_name), language or UNKNOWN
        pairs = sorted(zip(chunks, titles, strict=True), key=lambda pair: pair[0].document_id)
        words: list[Row] = []
        counts: list[Row] = []
        for document_id, of_it in groupby(pairs, key=lambda pair: pair[0].document_id):
            rows, count = _rows_of(index_name, document_id, list(of_it), language)
            words += rows
            counts.append(count)
        if not counts:
            return
        replaced = of_documents(row["document_id"] for row in counts)
        # After a kill it is the words by which a check sees what is missing: they come last.
        self._server.delete(WORDS.name, f"{where} and {replaced}")
        self._server.put(COUNTS, counts)
        self._server.put(WORDS, words)
        self._server.note(index_name, OF_WORDS)

    def query(
        self,
        index_name: str,
        text: str,
        n: int,
        allowed_documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """See `LexicalIndex`."""
        where = of_index(index_name)
        if n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        documents, statistics = self._statistics(index_name)
        query = query_of(text, statistics)
        singles = [place_of(_CHARACTER, one) for one in query.singles]
        wanted = {**query.vector(), **dict.fromkeys(singles, 1.0)}
        if not wanted:
            return []
        allowed = None if allowed_documents is None else frozenset(allowed_documents)
        if allowed is not None and not documents <= allowed:
            where += f" and {of_documents(allowed)}"
        for variants in query.phrases:
            where += f" and ({' or '.join(_holds(words) for words in variants)})"
        fields = ["key", "lengths", WORDS.vector, *(["body"] if query.phrases else [])]
        found = self._server.nearest(WORDS, wanted, where, max(_LOOKED_AT, 4 * n), fields)
        candidates = [
            Candidate(
                _chunk_of(row),
                _sparse(row[WORDS.vector]),
                bytes.fromhex(row["lengths"]),
                sum(place in row[WORDS.vector] for place in singles),
                row.get("body", ""),
            )
            for row, _ in found
            # One that came in since the documents were listed is not allowed.
            if allowed is None or _document_of(row) in allowed
        ]
        return ranked(query, candidates, statistics, n)

    def share_within(self, index_name: str, word: str, documents: Collection[str]) -> float:
        """See `LexicalIndex`; a chunk with two forms of the word counts as two."""
        of_index(index_name)
        _, statistics = self._statistics(index_name)
        places = {place_of("body", form) for form in forms_of_word(word, statistics.languages)}
        every = sum(statistics.count(place) for place in places)
        if not every:
            return 1.0
        keys = [f"{index_name}/{document_id}" for document_id in documents]
        rows = self._server.get(COUNTS.name, keys, [COUNTS.vector])
        inside = sum(row[COUNTS.vector].get(place, 0.0) for row in rows for place in places)
        return float(inside / every)

    def like(self, index_name: str, word: str) -> tuple[str, float]:
        """See `LexicalIndex`; of a session with many such words, not all are looked at."""
        where, word = of_index(index_name), word.lower()
        start = word[:_ALIKE_START]
        if not start or _NOT_IN_A_TERM & set(start):
            return "", 0.0
        holds = f"{where} and body like {quoted(f'% {start}%')}"
        rows = self._server.some(WORDS.name, holds, ["body"], _MOST_ALIKE)
        stems = {stem for row in rows for stem in row["body"].split() if stem.startswith(start)}
        alike = ((SequenceMatcher(None, word, stem).ratio(), stem) for stem in stems)
        ratio, stem = max(alike, default=(0.0, ""))
        return stem, ratio

    def ids(self, index_name: str) -> set[str]:
        """See `LexicalIndex`."""
        return {
            _chunk_of(row) for row in self._server.rows(WORDS.name, of_index(index_name), ["key"])
        }

    def delete_document(self, index_name: str, document_id: str) -> None:
        """See `LexicalIndex`."""
        where = f"{of_index(index_name)} and {of_documents([document_id])}"
        for collection in (COUNTS, WORDS):
            self._server.delete(collection.name, where)
        if self._server.stamp(index_name, OF_WORDS) is not None:
            self._server.note(index_name, OF_WORDS)

    def delete_session(self, session_id: str) -> None:
        """See `LexicalIndex`."""
        self._delete_all(of_session(session_id))

    def delete_index(self, index_name: str) -> None:
        """See `LexicalIndex`."""
        self._delete_all(of_index(index_name))

    def erase_later(self, index_name: str) -> None:
        """See `LexicalIndex`: Milvus does it, with its compaction."""

    def to_erase(self) -> list[str]:
        """See `LexicalIndex`: Milvus does it, with its compaction."""
        return []

    def holds_deleted(self, index_name: str) -> bool:
        """See `LexicalIndex`: what Milvus has not compacted yet is not known."""
        return False

    def rewrite(self, index_name: str, entries: Iterable[Entry]) -> None:
        """See `LexicalIndex`."""
        kept = list(entries)
        for chunks, title, language in kept:
            self.add(index_name, chunks, [title] * len(chunks), language)
        documents = {chunk.document_id for chunks, _, _ in kept for chunk in chunks}
        gone = {key.rpartition(":")[0] for key in self.ids(index_name)} - documents
        for document_id in sorted(gone):
            self.delete_document(index_name, document_id)

    def close(self) -> None:
        """Close the connection, and forget what is in memory."""
        self._known.forget()
        self._server.close()

    # --------------------------------------------------------------------------------- inside

    def _delete_all(self, where: str) -> None:
        for collection in (COUNTS, WORDS):
            self._server.delete(collection.name, where)
        self._server.delete(INDEXES.name, f"{where} and model == {quoted(OF_WORDS)}")

    def _statistics(self, index_name: str) -> tuple[set[str], Statistics]:
        """The documents of an index, and its statistics."""
        mark = self._server.stamp(index_name, OF_WORDS)
        if mark is None:
            return set(), Statistics()
        known = self._known.get(index_name)
        if known.mark != mark:
            where = of_index(index_name)
            listed = self._server.rows(COUNTS.name, where, ["document_id", "stamp"])
            now = frozenset((row["document_id"], int(row["stamp"])) for row in listed)

            def read(new: list[str]) -> list[Statistics]:
                keys = [f"{index_name}/{document_id}" for document_id in new]
                fields = ["language", "tokens", "chunks", COUNTS.vector]
                # What another process wrote a moment ago is listed: it is to be counted, too.
                return [
                    _read(row) for row in self._server.get(COUNTS.name, keys, fields, strong=True)
                ]

            known = known.brought_to(now, read, mark)
            self._known.keep(index_name, known)
        return {document_id for document_id, _ in known.documents}, known.statistics


def _rows_of(
    index_name: str, document_id: str, pairs: Sequence[tuple[Chunk, str]], language: str
) -> tuple[list[Row], Row]:
    """The rows of a document's chunks, and its row of counts."""
    of_all = {
        "session_id": session_of_index(index_name),
        "cut": cut_of_index(index_name),
        "document_id": document_id,
    }
    rows, made = [], []
    for chunk, title in pairs:
        terms = fields_of(chunk, title, language)
        made.append(row := row_of(terms))
        characters = unspaced_characters(" ".join(terms["body"]))
        alone = {place_of(_CHARACTER, one): 1.0 for one in characters}
        rows.append(
            {
                **of_all,
                "key": f"{index_name}/{chunk.id}",
                "lengths": row.lengths.hex(),
                "body": _body_of(terms["body"]),
                WORDS.vector: {**row.weights, **alone} or NOTHING,
            }
        )
    statistics = statistics_of(made, language)
    counted = zip(statistics.places.tolist(), statistics.counts.tolist(), strict=True)
    count = {
        **of_all,
        "key": f"{index_name}/{document_id}",
        "stamp": new_stamp(),
        "language": language,
        "chunks": statistics.chunks,
        "tokens": " ".join(map(str, statistics.tokens.tolist())),
        COUNTS.vector: {place: float(number) for place, number in counted} or NOTHING,
    }
    return rows, count


def _body_of(terms: Sequence[str]) -> str:
    """The terms in their order; what is longer than Milvus keeps is found by words, not phrases."""
    body = f" {' '.join(terms)} "
    if len(body.encode()) > _LONGEST_BODY:
        kept = body.encode()[:_LONGEST_BODY].decode("utf-8", "ignore")
        body = kept[: kept.rindex(" ") + 1]
    return body


def _read(row: Row) -> Statistics:
    places, counts = _sparse({} if row[COUNTS.vector] == NOTHING else row[COUNTS.vector])
    tokens = np.array(row["tokens"].split(), np.int64)
    return Statistics(
        int(row["chunks"]), tokens, places, counts.astype(np.int32), (row["language"],)
    )


def _sparse(vector: dict[int, float]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The places, ascending, and the values of a vector."""
    places = np.array(sorted(vector), np.int32)
    return places, np.array([vector[place] for place in places.tolist()], np.float32)


def _holds(terms: Sequence[str]) -> str:
    """The filter for bodies that hold these terms in a row; no term has a character of patterns."""
    return "body like " + quoted(f"% {' '.join(terms)} %")


def _document_of(row: Row) -> str:
    return _chunk_of(row).rpartition(":")[0]


def _chunk_of(row: dict[str, Any]) -> str:
    return str(row["key"]).partition("/")[2]
