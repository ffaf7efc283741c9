"""Vectors and words embedded against grown: writing, searching, the same found, bytes.

`python -m benchmarks.growth --database postgresql+psycopg://... [--sizes 1000 10000] [--beir DIR]
[--graph-from 5000] [--like DIR] [--folder DIR [--at-once 100] [--fill]]`
`python -m benchmarks.growth --database ... --replicas 1 2 [--sessions 4] [--documents 60]`

The database must be empty, and may be one of Milvus (milvus://...); its tables stay (with
`--replicas` they go). For each size one session of made passages, 20 a document, is written to both
forms, and searched by vector and by words, each query in one form after the other. `--like` makes
them of a folder in BEIR's form: words and vectors of its documents, mixed (`benchmarks.passages`).
With `--folder` the embedded form stays, and what is in both forms already is searched as it is, so
`--fill` can go before: it only writes, and goes on where it was broken off.
`--beir` ranks the documents of a folder in BEIR's form by words, against Tantivy.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytrec_eval
from sqlalchemy import Connection, Table, func, literal_column, select

from benchmarks.passages import EACH, Passages, like, made
from benchmarks.replicas import compare
from core.config import Settings
from core.evaluation.beir import read_collection
from core.ids import new_id
from core.storage.lexical.port import LexicalIndex
from core.storage.lexical.registry import lexical_adapter
from core.storage.lexical.sparsevec.index import word_counts, words
from core.storage.milvus import is_milvus
from core.storage.sql.database import Database
from core.storage.vectors.pgvector import store
from core.storage.vectors.pgvector.store import vectors as stored_vectors
from core.storage.vectors.port import VectorStore
from core.storage.vectors.registry import vector_adapter
from core.types import Chunk

_TOP = 50
_TABLES = (stored_vectors, words, word_counts)


@dataclass
class Form:
    """One form of the stores."""

    name: str
    database: Database
    vectors: VectorStore
    lexical: LexicalIndex


@contextmanager
def forms(url: str, kept: Path | None) -> Iterator[list[Form]]:
    """The embedded form in a folder, of its own unless `kept`, and the grown one."""
    with tempfile.TemporaryDirectory(prefix="footnote-growth-") as temporary:
        folder, opened = kept or Path(temporary), []
        for name, address in (("embedded", ""), ("grown", url)):
            place = folder / name
            where = "index_url" if is_milvus(address) else "database_url"
            folders = {"data_dir": place / "data", "chroma_dir": place / "chroma"}
            settings = Settings.model_validate({**folders, where: address})
            database = Database(settings)
            vectors = vector_adapter(settings).open(settings, database)
            lexical = lexical_adapter(settings).open(settings, database)
            opened.append(Form(name, database, vectors, lexical))
        yield opened
        for form in opened:
            form.lexical.close()
            form.vectors.close()
            form.database.close()


def main() -> None:
    """Measure, and print a table for each size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--database", required=True, help="the address of an empty database")
    parser.add_argument("--replicas", type=int, nargs="*", default=[], help="1 2: processes")
    parser.add_argument("--sessions", type=int, default=4, help="with --replicas")
    parser.add_argument("--documents", type=int, default=60, help="with --replicas")
    parser.add_argument("--rounds", type=int, default=2, help="with --replicas")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--graph-from", type=int, default=store.GRAPH_FROM, help="passages")
    parser.add_argument("--beir", type=Path, nargs="*", default=[])
    parser.add_argument("--like", type=Path, help="of whose documents passages are mixed")
    parser.add_argument("--folder", type=Path, help="where the embedded form stays")
    parser.add_argument("--at-once", type=int, default=EACH, help="passages written together")
    parser.add_argument("--fill", action="store_true", help="write only")
    asked = parser.parse_args()
    store.GRAPH_FROM = asked.graph_from
    if asked.replicas:
        compare(asked.database, asked.replicas, asked.sessions, asked.documents, asked.rounds)
        return
    source = like(asked.like, asked.folder) if asked.like else made
    with forms(asked.database, asked.folder) as both:
        for size in asked.sizes:
            passages = source(size)
            session = str(uuid.UUID(int=size, version=4))
            print(f"\n{size:,} passages, one session", flush=True)
            for form in both:
                _fill(form, session, passages, asked.at_once)
            if not asked.fill:
                _search(both, session, passages, asked.queries)
        if not both[1].database.is_sqlite:
            _print_bytes_on_disk(both[1], sum(asked.sizes))
        for folder in asked.beir:
            _ranked(both, folder)


def _fill(form: Form, session: str, passages: Passages, at_once: int) -> None:
    """Write what is not there yet, and make the graph."""
    size = len(passages.vectors)
    there = min(len(form.vectors.ids(session)), len(form.lexical.ids(session)))
    if there == size:
        return
    there -= there % at_once
    began = time.perf_counter()
    for start in range(there, size, at_once):
        part = passages.chunks(start, min(start + at_once, size))
        form.vectors.add(session, [c.id for c in part], passages.vectors[start : start + at_once])
        form.lexical.add(session, part, ["made"] * len(part), "en")
        if start // 10_000 < (start + at_once) // 10_000 < size // 10_000:
            rate = (start + at_once - there) / (time.perf_counter() - began)
            print(f"    {form.name} {start + at_once:,}: {rate:.0f} /s", flush=True)
    written = (size - there) / (time.perf_counter() - began)
    began = time.perf_counter()
    if not form.database.is_sqlite:
        with form.database.plainly() as run:
            run("VACUUM ANALYZE")
    form.vectors.settle()
    settled = time.perf_counter() - began
    print(f"  {form.name:9} written {written:6.0f} /s, settled {settled:5.1f} s", flush=True)


def _search(both: list[Form], session: str, passages: Passages, queries: int) -> None:
    """The same queries to both forms, in turns."""
    vectors, size = passages.vectors, len(passages.vectors)
    asked, texts = passages.queries(queries)
    exact = [set(np.argsort(-(vectors @ query))[:_TOP]) for query in asked]
    dense = _in_turns(
        {f.name: lambda q, f=f: f.vectors.query(session, q, _TOP) for f in both}, asked
    )
    words_ = _in_turns(
        {f.name: lambda q, f=f: f.lexical.query(session, q, _TOP) for f in both}, texts
    )
    number = {f"d{at // EACH}:{at % EACH}": at for at in range(size)}
    for form in both:
        found, said = dense[form.name]
        near = [
            len({number[i] for i, _ in hits} & best)
            for hits, best in zip(found, exact, strict=True)
        ]
        recall = sum(near) / _TOP / queries
        print(
            f"  {form.name:9} vectors {said} recall@{_TOP} {recall:.3f}; "
            f"words {words_[form.name][1]}",
            flush=True,
        )
    print(f"  words: {_alike(words_):.3f} of Tantivy's first ten")
    if not both[1].database.is_sqlite:
        _print_bytes(both[1], session, size)


def _alike(found: Mapping[str, tuple[Sequence[Sequence[tuple[str, float]]], str]]) -> float:
    """The mean share of the embedded form's first ten that the grown one has in its own."""
    first = {
        name: [{i for i, _ in hits[:10]} for hits in listed] for name, (listed, _) in found.items()
    }
    pairs = zip(first["grown"], first["embedded"], strict=True)
    return statistics.mean(len(a & b) / max(len(b), 1) for a, b in pairs)


def _print_bytes(form: Form, session: str, size: int) -> None:
    with form.database.reading() as connection:
        row = {table.name: _row_bytes(connection, table, session) for table in _TABLES}
    said = ", ".join(f"{name} {total / size:.0f}" for name, total in row.items())
    print(f"  bytes a passage, rows without indexes: {said}", flush=True)


def _print_bytes_on_disk(form: Form, passages: int) -> None:
    """Of all sizes together, after VACUUM: rows with page overhead, keys, graphs."""
    with form.database.reading() as connection:
        for table in _TABLES:
            size = {
                name: connection.scalar(select(getattr(func, name)(table.name))) / passages
                for name in ("pg_table_size", "pg_indexes_size")
            }
            print(
                f"  {table.name}: {size['pg_table_size']:.0f} bytes a passage in the table, "
                f"{size['pg_indexes_size']:.0f} in its indexes",
                flush=True,
            )


def _row_bytes(connection: Connection, table: Table, session: str) -> int:
    row = literal_column(f"{table.name}.*")
    query = select(func.sum(func.pg_column_size(row))).where(table.c.session_id == session)
    return int(connection.scalar(query) or 0)


def _ranked(both: list[Form], folder: Path) -> None:
    """First ten and nDCG@10 by words alone, each document one passage."""
    collection, session = read_collection(folder), new_id()
    chunks, titles = [], []
    for number, document in enumerate(collection.documents):
        chunk = Chunk(f"d{number}:0", f"d{number}", 0, 0, 1, 0, len(document.text), document.text)
        chunks.append(chunk)
        titles.append(document.title)
    names = {chunk.id: text.id for chunk, text in zip(chunks, collection.documents, strict=True)}
    asked = {key: query for key, query in collection.queries.items() if key in collection.qrels}
    print(f"\n{folder.name}: {len(chunks)} documents, {len(asked)} queries", flush=True)
    for form in both:
        form.lexical.add(session, chunks, titles, "en")
    listed = _in_turns(
        {f.name: lambda q, f=f: f.lexical.query(session, q, _TOP) for f in both},
        list(asked.values()),
    )
    for name, (found, said) in listed.items():
        ranked = {
            key: {names[i]: score for i, score in hits}
            for key, hits in zip(asked, found, strict=True)
        }
        measured = pytrec_eval.RelevanceEvaluator(collection.qrels, {"ndcg_cut_10"}).evaluate(
            ranked
        )
        ndcg = statistics.mean(row["ndcg_cut_10"] for row in measured.values())
        print(f"  {name:9} nDCG@10 {ndcg:.4f}; words {said}", flush=True)
    print(f"  {_alike(listed):.3f} of Tantivy's first ten", flush=True)


Found = tuple[list[list[tuple[str, float]]], str]


def _in_turns(
    searches: Mapping[str, Callable[[Any], list[tuple[str, float]]]], asked: Sequence[Any]
) -> dict[str, Found]:
    """What each search finds for each query, and how long it took."""
    found: dict[str, list[list[tuple[str, float]]]] = {name: [] for name in searches}
    seconds: dict[str, list[float]] = {name: [] for name in searches}
    for query in asked:
        for name, search in searches.items():
            began = time.perf_counter()
            found[name].append(search(query))
            seconds[name].append(time.perf_counter() - began)
    said = {}
    for name, took in seconds.items():
        p50, p95 = (1_000 * float(np.percentile(took, share)) for share in (50, 95))
        said[name] = f"p50 {p50:.1f} p95 {p95:.1f} ms"
    return {name: (found[name], said[name]) for name in searches}


if __name__ == "__main__":
    main()
