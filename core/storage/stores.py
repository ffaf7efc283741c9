"""The stores of one process, opened and closed together, and locks by session."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from core.config import Settings
from core.errors import SettingsError
from core.models.embedding import load_embedder
from core.models.lazy_embedder import LazyEmbedder
from core.models.port import Embedder
from core.storage.catalogue import Catalogue
from core.storage.files.lock import DataLock
from core.storage.files.originals import Originals
from core.storage.files.private import keep_private
from core.storage.lexical.port import LexicalIndex
from core.storage.lexical.registry import lexical_adapter
from core.storage.sql.database import Database
from core.storage.sql.postgresql import OF_ADDING, OF_SESSIONS, number_of
from core.storage.vectors.port import REBUILDING, Vectors, VectorStore
from core.storage.vectors.registry import vector_adapter
from core.types import Chunk, Cut

_STRIPES = 64
_COMING_IN = 600.0
"""Seconds for which a file may be there before its row, where other processes add files too."""

T = TypeVar("T")


class SessionLocks:
    """Locks by session: what they guard is done by one thread at a time.

    Where several processes share the database, of all their threads: whoever holds the lock in a
    process first takes the database's. It is taken before a transaction begins, so that the
    transaction sees what the last holder left; `kind` tells the purposes apart.
    """

    def __init__(self, database: Database, kind: int) -> None:
        self._database, self._kind = database, kind
        self._locks = tuple(threading.RLock() for _ in range(_STRIPES))
        self._held = threading.local()

    @contextmanager
    def hold(self, session_id: str) -> Iterator[None]:
        """Hold the lock of this session during the block; it may be held already."""
        held: set[str] = self._held.__dict__.setdefault("sessions", set())
        if session_id in held:
            yield
            return
        mine = self._locks[number_of(session_id) % _STRIPES]
        with mine, self._database.lock(self._kind, session_id):
            held.add(session_id)
            try:
                yield
            finally:
                held.discard(session_id)


@dataclass
class Stores:
    """Catalogue and originals, the two indexes made from them, and the embedding models."""

    settings: Settings
    data_lock: DataLock
    catalogue: Catalogue
    originals: Originals
    vectors: VectorStore
    lexical: LexicalIndex
    locks: SessionLocks
    """On the indexes of a session."""
    deciding: SessionLocks
    """On what is added to a session, for a shorter time."""
    opened: float = field(default_factory=time.time)
    """When this process began (seconds since 1970): later files may just be coming in."""
    _embedder: Embedder | None = None
    _others: dict[str, LazyEmbedder] = field(default_factory=dict)
    _loading: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.vectors.follow(self._model_of, self._made_with)

    def embedder(self, model: str = "") -> Embedder:
        """Return the embedding model of this name, "" for that of the program.

        The program's is loaded at the first call, which raises `ModelUnavailable` where it cannot
        be; another one is loaded, and raises, when its first vector is wanted.
        """
        with self._loading:
            if model:
                if model not in self._others:
                    load = partial(load_embedder, _with_model(self.settings, model))
                    self._others[model] = LazyEmbedder(model, load)
                return self._others[model]
            if self._embedder is None:
                self._embedder = load_embedder(self.settings)
            return self._embedder

    def forget_models(self) -> None:
        """Let go of embedding models that no session is indexed with any more."""
        if self._others:
            in_use = self.catalogue.cuts.models()
            with self._loading:
                self._others = {name: one for name, one in self._others.items() if name in in_use}

    def add_to_cut(
        self,
        cut: Cut,
        title: str,
        language: str,
        chunks: Sequence[Chunk],
        vectors: Vectors,
    ) -> None:
        """Put the chunks that one document has in a cut into both of its indexes."""
        self.vectors.add(cut.index, [chunk.id for chunk in chunks], vectors)
        self.lexical.add(cut.index, chunks, [title] * len(chunks), language=language)

    def together(self, work: Callable[[], T]) -> T:
        """Call `work`; where catalogue and indexes are one database it is one transaction there.

        It may be called again (`Database.together`).
        """
        return self.catalogue.database.together(work)

    def unindex(self, session_id: str, document_id: str, chunk_ids: Sequence[str]) -> None:
        """Take a document out of the indexes of every cut; what is not there is no error."""
        with self.locks.hold(session_id):
            for cut in self.catalogue.cuts.standing(session_id):
                mine = [chunk_id for chunk_id in chunk_ids if cut.holds(chunk_id)]
                self.vectors.delete_document(cut.index, mine)
                self.lexical.delete_document(cut.index, document_id)

    def note_model(self, cut: Cut) -> None:
        """Note which model makes the vectors of a cut, at the first ones."""
        if self.catalogue.cuts.collection(cut) is None:
            # What is there already may be another model's.
            embedder = self.embedder(cut.cutting.model)
            self.catalogue.cuts.set_collection(
                cut, embedder.name, embedder.digest, embedder.dimension
            )

    def close(self) -> None:
        """Close the stores and give the lock on the data directory back."""
        self.lexical.close()
        self.vectors.close()
        self.catalogue.close()
        self.data_lock.release()

    def _made_with(self, index_name: str) -> str | None:
        """The digest of the model that made the vectors of an index."""
        cut = self.catalogue.cuts.of_index(index_name)
        collection = None if cut is None else self.catalogue.cuts.collection(cut)
        return None if collection is None else collection[1]

    def _model_of(self, index_name: str) -> str:
        """The digest of the model that an index is to be of; as it is while it is not loaded."""
        cut = self.catalogue.cuts.of_index(index_name)
        other = self._others.get(cut.cutting.model) if cut else None
        of_program = cut is None or not cut.cutting.model
        loaded = self._embedder if of_program else other and other.loaded
        if loaded is not None:
            return loaded.digest
        made_with = self._made_with(index_name)
        return "" if made_with in (None, REBUILDING) else made_with


def _with_model(settings: Settings, name: str) -> Settings:
    """The settings for another embedding model: prompts are set for the program's own."""
    prompts = {"embedding_query_prompt": "", "embedding_text_prompt": ""}
    return settings.model_copy(update={"embedding_model": name, **prompts})


def open_stores(settings: Settings, lock: DataLock | None = None, *, alone: bool = False) -> Stores:
    """Take the lock on the data directory, unless it is given, and open the stores in it.

    Where several processes may work on the database, `alone` takes it for this one.
    Raises `DataDirectoryInUse` where another process has the lock, and `StorageError` and its
    kinds where a store cannot be opened.
    """
    if settings.originals_url and not settings.in_postgresql:
        raise SettingsError(
            "ORIGINALS_URL is for several processes on one PostgreSQL, which DATABASE_URL must "
            "name.",
            "Set DATABASE_URL too, or take ORIGINALS_URL out.",
        )
    with ExitStack() as undone:
        keep_private(settings)
        data_lock = undone.enter_context(lock or DataLock(settings))
        catalogue = Catalogue(settings)
        undone.callback(catalogue.close)
        catalogue.database.take(shared=bool(settings.originals_url) and not alone)
        vectors = vector_adapter(settings).open(settings, catalogue.database)
        undone.callback(vectors.close)
        lexical = lexical_adapter(settings).open(settings, catalogue.database)
        undone.callback(lexical.close)
        originals = Originals(settings)
        originals.files.check()
        undone.pop_all()
    database = catalogue.database
    return Stores(
        settings,
        data_lock,
        catalogue,
        originals,
        vectors,
        lexical,
        SessionLocks(database, OF_SESSIONS),
        SessionLocks(database, OF_ADDING),
        time.time() - (_COMING_IN if settings.originals_url else 0.0),
    )
