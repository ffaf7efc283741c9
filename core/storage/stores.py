"""The stores of one process together, and the locks on the indexes of sessions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.config import Settings
from core.models.embedding import Embedder
from core.storage.catalogue import Catalogue
from core.storage.files.originals import Originals
from core.storage.lexical.index import LexicalIndex
from core.storage.vectors.port import VectorStore
from core.types import Chunk

_STRIPES = 64


class SessionLocks:
    """Locks by session: its indexes are changed by one thread at a time."""

    def __init__(self) -> None:
        self._locks = tuple(threading.RLock() for _ in range(_STRIPES))

    @contextmanager
    def hold(self, session_id: str) -> Iterator[None]:
        """Hold the lock of this session during the block."""
        with self._locks[hash(session_id) % _STRIPES]:
            yield


@dataclass(frozen=True)
class Stores:
    """Catalogue and originals, the two indexes made from them, and the embedding model."""

    settings: Settings
    catalogue: Catalogue
    originals: Originals
    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Callable[[], Embedder]
    embedding_text: Callable[[Chunk, str], str]
    locks: SessionLocks = field(default_factory=SessionLocks)
    opened: float = field(default_factory=time.time)
    """When this process began (seconds since 1970): later files may just be coming in."""
