"""While vectors are written the rest of the process gets on: Chroma holds the interpreter."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from core.config import Settings
from core.ids import new_id
from core.storage.vectors.chroma import client
from core.storage.vectors.chroma.client import MOST_ROWS, in_slices
from core.storage.vectors.chroma.store import ChromaStore

pytestmark = pytest.mark.F30


class Clock:
    """Time as the test sets it; sleeping takes no time, and is noted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.others, self.slept = 0.0, 0.0, 0.0
        monkeypatch.setattr(client.time, "process_time", lambda: self.now)
        monkeypatch.setattr(client.time, "perf_counter", lambda: self.now + self.others)
        monkeypatch.setattr(client.time, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.slept += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still but for the work."""
    return Clock(monkeypatch)


def written(clock: Clock, rows: int, seconds_each: float, *, waited: float = 0.0) -> list[int]:
    """Write so many rows; how many were written at once each time.

    Each part waits for so many seconds until the machine has time for it.
    """
    sizes: list[int] = []

    def write(part: slice) -> None:
        assert part.start == sum(sizes)
        sizes.append(len(range(rows)[part]))
        clock.now += sizes[-1] * seconds_each
        clock.others += waited

    in_slices(rows, write, threading.Lock())
    assert sum(sizes) == rows
    return sizes


def test_slow_rows_are_written_a_few_at_a_time(clock: Clock) -> None:
    sizes = written(clock, 2000, 0.01)
    assert sizes[0] == 100
    assert max(sizes[1:]) == 20


def test_parts_do_not_shrink_to_nothing(clock: Clock) -> None:
    assert written(clock, 120, 0.5)[1:] == [20]


def test_a_busy_machine_does_not_make_parts_smaller(clock: Clock) -> None:
    sizes = written(clock, 2000, 1e-5, waited=1.0)
    assert sizes == sorted(sizes[:-1]) + sizes[-1:]
    assert clock.slept < 0.1


def test_fast_rows_are_not_held_up(clock: Clock) -> None:
    sizes = written(clock, 20_000, 1e-6)
    assert len(sizes) < 15
    assert max(sizes) == MOST_ROWS


def test_the_others_have_as_long_after_each_slice(clock: Clock) -> None:
    written(clock, 1000, 0.001)
    assert clock.slept == pytest.approx(clock.now, rel=0.2)


def test_a_small_document_waits_for_nothing(clock: Clock) -> None:
    assert written(clock, 100, 0.01) == [100]
    assert clock.slept == 0


def test_other_writers_get_on_between_slices(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, free = threading.Lock(), []
    monkeypatch.setattr(client.time, "sleep", lambda _: free.append(not lock.locked()))
    in_slices(500, lambda part: None, lock)
    assert free
    assert all(free)


def test_the_store_writes_and_deletes_in_slices(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chromadb.api.models.Collection import Collection

    most = {"upsert": 0, "delete": 0}

    def watch(name: str, real: Callable[..., object]) -> None:
        def noted(self: Collection, ids: list[str], **more: object) -> object:
            most[name] = max(most[name], len(ids))
            return real(self, ids=ids, **more)

        monkeypatch.setattr(Collection, name, noted)

    watch("upsert", Collection.upsert)
    watch("delete", Collection.delete)
    store, session, ids = ChromaStore(settings), new_id(), [f"d:{row}" for row in range(1500)]
    vectors = np.random.default_rng(0).standard_normal((1500, 32)).astype(np.float32)
    try:
        store.add(session, ids, vectors)
        assert store.ids(session) == set(ids)
        store.delete_document(session, ids)
        assert store.ids(session) == set()
    finally:
        store.close()
    assert 0 < most["upsert"] < 1500
    assert 0 < most["delete"] < 1500
