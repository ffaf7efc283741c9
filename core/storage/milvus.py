"""Milvus, for vectors and words of all sessions: its server, its collections, its errors.

A collection is shared by all sessions, with the session as partition key. Vectors have one for each
embedding model (a collection has one number of dimensions), words have two: passages, and counts by
document. `footnote_indexes` says which indexes there are: Milvus cannot list the distinct values of
a field. Filters are made here, of ids that were checked, numbers and terms.

Only modules below `core/storage` that are named after it import pymilvus.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from core.errors import IndexDamaged, IndexUnreachable, SettingsError, StorageError
from core.ids import checked_index, checked_uuid, cut_of_index, session_of_index

if TYPE_CHECKING:
    from pymilvus import CollectionSchema, DataType, MilvusClient
    from pymilvus.milvus_client.index import IndexParams

log = logging.getLogger(__name__)

Row = dict[str, Any]

SCHEMES = {"milvus": "http", "milvus+https": "https"}
"""How INDEX_URL begins, and what the client calls it."""
MOST_FOUND = 16_384
"""The most rows that Milvus returns at once."""
SHORT = 16
"""Characters of a model's digest that name its collection."""
_PREFIX = "footnote_"
_SECONDS = 30.0  # for one call
_AT_ONCE = 500  # rows written or read by key
_LONGEST_KEY = 200
_LONGEST_TEXT = 65_535  # bytes
_GRAPH = {"M": 32, "efConstruction": 200}
_SPARSE = {"inverted_index_algo": "DAAT_MAXSCORE"}
_NOT_FOUND = 100  # of Milvus: the collection is not there
_UNAVAILABLE = (2, 101, "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "RESOURCE_EXHAUSTED")
"""Of pymilvus; of Milvus, whose collection is not loaded after a start; of gRPC."""
_STRONG = "Strong"  # sees what any process wrote; searches see what this one wrote


@dataclass(frozen=True, slots=True)
class Collection:
    """The form of a collection: its own scalar fields, and its vector's (0 dimensions: sparse).

    Each has `key`, which is the primary key, and `session_id`, the partition key.
    """

    name: str
    vector: str
    dimension: int = 0
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


INDEXES = Collection(f"{_PREFIX}indexes", "nothing", 0, ("model",), ("cut", "stamp"))
"""A row for each index and model, and one for the words of each: `stamp` changes with them."""
WORDS = Collection(f"{_PREFIX}words", "weights", 0, ("document_id", "lengths", "body"), ("cut",))
COUNTS = Collection(
    f"{_PREFIX}counts",
    "counts",
    0,
    ("document_id", "language", "tokens"),
    ("cut", "stamp", "chunks"),
)
OF_WORDS = "words"
"""Stands for a model in the row of an index of words."""
NOTHING = {0: 1.0}
"""A vector where Milvus wants one and there is none to keep."""


def vectors_of(model: str, dimension: int = 0) -> Collection:
    """The collection of a model's vectors."""
    return Collection(
        f"{_PREFIX}vectors_{model}", "embedding", dimension, ("document_id",), ("cut",)
    )


class Milvus:
    """A connection to the server that INDEX_URL names, opened at its first use. Thread-safe.

    Raises `IndexUnreachable` where the server does not answer, `IndexDamaged` where a collection
    is gone, and `StorageError` for everything else that it refuses.
    """

    def __init__(self, url: str) -> None:
        _need_client()
        self._address = _address_of(url)
        self._client: MilvusClient | None = None
        self._dimensions: dict[str, int] = {}  # of the collections that are known to be there
        self._closings = 0  # so often has the connection been closed
        self._opening = threading.Lock()
        self._writing = threading.RLock()  # the embedded edition wants one writer

    def put(self, collection: Collection, rows: Sequence[Row]) -> None:
        """Write rows, or replace those with the same keys; the collection is made if need be."""
        with self._writing, self._our_errors():
            self._make(collection)
            for start in range(0, len(rows), _AT_ONCE):
                part = list(rows[start : start + _AT_ONCE])
                self._open().upsert(collection.name, part, timeout=_SECONDS)

    def get(
        self, name: str, keys: Sequence[str], fields: Sequence[str], *, strong: bool = False
    ) -> list[Row]:
        """Return the rows with these keys, in any order; `strong`: as any process left them."""
        found: list[Row] = []
        how = {"consistency_level": _STRONG} if strong else {}
        with self._our_errors():
            if self._size(name) is None:
                return found
            for start in range(0, len(keys), _AT_ONCE):
                part = list(keys[start : start + _AT_ONCE])
                found += self._open().get(
                    name, part, output_fields=list(fields), timeout=_SECONDS, **how
                )
        return found

    def rows(self, name: str, where: str, fields: Sequence[str]) -> Iterator[Row]:
        """Yield all rows of a filter, as any process left them."""
        with self._our_errors():
            if self._size(name) is None:
                return
            read = self._open().query_iterator(
                name,
                batch_size=MOST_FOUND,
                filter=where,
                output_fields=list(fields),
                consistency_level=_STRONG,
                timeout=_SECONDS,
            )
            try:
                while part := read.next():
                    yield from part
            finally:
                read.close()

    def some(self, name: str, where: str, fields: Sequence[str], most: int) -> list[Row]:
        """Return at most so many rows of a filter, whichever come first."""
        with self._our_errors():
            if self._size(name) is None:
                return []
            return list(
                self._open().query(
                    name, filter=where, output_fields=list(fields), limit=most, timeout=_SECONDS
                )
            )

    def nearest(
        self,
        collection: Collection,
        vector: Any,
        where: str,
        n: int,
        fields: Sequence[str],
        **parameters: int,
    ) -> list[tuple[Row, float]]:
        """Return the `n` best rows of a filter with their scores: cosines, or inner products."""
        n = min(n, MOST_FOUND)
        with self._our_errors():
            if self._size(collection.name) is None:
                return []
            found = self._open().search(
                collection.name,
                [vector],
                anns_field=collection.vector,
                filter=where,
                limit=n,
                output_fields=list(fields),
                search_params={"params": parameters},
                consistency_level="Session",
                timeout=_SECONDS,
            )
        return [(hit["entity"], float(hit["distance"])) for hit in found[0]]

    def delete(self, name: str, where: str) -> None:
        """Delete the rows of a filter, as any process left them."""
        self._delete(name, filter=where, consistency_level=_STRONG)

    def delete_keys(self, name: str, keys: Sequence[str]) -> None:
        """Delete the rows with these keys; missing ones are no error."""
        for start in range(0, len(keys), _AT_ONCE):
            self._delete(name, ids=list(keys[start : start + _AT_ONCE]))

    def dimension(self, name: str) -> int | None:
        """Return the dimensions of a collection's vectors, None where it is not there."""
        with self._our_errors():
            return self._size(name)

    def drop_all(self) -> None:
        """Remove every collection of ours."""
        with self._writing, self._our_errors():
            for name in self._open().list_collections(timeout=_SECONDS):
                if name.startswith(_PREFIX):
                    self._open().drop_collection(name, timeout=_SECONDS)
            self._dimensions.clear()

    def close(self) -> None:
        """Close the connection; it opens again at the next use."""
        with self._opening:
            client, self._client = self._client, None
            self._closings += 1
            self._dimensions.clear()
        if client is not None:
            client.close()

    # ---------------------------------------------------------------------- which indexes there are

    def note(self, index_name: str, model: str) -> None:
        """Write down that an index holds something of a model, or words, and that it changed."""
        row = {
            "key": f"{index_name}/{model}",
            "session_id": session_of_index(index_name),
            "cut": cut_of_index(index_name),
            "model": model,
            "stamp": new_stamp(),
            INDEXES.vector: NOTHING,
        }
        self.put(INDEXES, [row])

    def stamp(self, index_name: str, model: str) -> int | None:
        """Return what changes when an index is noted, None where it never was."""
        found = self.get(INDEXES.name, [f"{index_name}/{model}"], ["stamp"])
        return int(found[0]["stamp"]) if found else None

    def models(self, where: str) -> set[str]:
        """Return the models whose vectors the indexes of a filter hold."""
        return {row["model"] for row in self.rows(INDEXES.name, where, ["model"])} - {OF_WORDS}

    # --------------------------------------------------------------------------------- inside

    def _delete(self, name: str, **what: Any) -> None:
        with self._writing, self._our_errors():
            if self._size(name) is not None:
                self._open().delete(name, timeout=_SECONDS, **what)

    def _open(self) -> MilvusClient:
        from pymilvus import MilvusClient

        with self._opening:
            if self._client is None:
                self._client = MilvusClient(**self._address, timeout=_SECONDS, dedicated=True)
            return self._client

    def _size(self, name: str) -> int | None:
        """The dimensions of a collection's vectors (0: sparse), None where it is not there."""
        known = self._dimensions.get(name)
        if known is None and self._open().has_collection(name, timeout=_SECONDS):
            known = self._load(name)
            self._dimensions[name] = known
        return known

    def _load(self, name: str) -> int:
        """Have a collection in the server's memory; returns the dimensions of its vectors."""
        for field in self._open().describe_collection(name, timeout=_SECONDS)["fields"]:
            if field["type"] in _vector_types():
                vector, dimension = field["name"], int(field["params"].get("dim", 0))
        if not self._open().list_indexes(name):  # a kill while it was made
            index = _index_of(self._open(), vector, dimension)
            self._open().create_index(name, index, timeout=_SECONDS)
        self._open().load_collection(name, timeout=_SECONDS)  # after a start of the server
        return dimension

    def _make(self, collection: Collection) -> None:
        if self._size(collection.name) is not None:
            return
        index = _index_of(self._open(), collection.vector, collection.dimension)
        self._open().create_collection(
            collection.name,
            schema=_schema_of(self._open(), collection),
            index_params=index,
            consistency_level="Session",
            timeout=_SECONDS,
        )
        self._dimensions[collection.name] = collection.dimension

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        import grpc
        from pymilvus.exceptions import MilvusException

        before = self._closings
        try:
            yield
        except (MilvusException, grpc.RpcError) as error:
            given = error.code() if callable(error.code) else error.code
            code = getattr(given, "name", given)
            away = code in _UNAVAILABLE or getattr(error, "retriable", False)
            if away or self._closings != before:  # another thread has met it first
                if self._closings == before:
                    self.close()  # the client does not find a server that comes back
                raise IndexUnreachable("The server of vectors and words does not answer.") from None
            if code == _NOT_FOUND:
                self._dimensions.clear()
                raise IndexDamaged("Vectors or words are gone from their server.") from None
            # Its message may have words of a question in it.
            log.warning("The server of vectors and words refused a request: code %s", code)
            raise StorageError("The server of vectors and words refused a request.") from None


def is_milvus(url: str) -> bool:
    """Return whether an address is one for INDEX_URL."""
    return url.partition("://")[0] in SCHEMES


def new_stamp() -> int:
    """A number by chance, 0 to 2^62 - 1."""
    return secrets.randbits(62)


def quoted(value: str | list[str]) -> str:
    """A text, or a list of texts, as it stands in a filter."""
    return json.dumps(value, ensure_ascii=False)


def of_session(session_id: str) -> str:
    """The filter for the rows of a session. Raises `InvalidId`."""
    return f"session_id == {quoted(checked_uuid(session_id))}"


def of_index(index_name: str) -> str:
    """The filter for the rows of an index. Raises `InvalidId`."""
    checked_index(index_name)
    return f"{of_session(session_of_index(index_name))} and cut == {cut_of_index(index_name)}"


def of_documents(documents: Iterable[str]) -> str:
    """The filter for the rows of these documents."""
    return f"document_id in {quoted(sorted(documents))}"


def remove_all(url: str) -> None:
    """Remove everything of ours from the server: it is made again from the catalogue."""
    server = Milvus(url)
    try:
        server.drop_all()
    finally:
        server.close()


def _schema_of(client: MilvusClient, collection: Collection) -> CollectionSchema:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=_LONGEST_KEY)
    schema.add_field("session_id", DataType.VARCHAR, is_partition_key=True, max_length=36)
    for name in collection.texts:
        schema.add_field(name, DataType.VARCHAR, max_length=_LONGEST_TEXT)
    for name in collection.numbers:
        schema.add_field(name, DataType.INT64)
    dense, sparse = _vector_types()
    if collection.dimension:
        schema.add_field(collection.vector, dense, dim=collection.dimension)
    else:
        schema.add_field(collection.vector, sparse)
    return schema


def _index_of(client: MilvusClient, vector: str, dimension: int) -> IndexParams:
    index = client.prepare_index_params()
    if dimension:
        index.add_index(vector, "HNSW", metric_type="COSINE", params=_GRAPH)
    else:
        index.add_index(vector, "SPARSE_INVERTED_INDEX", metric_type="IP", params=_SPARSE)
    return index


def _vector_types() -> tuple[DataType, DataType]:
    """The types of dense and of sparse vectors."""
    from pymilvus import DataType

    return DataType.FLOAT_VECTOR, DataType.SPARSE_FLOAT_VECTOR


def _address_of(url: str) -> dict[str, str]:
    """What the client is given; user and password are in the address, as in DATABASE_URL."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    user = unquote(parts.username or "")
    return {
        "uri": f"{SCHEMES[parts.scheme]}://{host}:{parts.port or 19530}",
        "token": f"{user}:{unquote(parts.password or '')}" if user else "",
        "db_name": unquote(parts.path.strip("/")),
    }


def _need_client() -> None:
    """Import the client, which takes seconds. Raises `SettingsError` where it is not installed.

    It reads `.env` into the environment, where no key of ours shall be, and writes requests to
    a log of its own, which our errors take the place of.
    """
    before = dict(os.environ)
    try:
        importlib.import_module("pymilvus")
    except ImportError as error:
        raise SettingsError(
            "INDEX_URL names a Milvus server, and the client for it is not installed.",
            "Run `pip install -r requirements-milvus.txt` (or install footnote[milvus]).",
        ) from error
    finally:
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
    for logger in ("pymilvus", "pymilvus.milvus_client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
