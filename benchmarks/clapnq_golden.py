"""ClapNQ as a golden set: `python -m benchmarks.clapnq_golden --data DIR --out DIR`.

A text file for each title with its passages, and `golden.jsonl`: the long answer is expected, each
marked sentence is a source with its words as the quote; unanswerable twins are marked so.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.evaluation.golden.sets import GoldenItem, GoldenSource, as_jsonl

_FILES = {
    "clapnq_dev_answerable.jsonl": "answerable",
    "clapnq_dev_unanswerable.jsonl": "unanswerable",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the documents and the golden set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.clapnq_golden")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the two files")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args(arguments)
    items: list[GoldenItem] = []
    texts: dict[str, list[str]] = {}
    for name, tag in _FILES.items():
        for line in (chosen.data / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            for passage in row["passages"]:
                known = texts.setdefault(file_name(passage["title"]), [])
                if passage["text"] not in known:
                    known.append(passage["text"])
            items.append(item_of(row, tag))
    folder = chosen.out / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    for name, passages in texts.items():
        (folder / name).write_text("\n\n".join(passages), "utf-8")
    (chosen.out / "golden.jsonl").write_text(as_jsonl(items), "utf-8")
    print(f"{len(items)} questions, {len(texts)} documents in {chosen.out}")
    return 0


def item_of(row: dict[str, Any], tag: str) -> GoldenItem:
    """One question; all annotators answer it, the marks are those of the first."""
    outputs = [output for output in row["output"] if output["answer"]]
    sources: tuple[GoldenSource, ...] = ()
    if outputs:
        document = file_name(row["passages"][0]["title"])
        marked = dict.fromkeys(outputs[0]["selected_sentences"])
        sources = tuple(GoldenSource(document, None, None, quote) for quote in marked)
    answers = tuple(output["answer"] for output in outputs)
    return GoldenItem(row["id"], row["input"], answers, bool(outputs), sources, ("clapnq", tag))


def file_name(title: str) -> str:
    """A title as the name of a file."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '_', title).strip('_') or 'untitled'}.txt"


if __name__ == "__main__":
    sys.exit(main())
