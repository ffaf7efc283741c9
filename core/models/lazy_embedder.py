"""An embedding model that is loaded when the first vector is wanted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from core.errors import ModelUnavailable
from core.models.port import Embedder, Progress, Vectors

_AGAIN_SECONDS = 300.0


class LazyEmbedder:
    """An `Embedder` by its name. Thread-safe.

    Whatever needs the model itself raises `ModelUnavailable` where it cannot be loaded. That is
    remembered, and tried again five minutes later: no question waits each time for a hub that does
    not answer.
    """

    def __init__(self, name: str, load: Callable[[], Embedder]) -> None:
        self.name, self._load = name, load
        self.loaded: Embedder | None = None
        self._failure: ModelUnavailable | None = None
        self._failed_at = 0.0
        self._lock = threading.Lock()

    @property
    def digest(self) -> str:
        """See `Embedder.digest`."""
        return self._ready().digest

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`."""
        return self._ready().dimension

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`."""
        return self._ready().embed(texts, progress=progress)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._ready().embed_query(text)

    def _ready(self) -> Embedder:
        with self._lock:
            if self.loaded is not None:
                return self.loaded
            failure = self._failure
            if failure is None or time.monotonic() - self._failed_at >= _AGAIN_SECONDS:
                try:
                    self.loaded = self._load()
                    return self.loaded
                except ModelUnavailable as error:
                    failure, self._failed_at = error, time.monotonic()
                    self._failure = failure
            raise ModelUnavailable(failure.message, failure.cure)
