"""Downloads of models on a thread of their own: a page only looks at them.

A page that is left, drawn again or reloaded neither repeats nor loses a download. The server is
one for all, so a model is downloaded once, however many ask for it. Nothing here imports Streamlit.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.errors import AppError
from core.llm.port import PullProgress
from core.supervision import in_background

Source = Callable[[], Iterator[PullProgress]]


@dataclass(slots=True)
class Pull:
    """One download, running or done."""

    name: str
    progress: PullProgress = field(default_factory=lambda: PullProgress("starting"))
    error: AppError | None = None
    done: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)

    @property
    def share(self) -> float:
        """How much of the part that is being loaded is there, 0 to 1."""
        whole = self.progress.total
        return min(1.0, self.progress.completed / whole) if whole else 0.0

    def stop(self) -> None:
        """End it soon; the server keeps what it has and goes on from there next time."""
        self._stop.set()

    def follow(self, source: Source) -> None:
        """Load to the end (on the thread that calls)."""
        try:
            for progress in source():
                self.progress = progress
                if self._stop.is_set():
                    break
        except AppError as error:
            self.error = error
        finally:
            self.done = True

    def broke(self, error: Exception) -> None:
        """Note a fault that was not foreseen."""
        self.error = AppError(
            f"The download failed unexpectedly ({type(error).__name__}).",
            "Start it again.",
        )


class Pulls:
    """The downloads of this process, by the name of the model."""

    def __init__(self) -> None:
        self._pulls: dict[str, Pull] = {}
        self._lock = threading.Lock()

    def start(self, name: str, source: Source) -> Pull:
        """Begin a download; one that is running already is given."""
        with self._lock:
            current = self._pulls.get(name)
            if current is not None and not current.done:
                return current
            pull = self._pulls[name] = Pull(name)
        in_background("pull", lambda: pull.follow(source), pull.broke)
        return pull

    def all(self) -> list[Pull]:
        """Those that run, and those that ended and were not yet forgotten."""
        with self._lock:
            return list(self._pulls.values())

    def forget(self, name: str) -> None:
        """Stop it, if it runs, and know nothing of it."""
        with self._lock:
            pull = self._pulls.pop(name, None)
        if pull:
            pull.stop()


@functools.cache
def pulls() -> Pulls:
    """The registry of this process. It holds names of models, nothing of any person."""
    return Pulls()
