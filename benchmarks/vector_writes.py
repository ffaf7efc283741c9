"""How long the rest of the program stands still while vectors are written and deleted.

    python -m benchmarks.vector_writes [--rows 3000] [--equal]

Chroma at once, as its own client would be called, beside the store of this program, on the same
vectors: rows a second, and the longest time in which another thread did not get on. `--equal`
writes one vector again and again, which is what a hostile or empty file comes to.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from core.config import Settings
from core.ids import new_id
from core.storage.vectors.chroma.client import HNSW, connect
from core.storage.vectors.chroma.store import ChromaStore
from core.storage.vectors.port import Vectors

_DIMENSION = 384
_CLUSTERS = 50
_TICK = 0.002  # seconds that the other thread sleeps between two looks at the clock


def main() -> None:
    """Write and delete as often as asked, both ways; print a table."""
    given = _arguments()
    vectors = _equal(given.rows) if given.equal else _clustered(given.rows)
    print("| how | written a second | stood still | deleted a second | stood still |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for how, opened in (("at once", _at_once), ("the program's store", _ours)):
            settings = Settings(data_dir=Path(folder, how), chroma_dir=Path(folder, how, "chroma"))
            with opened(settings) as (add, delete):
                ids = [f"{new_id()}:{row}" for row in range(len(vectors))]
                figures = (
                    _measured(partial(add, ids, vectors), given.rows),
                    _measured(partial(delete, ids), given.rows),
                )
            cells = " | ".join(f"{rate:,.0f} | {still * 1000:,.0f} ms" for rate, still in figures)
            print(f"| {how} | {cells} |", flush=True)


Writing = tuple[Callable[[list[str], Vectors], object], Callable[[list[str]], object]]


@contextmanager
def _at_once(settings: Settings) -> Iterator[Writing]:
    client = connect(settings.chroma_dir)
    collection = client.create_collection(
        new_id(), embedding_function=None, configuration={"hnsw": HNSW}
    )
    yield (
        lambda ids, vectors: collection.upsert(ids=ids, embeddings=vectors),
        lambda ids: collection.delete(ids=ids),
    )


@contextmanager
def _ours(settings: Settings) -> Iterator[Writing]:
    store, session = ChromaStore(settings), new_id()
    yield (
        lambda ids, vectors: store.add(session, ids, vectors),
        lambda ids: store.delete_document(session, ids),
    )
    store.close()


def _measured(work: Callable[[], object], rows: int) -> tuple[float, float]:
    """Rows a second, and the longest time in seconds that another thread waited."""
    over, longest = threading.Event(), [0.0]

    def watch() -> None:
        last = time.perf_counter()
        while not over.is_set():
            time.sleep(_TICK)
            now = time.perf_counter()
            longest[0], last = max(longest[0], now - last), now

    watching = threading.Thread(target=watch)
    watching.start()
    began = time.perf_counter()
    work()
    took = time.perf_counter() - began
    over.set()
    watching.join()
    return rows / took, longest[0]


def _clustered(rows: int) -> Vectors:
    chance = np.random.default_rng(0)
    centres = chance.standard_normal((_CLUSTERS, _DIMENSION))
    near = centres[chance.integers(_CLUSTERS, size=rows)]
    return (near + 0.5 * chance.standard_normal(near.shape)).astype(np.float32)


def _equal(rows: int) -> Vectors:
    return np.tile(np.random.default_rng(0).standard_normal(_DIMENSION), (rows, 1)).astype("f4")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=3_000, help="at most 5,000")
    parser.add_argument("--equal", action="store_true", help="the same vector in every row")
    return parser.parse_args()


if __name__ == "__main__":
    main()
