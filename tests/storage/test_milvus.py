"""Vectors and words in Milvus: ranked as in the embedded form, and repaired from the catalogue."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import grpc
import numpy as np
import pytest

from core.config import Settings
from core.errors import IndexUnreachable, StorageError
from core.ids import new_id
from core.maintenance.checking import Trouble, check, check_session
from core.maintenance.reconcile import Mender, remove_strays
from core.storage.lexical.milvus.index import MilvusIndex
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.milvus import COUNTS, INDEXES, WORDS, Milvus, _schema_of, remove_all
from core.storage.stores import Stores, open_stores
from core.storage.vectors.chroma.store import ChromaStore
from core.storage.vectors.milvus.store import MilvusStore
from core.types import Cut, DocumentState
from tests.conftest import eventually, settled
from tests.grown.milvus import Server
from tests.storage.lexical.sparsevec.test_against_tantivy import QUERIES, documents
from tests.storage.made import store as put_in_catalogue
from tests.storage.vectors.made import named, random_vectors
from tests.support.small_library import HashEmbedder, all_found, fill, opened

pytestmark = pytest.mark.milvus

ROOT = Path(__file__).resolve().parents[2]
PHRASES = ('"river lamp"', '"stone bridge"', '"lampation"')


@pytest.fixture
def stores(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stores]:
    """Open stores, with a session of three documents in the catalogue and both indexes."""
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda _: HashEmbedder("one"))
    stores = open_stores(settings)
    stores.embedder()
    session_id = stores.catalogue.sessions.create(stores.catalogue.owners.create("a" * 64), "M").id
    for name in "abc":
        put_in_catalogue(stores.catalogue, session_id, name * 64, [f"Text of {name}."], name)
        stores.originals.write(session_id, name * 64, b"original")
    Mender(stores).mend(session_id)
    assert check(stores) == []
    yield stores
    stores.close()


def the_session(stores: Stores) -> str:
    (session_id,) = stores.catalogue.sessions.ids()
    return session_id


# ------------------------------------------------------------------------------------- rankings


def test_the_same_nearest_as_exact_and_as_chroma(settings: Settings) -> None:
    """In two sessions of one collection: recall@50, and the first ten in the same order."""
    with closing(MilvusStore(settings)) as ours, closing(ChromaStore(settings)) as chroma:
        for seed, count in ((1, 1500), (2, 300)):
            session, vectors = new_id(), random_vectors(count, seed)
            ours.add(session, named("d", count), vectors)
            chroma.add(session, named("d", count), vectors)
            found = 0
            for query in random_vectors(20, seed + 10):
                order = np.argsort(-(vectors @ query))
                exact = [f"d:{position}" for position in order[:50]]
                here = [chunk_id for chunk_id, _ in ours.query(session, query, 50)]
                there = [chunk_id for chunk_id, _ in chroma.query(session, query, 10)]
                assert here[:10] == exact[:10] == there
                found += len(set(here) & set(exact))
            assert found >= 0.99 * 20 * 50


def test_the_same_chunks_by_words_with_the_scores_of_tantivy(settings: Settings) -> None:
    with closing(MilvusIndex(settings)) as ours, closing(TantivyIndex(settings)) as oracle:
        session = new_id()
        for chunks, title, language in documents():
            for index in (ours, oracle):
                index.add(session, chunks, [title] * len(chunks), language)
        for query in QUERIES:
            found, expected = ours.query(session, query, 50), oracle.query(session, query, 50)
            assert [score for _, score in found] == pytest.approx(
                [score for _, score in expected], rel=1e-3
            )
            assert len({i for i, _ in found[:10]} & {i for i, _ in expected[:10]}) >= 9
        for phrase in PHRASES:
            found = {i for i, _ in ours.query(session, phrase, 1_000)}
            assert found == {i for i, _ in oracle.query(session, phrase, 1_000)}
        allowed = {f"d{number}" for number in range(5, 15)}
        some = [i for i, _ in ours.query(session, "river bridge", 50, allowed)]
        assert some == [i for i, _ in oracle.query(session, "river bridge", 50, allowed)]
        for number in range(0, 120, 3):  # what is known of the session is of before
            ours.delete_document(session, f"d{number}")
        kept = ours.query(session, QUERIES[0], 20)
        with closing(MilvusIndex(settings)) as other:  # that has never seen the earlier ones
            assert other.query(session, QUERIES[0], 20) == kept


def test_how_rare_a_word_is_in_other_sessions_does_not_count(settings: Settings) -> None:
    with closing(MilvusIndex(settings)) as index:
        mine, yours = new_id(), new_id()
        (chunks, title, language), *others = documents()
        index.add(mine, chunks, [title] * len(chunks), language)
        before = index.query(mine, QUERIES[0], 10)
        for more, title, language in others[:20]:
            index.add(yours, more, [title] * len(more), language)
        assert before
        assert index.query(mine, QUERIES[0], 10) == before


def test_the_session_is_the_partition_key_of_every_collection(
    stores: Stores, milvus: Server, index_url: str
) -> None:
    from pymilvus import MilvusClient

    uri, _, name = index_url.replace("milvus://", "http://").rpartition("/")
    with closing(MilvusClient(uri, db_name=name)) as client:
        made = client.list_collections()
        assert {WORDS.name, COUNTS.name, INDEXES.name} < set(made)
        for collection in made:
            fields = client.describe_collection(collection)["fields"]
            assert [f["name"] for f in fields if f.get("is_partition_key")] == ["session_id"]


# ----------------------------------------------------------------- the catalogue stays the truth


def test_what_milvus_lost_is_made_again_from_the_catalogue(stores: Stores, index_url: str) -> None:
    session_id = the_session(stores)
    remove_all(index_url)
    stores.vectors.close()  # as at a start
    stores.lexical.close()
    troubles = {finding.trouble for finding in check(stores)}
    assert troubles == {Trouble.NO_VECTOR, Trouble.NOT_INDEXED}
    Mender(stores).mend(session_id)
    assert check(stores) == []
    assert stores.lexical.query(session_id, "text", 5)


def test_what_milvus_has_too_much_is_removed(stores: Stores) -> None:
    session_id, index = the_session(stores), stores.lexical
    model = stores.embedder()
    for document in ("a" * 64, "f" * 64):  # a passage too much, and a document
        stores.vectors.add(session_id, [f"{document}:7"], model.embed(["too much"]))
    (chunks, title, language), *_ = documents()
    index.add(session_id, chunks, [title] * len(chunks), language)
    troubles = {finding.trouble for finding in check(stores)}
    assert troubles == {Trouble.STRAY_VECTOR, Trouble.STRAY_INDEXED}
    Mender(stores).mend(session_id)
    assert check(stores) == []


@pytest.mark.parametrize("left", ["vectors", "words"])
def test_what_is_of_no_session_is_removed(stores: Stores, left: str) -> None:
    gone = new_id()
    (chunks, title, language), *_ = documents()
    stores.vectors.add(gone, ["f:0"], stores.embedder().embed(["nobody's"]))
    stores.lexical.add(gone, chunks, [title] * len(chunks), language)
    if left == "words":  # a kill between the two deletions
        stores.vectors.delete_session(gone)
    assert gone in stores.vectors.sessions()
    assert remove_strays(stores) == 1
    assert stores.vectors.sessions() == {the_session(stores)}
    assert stores.lexical.ids(gone) == stores.vectors.ids(gone) == set()


def killed_at(server: Milvus, writes: str, at: int, work: Callable[[], object]) -> None:
    """Do work that ends where it would write for this time, counted from 1."""
    write, times = getattr(server, writes), count(1)

    def counted(*given: Any) -> None:
        if next(times) == at:
            raise KeyboardInterrupt
        write(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, writes, counted)
        with pytest.raises(KeyboardInterrupt):
            work()


@pytest.mark.parametrize("at", [1, 2, 3])
def test_words_that_a_kill_left_half_written_are_made_again(stores: Stores, at: int) -> None:
    session_id, index = the_session(stores), stores.lexical
    assert isinstance(index, MilvusIndex)
    index.delete_document(session_id, "a" * 64)
    mend = partial(Mender(stores).mend, session_id)
    killed_at(index._server, "put", at, mend)
    is_whole_after_a_start(stores)


@pytest.mark.parametrize("at", [1, 2])
def test_words_that_a_kill_left_half_removed_are_removed(stores: Stores, at: int) -> None:
    session_id, index = the_session(stores), stores.lexical
    assert isinstance(index, MilvusIndex)
    (chunks, title, language), *_ = documents()
    index.add(session_id, chunks, [title] * len(chunks), language)
    delete = partial(index.delete_document, session_id, chunks[0].document_id)
    killed_at(index._server, "delete", at, delete)
    is_whole_after_a_start(stores)


def is_whole_after_a_start(stores: Stores) -> None:
    assert isinstance(stores.lexical, MilvusIndex)
    stores.lexical.close()
    Mender(stores).mend(the_session(stores))
    assert check(stores) == []
    known, statistics = stores.lexical._statistics(the_session(stores))
    assert (known, statistics.chunks) == ({name * 64 for name in "abc"}, 3)


def test_a_document_that_comes_in_meanwhile_is_not_found_where_it_is_not_allowed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(MilvusIndex(settings)) as index:
        session = new_id()
        (chunks, title, language), (more, other, _), *_ = documents()
        index.add(session, chunks, [title] * len(chunks), language)
        listed = index._statistics(session)
        index.add(session, more, [other] * len(more), language)
        monkeypatch.setattr(index, "_statistics", lambda _: listed)
        allowed = {chunks[0].document_id}
        found = index.query(session, QUERIES[0], 50, allowed)
        assert {chunk_id.rpartition(":")[0] for chunk_id, _ in found} == allowed
        both = index.query(session, QUERIES[0], 50)
        assert len(both) > len(found), "it would be found"


# -------------------------------------------------------------------------- a server that is away


def back(true: Callable[[], bool]) -> bool:
    """Whether it comes true; the embedded edition answers once that a collection is not loaded."""

    def tried() -> bool:
        try:
            return true()
        except IndexUnreachable:
            return False

    return eventually(tried)


@pytest.mark.parametrize("asked_meanwhile", [True, False])
def test_a_server_that_comes_back_is_found_again(
    stores: Stores, milvus: Server, asked_meanwhile: bool
) -> None:
    session_id = the_session(stores)
    query = stores.embedder().embed_query("Text of a.")
    before = stores.vectors.query(session_id, query, 3)
    milvus.stop()
    try:
        if asked_meanwhile:
            for ask in (stores.vectors.ids, stores.lexical.ids):
                with pytest.raises(IndexUnreachable):
                    ask(session_id)
    finally:
        milvus.start()

    assert back(lambda: stores.vectors.query(session_id, query, 3) == before)
    assert back(lambda: stores.lexical.query(session_id, "text", 5) != [])


def test_what_cannot_be_looked_at_is_not_made_again(stores: Stores, milvus: Server) -> None:
    session_id = the_session(stores)
    made_with = stores.catalogue.cuts.collection(Cut(session_id))
    milvus.stop()
    try:
        with pytest.raises(IndexUnreachable):
            Mender(stores).mend(session_id)
    finally:
        milvus.start()
    assert stores.catalogue.cuts.collection(Cut(session_id)) == made_with


def test_documents_wait_for_a_server_that_is_away(
    settings: Settings, milvus: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(settings, HashEmbedder("one")) as service:
        session = fill(service)
        milvus.stop()
        try:
            service.documents.add_file(session, "late.txt", b"Amber glue is boiled.")
            assert eventually(lambda: "vectors and words does not answer" in caplog.text)
        finally:
            milvus.start()
        states = {one.state for one in settled(service, session)}
        assert states == {DocumentState.READY}
        assert back(lambda: all_found(service, session))
        assert check(service.stores) == []


def test_a_connection_that_another_thread_gave_up_says_that_the_server_is_away(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that the index is damaged: it would be made again."""
    assert isinstance(stores.vectors, MilvusStore)
    session_id, server = the_session(stores), stores.vectors._server
    client = server._open()
    ask = client.query_iterator

    def given_up(*given: Any, **more: Any) -> Any:
        server.close()
        return ask(*given, **more)

    monkeypatch.setattr(client, "query_iterator", given_up)
    with pytest.raises(IndexUnreachable):
        stores.vectors.ids(session_id)
    assert check(stores) == []


def refusal(code: Any, **more: bool) -> Exception:
    from pymilvus import MilvusException

    error: Exception = MilvusException(code=code, message="river lamp", **more)
    return error


@pytest.mark.parametrize(
    "how",
    [{"code": 101}, {"code": 8, "retriable": True}, {"code": grpc.StatusCode.RESOURCE_EXHAUSTED}],
)
def test_what_may_be_tried_again_is_no_damage(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    assert isinstance(stores.vectors, MilvusStore)
    client = stores.vectors._server._open()
    monkeypatch.setattr(client, "query_iterator", Mock(side_effect=refusal(**how)))
    with pytest.raises(IndexUnreachable):
        check_session(stores, the_session(stores))
    assert check(stores) == []


def test_a_refusal_is_logged_by_its_code_and_without_words(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert isinstance(stores.lexical, MilvusIndex)
    client = stores.lexical._server._open()
    monkeypatch.setattr(client, "search", Mock(side_effect=refusal(1100)))
    with pytest.raises(StorageError, match="refused") as caught:
        stores.lexical.query(the_session(stores), "text", 5)
    assert "code 1100" in caplog.text
    assert "river" not in caplog.text + str(caught.value)


def test_a_collection_that_was_half_made_is_finished(settings: Settings, index_url: str) -> None:
    """A kill between the collection and its index: a cluster loads none without."""
    from pymilvus import MilvusClient

    uri, _, name = index_url.replace("milvus://", "http://").rpartition("/")
    with (
        closing(MilvusIndex(settings)) as index,
        closing(MilvusClient(uri, db_name=name)) as client,
    ):
        for collection in (WORDS, COUNTS):
            client.create_collection(collection.name, schema=_schema_of(client, collection))
            assert client.list_indexes(collection.name) == []
        (chunks, title, language), *_ = documents()
        index.add(session := new_id(), chunks, [title] * len(chunks), language)
        assert index.query(session, QUERIES[0], 5)
        for collection in (WORDS, COUNTS):
            assert client.list_indexes(collection.name) == [collection.vector]


def test_what_another_process_wrote_is_counted_and_probed_as_it_is_now(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read of what this process wrote alone would leave a word out for as long as it is known."""
    assert isinstance(stores.lexical, MilvusIndex)
    assert isinstance(stores.vectors, MilvusStore)
    session_id, levels = the_session(stores), {}
    for store in (stores.lexical, stores.vectors):
        client = store._server._open()
        get = client.get

        def looked(name: str, *given: Any, get: Any = get, **more: Any) -> Any:
            levels[name] = more.get("consistency_level")
            return get(name, *given, **more)

        monkeypatch.setattr(client, "get", looked)
    stores.lexical.query(session_id, "text", 5)
    stores.vectors.probe(session_id, sorted(stores.vectors.ids(session_id)))
    assert {name for name, level in levels.items() if level != "Strong"} == {INDEXES.name}


# ------------------------------------------------------------------------------------ the client


def test_the_client_brings_no_key_of_a_file_into_the_environment() -> None:
    """It reads `.env` when it is imported, which would undo `hide_secrets`."""
    code = (
        "import os, dotenv\n"
        "dotenv.load_dotenv = lambda *_, **__: os.environ.update(GEMINI_API_KEY='key')\n"
        "from core.storage.milvus import Milvus\n"
        "Milvus('milvus://127.0.0.1:1')\n"
        "import sys; assert 'pymilvus' in sys.modules\n"
        "print('GEMINI_API_KEY' in os.environ)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
