"""Collecting, measured: a documentation, dumps, and main text beside trafilatura's own.

    python benchmarks/collect.py docs     DATA/archives/python-docs-html.tar.xz
    python benchmarks/collect.py text     DATA/archives/web-pages.tar.xz --pages 200
    python benchmarks/collect.py dumps    DATA/stackexchange/*/Posts.xml
    python benchmarks/collect.py big-dump --gigabytes 2

Everything is served on loopback; nothing is fetched from elsewhere. Figures depend on the machine
and on what else it does, so both sides of a comparison run in the same process.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.collect_docs import docs
from benchmarks.collect_dumps import big_dump, dumps
from benchmarks.collect_text import text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("docs").add_argument("archive", type=Path)
    of_text = tasks.add_parser("text")
    of_text.add_argument("archive", type=Path)
    of_text.add_argument("--pages", type=int, default=200)
    tasks.add_parser("dumps").add_argument("files", type=Path, nargs="+")
    tasks.add_parser("big-dump").add_argument("--gigabytes", type=float, default=2.0)
    given = parser.parse_args()
    if given.task == "docs":
        docs(given.archive)
    elif given.task == "text":
        text(given.archive, given.pages)
    elif given.task == "dumps":
        dumps(given.files)
    else:
        big_dump(given.gigabytes)


if __name__ == "__main__":
    main()
