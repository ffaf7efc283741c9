"""What both sides measure in the same way. Imports the standard library alone."""

from __future__ import annotations

import os
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path


def peak_mb() -> float:
    """The most memory that this process and any of its children ever held, in MB."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return round((own + children) / 1024, 1)


def cpu_seconds() -> float:
    """Processor time of this process and of its children that ended: nobody else's load."""
    own, children = (
        resource.getrusage(resource.RUSAGE_SELF),
        resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def disk_bytes(folder: Path) -> int:
    """Bytes of all files below a folder, as the disk counts them."""
    files = (Path(base) / name for base, _, names in os.walk(folder) for name in names)
    return sum(path.stat().st_blocks * 512 for path in files)


def timed(work: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile in ms."""
    cuts = statistics.quantiles(seconds, n=20)
    return {"p50": 1000 * statistics.median(seconds), "p95": 1000 * cuts[18]}
