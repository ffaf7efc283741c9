"""Steps of the work as they pass from the stages to the faces: timed, recorded, drained.

A stage is a generator that yields a `Step` as each is done, and returns its value.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TypeVar

from core.types import Step
from core.types.steps import Detail

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timer:
    """Measures the wall time of a step, from when it is made."""

    began: float = field(default_factory=time.perf_counter)

    def step(self, name: str, detail: Detail | str = "", count: int | None = None) -> Step:
        """The step that ends now."""
        return Step(name, detail, time.perf_counter() - self.began, count)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Keeps the steps of the stages that run through it, in order."""

    steps: list[Step] = field(default_factory=list)

    def run(self, stage: Generator[Step, None, T]) -> Generator[Step, None, T]:
        """The stage itself, each of whose steps is kept as it passes."""
        while True:
            try:
                step = next(stage)
            except StopIteration as end:
                result: T = end.value
                return result
            self.steps.append(step)
            yield step


def drain(stage: Generator[Step, None, T]) -> T:
    """The value of a stage whose steps nobody follows."""
    while True:
        try:
            next(stage)
        except StopIteration as end:
            result: T = end.value
            return result
