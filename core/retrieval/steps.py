"""The steps of a search with their times, for "How it searched"."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.types import Step


class Steps(list[Step]):
    """The steps so far, in order."""

    @contextmanager
    def timed(self, name: str, detail: str) -> Iterator[list[Any]]:
        """Time a step; what it puts into the list is counted."""
        began = time.perf_counter()
        found: list[Any] = []
        yield found
        self.append(Step(name, detail, time.perf_counter() - began, len(found)))
