"""What the commands of `eval_custom.py` tell on a terminal besides their results."""

from __future__ import annotations

import sys

from core.errors import AppError


def progress(line: str, *, last: bool) -> None:
    """One line of progress, on a terminal alone."""
    if sys.stderr.isatty():
        print(f"\r{line}   ", end="\n" if last else "", file=sys.stderr, flush=True)


def failed(error: AppError) -> int:
    """Say why a command cannot do its work; the exit status for that."""
    print(f"{error.message} {error.cure}", file=sys.stderr)
    return 2
