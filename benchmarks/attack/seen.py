"""What the attack saw: counts, times, and whatever should not have been."""

from __future__ import annotations

import re
import statistics
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

_MOST_TOLD = 25  # of one kind of finding; the rest is counted
_WORD = re.compile(r"Z([a-z]+)\d{6}Z")


def planted(who: str, number: int) -> str:
    """A word that stands in one document of one person and nowhere else."""
    return f"Z{who}{number:06d}Z"


@dataclass
class Seen:
    """Everything that is counted. Thread-safe."""

    counts: Counter[str] = field(default_factory=Counter)
    times: dict[str, list[float]] = field(default_factory=dict)
    findings: dict[str, list[str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str, number: int = 1) -> None:
        """Count something that may happen."""
        with self._lock:
            self.counts[what] += number

    def time(self, what: str, seconds: float) -> None:
        """Note how long something took."""
        with self._lock:
            self.times.setdefault(what, []).append(seconds)

    def highest(self, what: str, value: int) -> None:
        """Keep the highest value."""
        with self._lock:
            self.counts[what] = max(self.counts[what], value)

    def finding(self, kind: str, detail: str) -> None:
        """Note something that should not have happened."""
        with self._lock:
            self.counts[f"finding: {kind}"] += 1
            told = self.findings.setdefault(kind, [])
            if len(told) < _MOST_TOLD:
                told.append(detail[:600])

    def found(self, kind: str) -> int:
        """How often something happened that should not have."""
        return self.counts[f"finding: {kind}"]

    def check_leak(self, who: str, where: str, text: str) -> None:
        """A planted word of somebody else in what `who` was told is a leak."""
        for word, whose in {match[0]: match[1] for match in _WORD.finditer(text)}.items():
            if whose != who:
                self.finding("leaks", f"{who} was told {word} by {where}")


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """How many, median, 95th and 99th percentile and worst, in milliseconds."""
    if len(seconds) < 2:
        return {"count": len(seconds)}
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    values = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "worst": max(seconds)}
    return {"count": len(seconds), **{n: round(1000 * v, 1) for n, v in values.items()}}
