"""The vectors of the last queries: a question is embedded once for all that need its vector."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_MOST = 256
_LONGEST = 10_000  # characters of a query that is kept


class QueryMemory:
    """A function from a text to its vector that remembers the last results. Thread-safe.

    Its vectors are read-only.
    """

    def __init__(self, embed: Callable[[str], Vectors], most: int = _MOST) -> None:
        self._embed, self._most = embed, most
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, text: str) -> Vectors:
        """The vector of a query."""
        with self._lock:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
                return known
        vector = self._embed(text)
        vector.setflags(write=False)
        if len(text) <= _LONGEST:
            with self._lock:
                self._known[text] = vector
                while len(self._known) > self._most:
                    self._known.popitem(last=False)
        return vector
