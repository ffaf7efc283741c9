"""What all documents of an index have together, kept in memory for the indexes searched last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from core.storage.lexical.bm25 import Statistics

_KEPT = 32  # indexes

Documents = frozenset[tuple[str, int]]
"""The documents of an index: the id, and a stamp that is another one each time it is written."""


@dataclass(frozen=True, slots=True)
class Known:
    """The statistics of an index, made of these documents; `mark` tells one state from another."""

    documents: Documents = frozenset()
    statistics: Statistics = field(default_factory=Statistics)
    mark: object = None

    def brought_to(
        self, now: Documents, read: Callable[[list[str]], list[Statistics]], mark: object
    ) -> Known:
        """What is known with the documents that are there now; `read` is given the ids of new ones.

        Where one was deleted or written again, all are read.
        """
        before = self if self.documents <= now else Known()
        new = [document for document, _ in now - before.documents]
        more = read(new) if new else []
        return Known(now, before.statistics.with_more(more), mark)


class KnownIndexes:
    """What is known of the indexes that were searched last. Thread-safe."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, index_name: str) -> Known:
        """What is known of an index, nothing at first."""
        with self._lock:
            return self._known.get(index_name, Known())

    def keep(self, index_name: str, known: Known) -> None:
        """Remember what is known of an index, and forget the one searched longest ago."""
        with self._lock:
            self._known[index_name] = known
            self._known.move_to_end(index_name)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)

    def forget(self) -> None:
        """Forget everything."""
        with self._lock:
            self._known.clear()
