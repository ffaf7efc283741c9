"""A small library to be damaged, moved and looked at again, and the means to do that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.config import Settings
from core.maintenance.checking import Finding, check
from core.service import Service
from core.types import AskRequest, QueryOptions, SearchOptions, SearchResult, Session
from tests.conftest import settled

FACTS = {
    "lighthouse.txt": "The lighthouse of Port Amber was built in 1874 by Ida Holm.",
    "bread.txt": "Sourdough bread is baked for forty minutes at 230 degrees.",
    "whales.txt": "Humpback whales sing for up to twenty minutes without a pause.",
}
QUESTIONS = {
    "lighthouse.txt": "Who built the lighthouse of Port Amber?",
    "bread.txt": "How long is sourdough bread baked?",
    "whales.txt": "How long do humpback whales sing?",
}


class HashEmbedder:
    """A model that is there at once: each word has a random direction of its own."""

    def __init__(self, name: str, dimension: int = 64) -> None:
        self.name, self.dimension = name, dimension
        self.digest = hashlib.sha256(f"{name}-{dimension}".encode()).hexdigest()
        self.before: Callable[[], None] = lambda: None
        self._known: dict[str, np.ndarray] = {}

    def embed(
        self, texts: Sequence[str], *, progress: Callable[[int, int], None] | None = None
    ) -> np.ndarray:
        self.before()
        if progress:
            progress(len(texts), len(texts))
        found = [self.embed_query(text) for text in texts]
        return np.stack(found) if found else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        whole = np.zeros(self.dimension, np.float32)
        for word in text.lower().split() or [""]:
            if word not in self._known:
                self._known[word] = self._direction(word)
            whole += self._known[word]
        return whole / np.linalg.norm(whole)

    def _direction(self, word: str) -> np.ndarray:
        seed = hashlib.sha256(f"{self.digest}{word}".encode()).digest()[:8]
        chance = np.random.default_rng(int.from_bytes(seed, "little"))
        return chance.standard_normal(self.dimension, dtype=np.float32)


@contextmanager
def opened(
    settings: Settings, embedder: HashEmbedder | None = None, seconds: float = 120
) -> Iterator[Service]:
    """A service that is ready, with this model instead of that of the settings."""
    with pytest.MonkeyPatch.context() as patch:
        if embedder is not None:
            patch.setattr("core.storage.stores.load_embedder", lambda _: embedder)
        service = Service(settings)
        try:
            assert service.wait_ready(seconds)
            yield service
        finally:
            service.close()


def fill(service: Service, more: int = 0) -> Session:
    """A session with the three facts and `more` other documents."""
    session = service.sessions.create(service.owners.for_token("somebody"), "Facts")
    for name, text in FACTS.items():
        service.documents.add_file(session, name, text.encode())
    for number in range(more):
        text = f"Note {number} speaks of the weather on day {number} and of nothing else.\n\n"
        service.documents.add_file(session, f"note-{number}.txt", (text * 40).encode())
    settled(service, session, 120)
    return session


def the_session(service: Service) -> Session:
    """The one session that `fill` made."""
    (session,) = service.sessions.list(service.owners.for_token("somebody"))
    return session


def dense(service: Service, session: Session, question: str) -> SearchResult:
    """A search by meaning alone: it fails where the vectors are not whole."""
    options = replace(SearchOptions(), mode="dense", diversify=False)
    return service.search(AskRequest(session, question, options=QueryOptions(search=options)))


def troubles(service: Service) -> list[Finding]:
    """What a check finds."""
    return check(service.stores)


def all_found(service: Service, session: Session) -> bool:
    """Whether each fact is found first, by meaning and by words; says what was found instead."""
    for name, question in QUESTIONS.items():
        for mode in ("dense", "lexical"):
            options = replace(SearchOptions(), mode=mode)
            found = service.search(
                AskRequest(session, question, options=QueryOptions(search=options))
            )
            names = [hit.document.name for hit in found.hits]
            if names[:1] != [name]:
                print(f"{name} by {mode}: {names[:5]}, {found.notices}, {found.steps}")
                return False
    return True


def files_of_indexes(chroma: Path) -> list[Path]:
    """The files of all vector indexes."""
    return sorted(path for path in chroma.glob("*-*/*") if path.is_file())
