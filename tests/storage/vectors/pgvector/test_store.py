"""pgvector's own: the graph of a large session, and that it goes with it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from core.config import Settings
from core.ids import new_id
from core.storage.sql.database import Database
from core.storage.vectors.pgvector import store as module
from core.storage.vectors.pgvector.store import PgvectorStore
from tests.grown.server import Server
from tests.storage.vectors.made import named, random_vectors

pytestmark = pytest.mark.grown


@pytest.fixture
def store(settings: Settings) -> Iterator[PgvectorStore]:
    """An open store that follows a model."""
    database = Database(settings)
    store = PgvectorStore(database)
    store.follow(lambda _: "e" * 64, lambda _: None)
    yield store
    database.close()


def graphs(server: Server, url: str) -> list[str]:
    found = "SELECT relname FROM pg_class WHERE relkind = 'i' AND relname LIKE 'graph_%'"
    return [name for (name,) in server.run(found, url.rpartition("/")[2])]


def test_a_session_of_many_has_a_graph_until_it_is_deleted(
    store: PgvectorStore, monkeypatch: pytest.MonkeyPatch, database: str, postgresql: Server
) -> None:
    monkeypatch.setattr(module, "GRAPH_FROM", 3_000)
    large, small, vectors = new_id(), new_id(), random_vectors(4_000)
    store.add(large, named("d", 4_000), vectors)
    store.add(small, named("d", 200), vectors[:200])
    assert graphs(postgresql, database) == []
    store.settle()
    (graph,) = graphs(postgresql, database)
    assert large.replace("-", "") in graph
    postgresql.run("ANALYZE vectors", database.rpartition("/")[2])
    found = 0
    for number in range(20):
        exact = {f"d:{at}" for at in np.argsort(-(vectors @ vectors[number]))[:50]}
        found += len(exact & {i for i, _ in store.query(large, vectors[number], 50)})
    assert found >= 0.99 * 20 * 50
    store.settle()
    assert graphs(postgresql, database) == [graph], "it is made once"
    few = store.query(large, vectors[0], 50, {"d"}, allowed_ids=named("d", 4_000))
    assert len(few) == 50
    store.delete_session(large)
    assert graphs(postgresql, database) == []
    assert len(store.ids(small)) == 200


def test_graphs_are_out_of_the_way_of_clean_up_and_made_again_after_a_kill_too(
    store: PgvectorStore, monkeypatch: pytest.MonkeyPatch, database: str, postgresql: Server
) -> None:
    monkeypatch.setattr(module, "GRAPH_FROM", 1_000)
    large, vectors = new_id(), random_vectors(1_000)
    store.add(large, named("d", 1_000), vectors)
    store.add(new_id(), named("d", 10), vectors[:10])
    store.settle()
    (graph,) = graphs(postgresql, database)
    store.purge()
    assert graphs(postgresql, database) == []
    again = PgvectorStore(store.database)  # of another process, which knows of nothing
    again.follow(lambda _: "e" * 64, lambda _: None)
    again.settle()
    assert graphs(postgresql, database) == [graph]
    store.purge()
    store.settle()
    assert graphs(postgresql, database) == [graph]


def test_vectors_of_another_model_wait_for_its_return(store: PgvectorStore) -> None:
    session, vectors = new_id(), random_vectors(5)
    store.add(session, named("d", 5), vectors)
    store.follow(lambda _: "f" * 64, lambda _: None)
    assert store.ids(session) == set()
    store.add(session, named("d", 2), np.ones((2, 8), np.float32))
    store.follow(lambda _: "e" * 64, lambda _: None)
    assert store.ids(session) == set(named("d", 5))
    store.drop_others(session)
    store.follow(lambda _: "f" * 64, lambda _: None)
    assert store.ids(session) == set()
