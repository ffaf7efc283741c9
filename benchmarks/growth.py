"""Vectors and words embedded against grown: writing, searching, the same found, bytes.

`python -m benchmarks.growth --database postgresql+psycopg://... [--sizes 1000 10000] [--beir DIR]
[--graph-from 5000]`
`python -m benchmarks.growth --database ... --replicas 1 2 [--sessions 4] [--documents 60]`

The database must be empty, and may be one of Milvus (milvus://...); its tables stay (with
`--replicas` they go). For each size one session of made passages, 20 a document, is written to both
forms, and searched by vector and by words, one after the other.
`--beir` ranks the documents of a folder in BEIR's form by words, against Tantivy.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytrec_eval
from sqlalchemy import Connection, Table, func, literal_column, select

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

_DIMENSION, _TOP, _EACH = 384, 50, 20
_WORDS_OF_A_PASSAGE = 120
_TABLES = (stored_vectors, words, word_counts)


@dataclass
class Form:
    """One form of the stores."""

    name: str
    database: Database
    vectors: VectorStore
    lexical: LexicalIndex


@contextmanager
def forms(url: str) -> Iterator[list[Form]]:
    """The embedded form in a folder of its own, and the grown one."""
    with tempfile.TemporaryDirectory(prefix="footnote-growth-") as folder:
        opened = []
        for name, address in (("embedded", ""), ("grown", url)):
            place = Path(folder) / name
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
    asked = parser.parse_args()
    store.GRAPH_FROM = asked.graph_from
    if asked.replicas:
        compare(asked.database, asked.replicas, asked.sessions, asked.documents, asked.rounds)
        return
    with forms(asked.database) as both:
        for size in asked.sizes:
            _size(both, size, asked.queries)
        if not both[1].database.is_sqlite:
            _print_bytes_on_disk(both[1], sum(asked.sizes))
        for folder in asked.beir:
            _ranked(both, folder)


def _size(both: list[Form], size: int, queries: int) -> None:
    chance, session = np.random.default_rng(3), new_id()
    vectors, chunks = _made_vectors(chance, size), list(_made_chunks(chance, size))
    asked = [vectors[at] + 0.1 * _unit(chance, 1)[0] for at in chance.integers(0, size, queries)]
    texts = [" ".join(_words(chance, 6)) for _ in range(queries)]
    exact = [set(np.argsort(-(vectors @ query))[:_TOP]) for query in asked]
    print(f"\n{size:,} passages, one session", flush=True)
    by_words: dict[str, list[set[str]]] = {}
    for form in both:
        began = time.perf_counter()
        for start in range(0, size, _EACH):
            part = chunks[start : start + _EACH]
            form.vectors.add(session, [c.id for c in part], vectors[start : start + _EACH])
            form.lexical.add(session, part, ["made"] * len(part), "en")
        written = time.perf_counter() - began
        began = time.perf_counter()
        if not form.database.is_sqlite:
            with form.database.plainly() as run:
                run("VACUUM ANALYZE")
        form.vectors.settle()
        settled = time.perf_counter() - began
        number = {chunk.id: at for at, chunk in enumerate(chunks)}
        found, dense = _timed(lambda q, f=form: f.vectors.query(session, q, _TOP), asked)
        near = [
            len({number[i] for i, _ in hits} & best)
            for hits, best in zip(found, exact, strict=True)
        ]
        listed, lexical = _timed(lambda q, f=form: f.lexical.query(session, q, _TOP), texts)
        by_words[form.name] = [{i for i, _ in hits[:10]} for hits in listed]
        print(
            f"  {form.name:9} written {size / written:6.0f} /s, settled {settled:5.1f} s; "
            f"vectors {dense} recall@{_TOP} {sum(near) / _TOP / queries:.3f}; words {lexical}",
            flush=True,
        )
    same = [
        len(a & b) / max(len(b), 1)
        for a, b in zip(by_words["grown"], by_words["embedded"], strict=True)
    ]
    print(f"  words: {statistics.mean(same):.3f} of Tantivy's first ten")
    if not both[1].database.is_sqlite:
        _print_bytes(both[1], session, size)


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
    first: dict[str, list[list[str]]] = {}
    for form in both:
        form.lexical.add(session, chunks, titles, "en")
        found, said = _timed(
            lambda q, f=form: f.lexical.query(session, q, _TOP), list(asked.values())
        )
        ranked = {
            key: {names[i]: score for i, score in hits}
            for key, hits in zip(asked, found, strict=True)
        }
        first[form.name] = [[i for i, _ in hits[:10]] for hits in found]
        measured = pytrec_eval.RelevanceEvaluator(collection.qrels, {"ndcg_cut_10"}).evaluate(
            ranked
        )
        ndcg = statistics.mean(row["ndcg_cut_10"] for row in measured.values())
        print(f"  {form.name:9} nDCG@10 {ndcg:.4f}; words {said}", flush=True)
    pairs = zip(first["grown"], first["embedded"], strict=True)
    same = [len(set(a) & set(b)) / max(len(b), 1) for a, b in pairs]
    print(f"  {statistics.mean(same):.3f} of Tantivy's first ten", flush=True)


def _timed(
    search: Callable[[Any], list[tuple[str, float]]], asked: Sequence[Any]
) -> tuple[list[list[tuple[str, float]]], str]:
    found, seconds = [], []
    for query in asked:
        began = time.perf_counter()
        found.append(search(query))
        seconds.append(time.perf_counter() - began)
    p50, p95 = (1_000 * float(np.percentile(seconds, share)) for share in (50, 95))
    return found, f"p50 {p50:.1f} p95 {p95:.1f} ms"


def _unit(chance: np.random.Generator, count: int) -> np.ndarray:
    made = chance.standard_normal((count, _DIMENSION)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def _made_vectors(chance: np.random.Generator, count: int) -> np.ndarray:
    """Around 200 centres, as passages of topics are."""
    centres = _unit(chance, 200)
    made = centres[chance.integers(0, 200, count)] + 0.5 * _unit(chance, count)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def _words(chance: np.random.Generator, count: int) -> list[str]:
    """Words as often as those of a language are: the rank of each by Zipf's law."""
    return [f"w{rank}q" for rank in chance.zipf(1.2, count) % 50_000]


def _made_chunks(chance: np.random.Generator, count: int) -> Iterator[Chunk]:
    for number in range(count):
        passage = " ".join(_words(chance, _WORDS_OF_A_PASSAGE))
        document, ordinal = f"d{number // _EACH}", number % _EACH
        yield Chunk(f"{document}:{ordinal}", document, ordinal, 0, 1, 0, len(passage), passage)


if __name__ == "__main__":
    main()
