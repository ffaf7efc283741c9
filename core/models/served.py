"""Embedding models of the providers of language models: `EMBEDDING_MODEL=ollama/nomic-embed-text`.

Passages and queries leave this process for the provider's server; with `gemini/` and most
`openai/` addresses they leave the machine.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Sequence

import numpy as np

from core.config import CHAT_PROVIDERS, Settings
from core.errors import BadKey, ModelError, ModelFailed, ModelUnavailable
from core.llm.metering import Meter, embedded, embedding_cost
from core.llm.port import Embedded
from core.llm.providers import provider_class
from core.models.embedding_prompts import Prompts, digest_with, prompts_for
from core.models.port import Progress, Vectors
from core.models.query_cache import QueryMemory
from core.types import ModelChoice, Spent

log = logging.getLogger(__name__)

_BATCH = 32
_TRIES = 4
_LONGEST_WAIT = 30.0
_PASSAGES_SECONDS = 60.0
_QUERY_SECONDS = 10.0
_CURE = "Choose one that embeds, or set EMBEDDING_MODEL back."


def is_served(name: str) -> bool:
    """Whether a name is that of a provider's model.

    >>> is_served("ollama/nomic-embed-text"), is_served("intfloat/e5-small")
    (True, False)
    """
    provider, slash, model = name.partition("/")
    return bool(slash and model) and provider in CHAT_PROVIDERS


class ServedEmbedder:
    """An embedding model at the server of a provider. Thread-safe.

    No server is asked before the first vector is wanted. Raises `ModelUnavailable` where the
    settings name none.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        wanted: Prompts | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        provider, _, model = name.partition("/")
        self.name, self._sleep = name, sleep
        self._model = provider_class(provider)(ModelChoice(provider, model), settings)
        self._dimension = 0
        self._indexing = Meter(settings.prices)
        chosen = prompts_for(model, {}, wanted or Prompts())
        self._query_prompt, self._text_prompt = chosen.query or "", chosen.document or ""
        try:
            # What stands behind a name is not known; name and place tell the most that can be.
            known = f"{name} {self._model.address}"
        except ModelError as error:
            raise ModelUnavailable(error.message, error.cure) from None
        self.digest = digest_with(hashlib.sha256(known.encode()).hexdigest(), chosen)
        self._queries = QueryMemory(self._query)

    def indexing(self) -> Spent | None:
        """What passages took since this object was made, None where none was embedded.

        Passages that were embedded for a question, from pages of the web, count there.
        """
        return next(iter(self._indexing.spent()), None)

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`. Before the first vector the server is asked for one.

        Raises `ModelError`.
        """
        return self._dimension or self._asked(["dimension"], query=True).shape[1]

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`. A server that is busy or away is asked again, four times in all.

        Raises the `ModelError` of the last try.
        """
        parts: list[Vectors] = []
        for start in range(0, len(texts), _BATCH):
            if progress:
                progress(start, len(texts))
            batch = [f"{self._text_prompt}{text}" for text in texts[start : start + _BATCH]]
            parts.append(self._patiently(batch))
        if progress:
            progress(len(texts), len(texts))
        return np.vstack(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`. The server is asked once: somebody waits."""
        return self._queries(text)

    def _query(self, text: str) -> Vectors:
        vector: Vectors = self._asked([f"{self._query_prompt}{text}"], query=True)[0]
        return vector

    def _patiently(self, texts: Sequence[str]) -> Vectors:
        wait = 1.0
        for left in range(_TRIES - 1, -1, -1):
            try:
                return self._asked(texts, query=False)
            except ModelError as error:
                if not (error.retry and left):
                    raise
                log.warning("%s Asking again.", error.message)
                self._sleep(min(error.retry_after or wait, _LONGEST_WAIT))
                wait *= 2
        raise AssertionError  # the last try returns or raises

    def _asked(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """Vectors of length 1 for these texts, float32 (len(texts), dimension)."""
        seconds = _QUERY_SECONDS if query else _PASSAGES_SECONDS
        began = time.monotonic()
        try:
            reply = self._model.vectors(texts, query=query, seconds=seconds)
        except BadKey as error:
            raise BadKey(error.message, f"Set {self._model.provider.upper()}_API_KEY.") from None
        self._count(texts, reply, time.monotonic() - began, query=query)
        listed = reply.vectors
        if len(listed) != len(texts):
            raise self._wrong(f"{len(listed)} vectors for {len(texts)} texts")
        try:
            vectors = np.asarray(listed, np.float32)
        except (TypeError, ValueError):
            raise self._wrong("lists that are no vectors") from None
        if vectors.ndim != 2 or vectors.shape[1] < 1:
            raise self._wrong("lists that are no vectors")
        if self._dimension not in (0, vectors.shape[1]):
            raise self._wrong(f"{vectors.shape[1]} numbers a vector instead of {self._dimension}")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._wrong("vectors without a direction")
        self._dimension = vectors.shape[1]
        unit: Vectors = vectors / lengths
        return unit

    def _count(self, texts: Sequence[str], reply: Embedded, seconds: float, *, query: bool) -> None:
        taken = embedding_cost(texts, reply, seconds)
        if not embedded(self._model, taken) and not query:
            self._indexing.add("indexing", self._model, taken)

    def _wrong(self, what: str) -> ModelFailed:
        found = ModelFailed(f"{self.name} gave {what}.", _CURE)
        found.retry = False
        return found
