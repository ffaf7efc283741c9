"""VACUUM FULL over a whole table of vectors against 16 partitions: who waits, and what it costs.

`python -m benchmarks.partitions --database postgresql+psycopg://... [--passages 100000]`

The database must be empty, and is left so. Half of the passages are one session, with a graph; the
others are sessions of 1,000. A reader asks small sessions, one after another, while the tables are
written anew: its longest wait is what a person would wait.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import numpy as np
import psycopg

from benchmarks.passages import made
from core.ids import new_id
from core.storage.sql.pgvector import dense

_PARTS, _SMALL, _EACH = 16, 1_000, 20
_TABLE = (
    "CREATE TABLE {name} (session_id uuid NOT NULL, document_id varchar(80) NOT NULL, "
    "ordinal integer NOT NULL, embedding vector NOT NULL, "
    "PRIMARY KEY (session_id, document_id, ordinal)) {parted}"
)
_SEARCH = (
    "SELECT ordinal FROM {name} WHERE session_id = %s "
    "ORDER BY (embedding::vector(384)) <=> %s::vector LIMIT 50"
)
_GRAPH = (
    "CREATE INDEX {name}_graph ON {table} USING hnsw ((embedding::vector(384)) vector_cosine_ops) "
    "WITH (m = 32, ef_construction = 200) WHERE session_id = '{session}'"
)


class Form:
    """A table, whole or in partitions."""

    def __init__(self, connection: psycopg.Connection, name: str, parts: int) -> None:
        self.name, self._run = name, connection.execute
        parted = "PARTITION BY HASH (session_id)" if parts else ""
        self.run(_TABLE.format(name=name, parted=parted))
        self.tables = [f"{name}_{number}" for number in range(parts)] or [name]
        for number in range(parts):
            of = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {number})"
            self.run(f"CREATE TABLE {self.tables[number]} PARTITION OF {name} {of}")
        for table in self.tables:  # as the program keeps them
            self.run(f"ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE MAIN")

    def run(self, statement: str) -> psycopg.Cursor:
        """Run one statement."""
        return self._run(statement.encode())

    def place(self, session: str) -> str:
        """The table, or the partition, in which a session is."""
        find = f"SELECT tableoid::regclass FROM {self.name} WHERE session_id = '{session}' LIMIT 1"
        return str((self.run(find).fetchone() or [""])[0])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--database", required=True)
    parser.add_argument("--passages", type=int, default=100_000)
    asked = parser.parse_args()
    address = asked.database.replace("+psycopg", "")
    half = asked.passages // 2
    vectors = made(asked.passages).vectors
    sessions = [new_id()] * half
    while len(sessions) < asked.passages:
        sessions += [new_id()] * _SMALL
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        forms = [Form(connection, "whole", 0), Form(connection, "parts", _PARTS)]
        try:
            for form in forms:
                _copy(connection, form, sessions, vectors)
            _searched(connection, forms, sessions[half:], vectors, "1,000 passages")
            _searched(connection, forms, sessions[:half], vectors, f"{half:,}, exact")
            _inserted(connection, forms, vectors)
            _anew(address, forms, sessions[half:], vectors, "without graphs")
            for form in forms:
                place = form.place(sessions[0])
                began = time.perf_counter()
                form.run(_GRAPH.format(name=form.name, table=place, session=sessions[0]))
                print(f"{form.name}: graph made in {time.perf_counter() - began:.0f} s")
            _searched(connection, forms, sessions[:half], vectors, f"{half:,}, graph")
            _anew(address, forms, sessions[half:], vectors, "with a graph")
        finally:
            for form in forms:
                form.run(f"DROP TABLE {form.name}")


def _copy(
    connection: psycopg.Connection, form: Form, sessions: list[str], vectors: np.ndarray
) -> None:
    with connection.cursor() as cursor, cursor.copy(f"COPY {form.name} FROM STDIN".encode()) as to:
        for number, (session, vector) in enumerate(zip(sessions, vectors, strict=False)):
            to.write_row((session, f"d{number // _EACH}", number % _EACH, dense(vector)))
    form.run(f"VACUUM ANALYZE {form.name}")


def _searched(
    connection: psycopg.Connection,
    forms: list[Form],
    sessions: list[str],
    vectors: np.ndarray,
    said: str,
) -> None:
    chance = np.random.default_rng(1)
    took: dict[str, list[float]] = {form.name: [] for form in forms}
    with connection.transaction():
        connection.execute("SET LOCAL hnsw.ef_search = 400")
        for _ in range(200):
            values = (str(chance.choice(sessions)), dense(vectors[chance.integers(len(vectors))]))
            for form in forms:
                began = time.perf_counter()
                connection.execute(_SEARCH.format(name=form.name).encode(), values).fetchall()
                took[form.name].append(time.perf_counter() - began)
    _say(f"search, {said}: p50", took)


def _inserted(connection: psycopg.Connection, forms: list[Form], vectors: np.ndarray) -> None:
    """Documents of 20 passages, each into a new session, in one transaction."""
    took: dict[str, list[float]] = {form.name: [] for form in forms}
    for number in range(200):
        rows = [(new_id(), f"d{number}", at, dense(vectors[at])) for at in range(_EACH)]
        rows = [(rows[0][0], *row[1:]) for row in rows]
        for form in forms:
            began = time.perf_counter()
            with connection.transaction(), connection.cursor() as cursor:
                statement = f"INSERT INTO {form.name} VALUES (%s, %s, %s, %s)"
                cursor.executemany(statement.encode(), rows)
            took[form.name].append(time.perf_counter() - began)
    _say("a document of 20 passages written: p50", took)


def _say(what: str, took: dict[str, list[float]]) -> None:
    said = ", ".join(f"{name} {1_000 * median(times):.2f} ms" for name, times in took.items())
    print(f"{what} {said}", flush=True)


def _anew(
    address: str, forms: list[Form], sessions: list[str], vectors: np.ndarray, said: str
) -> None:
    for form in forms:
        with _reader(address, form, sessions, vectors) as waits:
            seconds = []
            for table in form.tables:
                began = time.perf_counter()
                form.run(f"VACUUM (FULL) {table}")
                seconds.append(time.perf_counter() - began)
        print(
            f"{form.name}, {said}: written anew in {sum(seconds):.1f} s, the longest part "
            f"{max(seconds):.1f} s; a reader waited {max(waits()):.1f} s at most, "
            f"{sum(wait for wait in waits() if wait > 0.2):.1f} s in all waits over 0.2 s",
            flush=True,
        )


@contextmanager
def _reader(
    address: str, form: Form, sessions: list[str], vectors: np.ndarray
) -> Iterator[Callable[[], list[float]]]:
    ended, waits = threading.Event(), [0.0]

    def read() -> None:
        chance = np.random.default_rng(2)
        with psycopg.connect(address, autocommit=True) as connection:
            while not ended.is_set():
                values = (str(chance.choice(sessions)), dense(vectors[0]))
                began = time.perf_counter()
                connection.execute(_SEARCH.format(name=form.name).encode(), values).fetchall()
                waits.append(time.perf_counter() - began)
                ended.wait(0.05)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield lambda: waits
    finally:
        ended.set()
        thread.join()


if __name__ == "__main__":
    main()
