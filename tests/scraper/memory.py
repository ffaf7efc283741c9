"""Bombs, and how much memory a piece of code takes in a process of its own."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from functools import cache


@cache
def gzip_bomb(megabytes: int) -> bytes:
    """A gzip file of about a thousandth of the size that it unpacks to.

    One stretch of 16 MB is packed and repeated. The checksum at the end is wrong: nobody is to
    come as far as that.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    stretch = packer.compress(bytes(16 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    head = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    return head + stretch * (megabytes // 16) + packer.flush() + bytes(8)


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
