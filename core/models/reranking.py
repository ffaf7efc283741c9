"""Reranking: a cross-encoder reads question and passage together."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.classifier import load_classifier
from core.models.port import Classifier
from core.supervision import in_background
from core.types import Verdict

_LOOK_SECONDS = 3.0  # of the Status page
_AGAIN_SECONDS = 3600.0
_KEPT_SECONDS = 3600.0  # that a reranker stays loaded which no session asks for
_CURE = (
    "Set RERANKER_MODEL to a folder with its weights, or to nothing to go without; for a session, "
    "choose another one."
)


class Reranker(Protocol):
    """Scores passages for a query. Thread-safe."""

    name: str

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score a passage, higher is better, in the model's own unit.

        Raises `ModelUnavailable` while the model cannot be used.
        """
        ...

    def state(self) -> Verdict:
        """For the doctor: state ("ok", "warning", "off"), detail, cure."""
        ...


def load_reranker(settings: Settings) -> Reranker | None:
    """The cross-encoder of the settings, None if none is set. Weights come at the first use."""
    name = settings.reranker_model.strip()
    return CrossEncoderReranker(name, settings.models_dir) if name else None


class Rerankers:
    """The rerankers in use: that of the program, and those that sessions chose. Thread-safe.

    One that was not asked for in an hour is let go.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[str, tuple[float, Reranker | None]] = {}
        self._lock = threading.Lock()

    def get(self, name: str = "") -> Reranker | None:
        """Return the reranker of this name, "" for that of the program, None where none is set.

        Its weights load at its first use.
        """
        now = time.monotonic()
        with self._lock:
            self._known = {
                key: (used, one)
                for key, (used, one) in self._known.items()
                if not key or now - used < _KEPT_SECONDS
            }
            _, found = self._known.get(name, (now, None))
            if name not in self._known:
                own = {"reranker_model": name} if name else {}
                found = load_reranker(self._settings.model_copy(update=own))
            self._known[name] = (now, found)
            return found

    def states(self) -> list[Verdict]:
        """For the doctor: the state of the program's reranker, and of each other one in use."""
        first = self.get()
        with self._lock:
            others = [one for key, (_, one) in sorted(self._known.items()) if key and one]
        stays = "None is set: results stay in the order in which the search found them."
        off: Verdict = ("off", stays, "")
        return [off if first is None else first.state(), *(one.state() for one in others)]


class CrossEncoderReranker:
    """A cross-encoder from a folder, the hub's cache or the hub.

    It is loaded in the background, from the first time it is asked for: no search waits for it or
    for a hub that does not answer, and each goes without until it is there. A failure is
    remembered, and tried again an hour later. A program that measures may set `wait_seconds`.
    """

    def __init__(self, name: str, models_dir: Path, *, wait_seconds: float = 0.0) -> None:
        self.name, self._models_dir = name, models_dir
        self.wait_seconds = wait_seconds
        self._lock = threading.Lock()
        self._loader: threading.Thread | None = None
        self._model: Classifier | None = None
        self._failure: ModelUnavailable | None = None
        self._failed_at = 0.0

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """See `Reranker.score`."""
        model = self._ready(self.wait_seconds)
        if not passages:
            return []
        return [float(row[0]) for row in model.scores([(query, passage) for passage in passages])]

    def state(self) -> Verdict:
        """See `Reranker.state`."""
        try:
            self._ready(max(self.wait_seconds, _LOOK_SECONDS))
        except ModelUnavailable as error:
            detail = f"{error.message} Results stay in the order in which the search found them."
            return "warning", detail, error.cure
        return "ok", self.name, ""

    def _ready(self, wait_seconds: float) -> Classifier:
        loader = self._start()
        if loader is not None:
            loader.join(wait_seconds)
        with self._lock:
            if self._model is not None:
                return self._model
            if self._failure is not None:
                raise ModelUnavailable(self._failure.message, self._failure.cure)
        raise ModelUnavailable(
            f"The reranker {self.name} is still being loaded.", "Ask again in a minute."
        )

    def _start(self) -> threading.Thread | None:
        """The thread that loads the model, None where there is nothing to wait for."""
        with self._lock:
            if self._model is not None:
                return None
            if self._failure and time.monotonic() - self._failed_at < _AGAIN_SECONDS:
                return None
            if self._loader is None:
                self._failure = None
                self._loader = in_background("reranker", self._load, self._broke)
            return self._loader

    def _load(self) -> None:
        model, failure = None, None
        try:
            model = _cross_encoder(self.name, self._models_dir)
        except ModelUnavailable as error:
            failure = error
        self._loaded(model, failure)

    def _broke(self, error: Exception) -> None:
        text = f"Loading {self.name} failed ({type(error).__name__})."
        self._loaded(None, ModelUnavailable(text, _CURE))

    def _loaded(self, model: Classifier | None, failure: ModelUnavailable | None) -> None:
        with self._lock:
            self._model, self._failure, self._loader = model, failure, None
            self._failed_at = time.monotonic()


def _cross_encoder(name: str, models_dir: Path) -> Classifier:
    model = load_classifier(name, models_dir, _CURE)
    scores = model.scores([("query", "passage")]).shape[1]
    if scores != 1:
        raise ModelUnavailable(f"{name} gives {scores} scores, not one.", _CURE)
    return model
