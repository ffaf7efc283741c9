"""Bombs, and how much memory a piece of code takes in a process of its own."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from functools import cache


@cache
def gzip_bomb(megabytes: int) -> bytes:
    """A gzip file of about a thousandth of the size that it unpacks to."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1024 * 1024)
    return b"".join(packer.compress(zeros) for _ in range(megabytes)) + packer.flush()


def nested(data: bytes) -> bytes:
    """`data` packed once more."""
    return gzip.compress(data)


def peak_growth_mb(code: str) -> float:
    """By how much the peak memory of a process rises while it runs `code`, in MB.

    `ru_maxrss` of a child counts what its parent held when it was forked, so the peak is read
    from /proc, where it belongs to the program that runs now.
    """
    script = (
        "import re\n"
        "def peak():\n"
        "    status = open('/proc/self/status').read()\n"
        "    return int(re.search(r'VmHWM:\\s+(\\d+)', status)[1])\n"
        "import scraper.fetch, core.config, httpcore, h11, idna\n"
        "before = peak()\n"
        f"{code}\n"
        "print((peak() - before) / 1024)\n"
    )
    run = [sys.executable, "-c", script]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
