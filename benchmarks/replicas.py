"""One process against several on one database: how many documents and answers a minute.

Part of `benchmarks.growth` (`--replicas 1 2`). Documents are uploaded to all processes in turn, and
questions asked of all at once; both by the API, as programs do. The database is emptied before
each number of processes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.grown.replicas import Client, key_of_somebody, replicas

_PARAGRAPHS = 60  # of a document
_ASKING = 8  # at once


def compare(url: str, counts: Sequence[int], sessions: int, documents: int, rounds: int) -> None:
    """Print a line for each number of processes, in turns."""
    for _ in range(rounds):
        for count in counts:
            _empty(url)
            with tempfile.TemporaryDirectory(prefix="footnote-replicas-") as folder:
                read, answered = _measured(Path(folder), url, count, sessions, documents)
            print(
                f"{count} processes, {sessions} sessions, {documents} documents: "
                f"{60 * read:.0f} read and {60 * answered:.0f} answered a minute",
                flush=True,
            )
    print(_bytes(url))


def _bytes(url: str) -> str:
    """What a passage takes on the server's disk, by table with its indexes, the largest first."""
    sizes = text(
        "SELECT tablename, pg_total_relation_size(tablename::regclass) / "
        "(SELECT count(*) FROM vectors) FROM pg_tables WHERE schemaname = current_schema() "
        "ORDER BY 2 DESC LIMIT 8"
    )
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with closing(engine.connect()) as connection:
        connection.execute(text("VACUUM FULL"))
        found = [f"{name} {size}" for name, size in connection.execute(sizes)]
        letters = connection.scalar(text('SELECT avg("end" - start) FROM chunks'))
    engine.dispose()
    return f"bytes a passage of {letters:.0f} characters, with indexes: {', '.join(found)}"


def _measured(
    folder: Path, url: str, count: int, sessions: int, documents: int
) -> tuple[float, float]:
    """Documents read and questions answered, a second."""
    names = [f"process-{number}" for number in range(count)]
    with replicas(folder, url, names) as processes, ExitStack() as closed:
        key = key_of_somebody(folder, url)
        clients = [closed.enter_context(Client(one.url, key)) for one in processes]
        made = [clients[number % count].session() for number in range(sessions)]
        _add(clients, made, 0)  # the first document of a process takes longer than the next one
        began = time.monotonic()
        for number in range(1, documents + 1):
            _add(clients, made, number)
        for session in made:
            states = clients[0].settled(session, 900)
            assert set(states.values()) <= {"ready"}, states
        read = documents / (time.monotonic() - began)

        def ask(number: int) -> None:
            session, client = made[number % sessions], clients[number % count]
            answer = client.answer(session, f"What is the code of pier {number}?")
            assert f"K{number:05}" in answer, answer

        for number in range(count):
            ask(number)
        began = time.monotonic()
        with ThreadPoolExecutor(_ASKING) as pool:
            list(pool.map(ask, range(1, documents + 1)))
        return read, documents / (time.monotonic() - began)


def _add(clients: Sequence[Client], sessions: Sequence[str], number: int) -> None:
    lines = "\n\n".join(f"Line {n} of pier {number} says little." for n in range(_PARAGRAPHS))
    document = {f"{number}.txt": f"The code of pier {number} is K{number:05}.\n\n{lines}"}
    clients[number % len(clients)].add(sessions[number % len(sessions)], document)


def _empty(url: str) -> None:
    """Remove all tables."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with closing(engine.connect()) as connection:
        of = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        for name in connection.scalars(text(of)).all():
            connection.execute(text(f'DROP TABLE IF EXISTS "{name}" CASCADE'))
    engine.dispose()
