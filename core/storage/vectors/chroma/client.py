"""Chroma itself: how it is opened, how its collections are made, and its errors as ours."""

from __future__ import annotations

import ctypes
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import IndexDamaged, ModelChanged, NotEnoughSpace, StorageError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection

log = logging.getLogger(__name__)

OPEN_INDEXES = 128
"""Indexes that Chroma keeps in memory, 2.5 MB and three files each at least. Left alone it takes
a fifth of the process's limit of open files: 204 of the usual 1,024, 4,000 of 20,000."""
MOST_ROWS = 5_000
"""Chroma takes at most 5,461 at once."""
_FIRST_ROWS, _FEWEST = 100, 20
_HOLDS = 0.05  # seconds that one slice may take, about
_SYNC = 1_000
_FULL = ("(code: 13)", "os error 28")  # of SQLite, of the system
_M_MMAP_THRESHOLD = -3  # of malloc.h
_M_PERTURB = -6
_OWN_PAGES = 128 << 10
HNSW: CreateHNSWConfiguration = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 400,
    "max_neighbors": 32,
    # An index that was never written to its files cannot be read again once another one takes
    # its place in memory ("Nothing found on disk"). So the first vectors are written at once.
    "sync_threshold": 1,
    "batch_size": 1,
}
"""recall@50 against exact search is 1.000 on clustered and 0.989 on random vectors (Chroma's
defaults: 0.978 and 0.628); docs/decisions.md."""


def connect(folder: Path) -> ClientAPI:
    """Chroma in this process on its folder."""
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    quiet = ChromaSettings(anonymized_telemetry=False)
    folder.mkdir(parents=True, exist_ok=True)
    _bound_memory()
    fresh_memory()
    return chromadb.PersistentClient(str(folder), settings=quiet)


def written_in_batches(collection: Collection) -> None:
    """From now on changes go to the index's files a thousand at a time: its first ones are there.

    Until then they are in Chroma's log, so nothing hangs on it.
    """
    collection.modify(configuration={"hnsw": {"sync_threshold": _SYNC, "batch_size": 100}})


def in_slices(
    rows: int, work: Callable[[slice], None], lock: AbstractContextManager[object]
) -> None:
    """Do `work` on so many rows, part by part, each with the lock.

    Chroma holds the interpreter's lock while it writes or deletes: 5,000 equal vectors at once
    stopped every page and request for 46 seconds. So parts are small, and after each one the
    others have as long as it took, other writers too.
    """
    at, size = 0, _FIRST_ROWS
    while at < rows:
        with lock:
            began, used = time.perf_counter(), time.process_time()
            work(slice(at, at + size))
            # On a busy machine the clock tells of the others: parts would shrink to nothing.
            took = min(time.perf_counter() - began, time.process_time() - used)
        at += size
        if at < rows:
            time.sleep(took)
            size = min(MOST_ROWS, max(_FEWEST, int(size * min(2.0, _HOLDS / max(took, 0.001)))))


def fresh_memory() -> None:
    """Have memory that is asked for hold nothing of what others gave back, from now on.

    Chroma writes the whole room of an index to its file, also where no vector is yet: memory that
    was never written to, so text of documents came to stand in that file. Large pieces come fresh
    from the kernel, smaller ones are filled first; embedding and search take no longer for it.
    Only glibc knows these settings.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)
        mallopt(_M_PERTURB, 1)


def _bound_memory() -> None:
    """Chroma offers no setting for the number of indexes in memory: its class is replaced."""
    from chromadb.api import rust

    if rust.RustBindingsAPI.__name__ == "Bounded":
        return

    class Bounded(rust.RustBindingsAPI):
        def __init__(self, system: Any) -> None:
            super().__init__(system)
            self.hnsw_cache_size = OPEN_INDEXES

    rust.RustBindingsAPI = Bounded  # type: ignore[misc]  # Chroma has no setting


@contextmanager
def our_errors() -> Iterator[None]:
    """Chroma's errors and a crash inside Chroma become ours."""
    from chromadb.errors import ChromaError

    try:
        yield
    except ChromaError as error:
        raise _translated(error) from None
    except OSError as error:
        log.error("Chroma: %s", error)
        raise StorageError("The vector store cannot be read or written.") from None
    except (ValueError, RuntimeError) as error:
        log.error("Chroma: %s", error)
        raise StorageError("The vector store does not answer.") from None


def _translated(error: Any) -> StorageError:
    from chromadb.errors import InvalidArgumentError

    log.error("Chroma: %s: %s", type(error).__name__, error)
    if any(said in str(error) for said in _FULL):
        return NotEnoughSpace("The vectors cannot be written: the disk is full.")
    if isinstance(error, InvalidArgumentError) and "dimension" in str(error):
        return ModelChanged("The session's vectors were made with another embedding model.")
    if isinstance(error, InvalidArgumentError):
        return StorageError("The vector store refused these vectors.")
    return IndexDamaged("The vector store is damaged or cannot be written.")
