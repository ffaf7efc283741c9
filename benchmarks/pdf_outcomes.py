"""What becomes of every PDF of a folder: text, OCR text, or a failure with its reason.

    python benchmarks/pdf_outcomes.py --data DIR [--json FILE] [--limit N] [--no-ocr]

Each file goes through the same child process as in the program. The table is Markdown; the
JSON holds a row for each file. A `manifest.csv` in the folder with the columns `path` and
`ntext` (characters that another program found) is compared with.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import Settings
from core.errors import IngestionError
from core.parsing.sandbox import load_in_child
from core.types import LoadedDocument


def main() -> None:
    """Read all files, print the table, write the JSON."""
    arguments = _arguments()
    settings = Settings(ocr=not arguments.no_ocr, ocr_seconds=arguments.ocr_seconds)
    paths = sorted(arguments.data.rglob("*.pdf"))[: arguments.limit]
    rows = []
    for number, path in enumerate(paths, start=1):
        rows.append(outcome(path, path.relative_to(arguments.data).as_posix(), settings))
        if number % 25 == 0:
            print(f"{number} of {len(paths)}", file=sys.stderr, flush=True)
            _write(arguments.json, rows)
    _write(arguments.json, rows)
    print(table(rows))
    print()
    print(comparison(rows, arguments.data / "manifest.csv"))
    print(
        f"\nLargest resident memory: this program {_peak(resource.RUSAGE_SELF)} MB, "
        f"a child {_peak(resource.RUSAGE_CHILDREN)} MB."
    )


def outcome(path: Path, name: str, settings: Settings) -> dict[str, Any]:
    """One file: what it ended in, the reason of a failure, characters, pages, seconds."""
    began = time.monotonic()
    row: dict[str, Any] = {"path": name, "size": path.stat().st_size}
    try:
        loaded = load_in_child(path, name=path.name, settings=settings)
    except IngestionError as error:
        row |= {"outcome": f"failed: {error.code}", "reason": _general(error.message)}
        row |= {"characters": 0, "ocr_pages": 0}
    else:
        row |= _found(loaded)
    return row | {"seconds": round(time.monotonic() - began, 2)}


def table(rows: Iterable[dict[str, Any]]) -> str:
    """How many files ended how."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["outcome"], row["reason"]].append(row)
    lines = ["| outcome | reason | files | median s | longest s |", "|---|---|---:|---:|---:|"]
    for (ended, reason), group in sorted(groups.items(), key=lambda item: -len(item[1])):
        seconds = sorted(row["seconds"] for row in group)
        middle = seconds[len(seconds) // 2]
        lines.append(f"| {ended} | {reason} | {len(group)} | {middle:.1f} | {seconds[-1]:.1f} |")
    return "\n".join(lines)


def comparison(rows: Iterable[dict[str, Any]], manifest: Path) -> str:
    """Characters that are no white space against those of the manifest."""
    if not manifest.exists():
        return ""
    with manifest.open(encoding="utf-8", newline="") as lines:
        expected = {row["path"]: int(row["ntext"] or 0) for row in csv.DictReader(lines)}
    known = [row for row in rows if row["path"] in expected]
    verdicts: Counter[str] = Counter()
    for row in known:
        verdicts[_verdict(row["characters"], row["ocr_pages"], expected[row["path"]])] += 1
    lines = ["| characters against the manifest | files |", "|---|---:|"]
    lines += [f"| {verdict} | {count} |" for verdict, count in sorted(verdicts.items())]
    return "\n".join(lines)


def _verdict(found: int, ocr_pages: int, expected: int) -> str:
    if not expected:
        return (
            "none expected, OCR found some"
            if ocr_pages
            else ("none expected, text found" if found else "none expected, none found")
        )
    share = found / expected
    for least, words in ((1.1, "over 110 %"), (0.9, "90 to 110 %"), (0.5, "50 to 90 %")):
        if share >= least:
            return words
    return "under 50 %" if found else "text expected, none found"


def _found(loaded: LoadedDocument) -> dict[str, Any]:
    ocr = sum(page.ocr and bool(page.text.strip()) for page in loaded.pages)
    partly = "some pages without text" if loaded.pages_without_text else ""
    return {
        "outcome": "OCR text" if ocr == len(loaded.pages) else "text and OCR" if ocr else "text",
        "reason": partly,
        "pages": len(loaded.pages),
        "pages_without_text": loaded.pages_without_text,
        "ocr_pages": ocr,
        "characters": sum(not c.isspace() for page in loaded.pages for c in page.text),
        "headings": sum(len(page.headings) for page in loaded.pages),
        "language": loaded.language,
        "notices": [notice.code for notice in loaded.notices],
    }


def _general(message: str) -> str:
    return re.sub(r"\d[\d,]*", "N", message)


def _peak(whose: int) -> int:
    return resource.getrusage(whose).ru_maxrss // 1024


def _write(path: Path | None, rows: list[dict[str, Any]]) -> None:
    if path is not None:
        path.write_text(json.dumps(rows, indent=1, ensure_ascii=False), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="folder with PDF files")
    parser.add_argument("--json", type=Path, help="where to write a row for each file")
    parser.add_argument("--limit", type=int, help="only the first N files")
    parser.add_argument("--no-ocr", action="store_true", help="leave pages without text empty")
    parser.add_argument("--ocr-seconds", type=int, default=60, help="for each file (60)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
