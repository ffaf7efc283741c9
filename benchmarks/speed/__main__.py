"""Speed, memory and disk, ours beside the LangChain chain that a user would pick instead.

    python -m benchmarks.speed --data DIR [--chunks 5000 50000] [--pdfs DIR] [--only PART ...]

Both sides run as processes of their own with two threads; the chain's environment, the library
and the figures are kept in `--cache`. Libraries are stored with vectors that were made before
(embedding is measured for itself); PDFs are read, cut, embedded and stored. `--only` measures
some parts again and prints them with what is kept of the others.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.speed import parts, report
from benchmarks.speed.environment import SIDES

PARTS = ("embedding", "recall", "startup", "pdfs", "scale")


def main() -> None:
    """Measure, keep the figures as JSON, print the tables."""
    given = _arguments()
    kept = given.cache / "figures.json"
    for name in given.only:
        for key, found in _measure(name, given):
            figures = _kept(kept)  # another run may have added to it
            figures[key] = {**figures.get(key, {}), **found}
            kept.write_text(json.dumps(figures, indent=1), "utf-8")
            print(report.side_by_side(_title(key), figures[key]), flush=True)
    figures = _kept(kept)
    scales = {int(k.split()[1]): v for k, v in figures.items() if k.startswith("scale ")}
    tables = [report.side_by_side(_title(key), found) for key, found in sorted(figures.items())]
    page = "\n".join([*tables, report.growth({n: scales[n] for n in sorted(scales)})])
    (given.cache / "figures.md").write_text(page, "utf-8")
    print(f"{report.growth(scales)}\nAll tables: {given.cache / 'figures.md'}")


def _kept(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def _measure(name: str, given: argparse.Namespace) -> Any:
    if name == "scale":
        for count in given.chunks:
            yield f"scale {count}", parts.scale(given.data, given.cache, count, given.sides)
    elif name == "pdfs":
        folder = given.pdfs or given.data / "golden" / "financebench" / "documents"
        yield f"pdfs {given.files}", parts.pdfs(folder, given.cache, given.files)
    elif name == "startup":
        yield name, parts.startup(given.cache)
    else:
        yield name, getattr(parts, name)(given.data, given.cache)


def _title(key: str) -> str:
    name, _, number = key.partition(" ")
    titles = {
        "scale": f"A library of {int(number or 0):,} chunks with vectors",
        "pdfs": f"{number} PDFs, from the file to the first search",
        "embedding": "Embedding",
        "recall": "recall@50 of the vector index against exact search",
        "startup": "Start-up",
    }
    return titles[name]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="collections in BEIR's layout")
    parser.add_argument("--chunks", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument("--pdfs", type=Path, help="a folder of PDFs")
    parser.add_argument("--files", type=int, default=5, help="how many of them")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--sides", nargs="+", choices=SIDES, default=SIDES)
    parser.add_argument("--cache", type=Path, default=Path(".cache/speed"))
    given = parser.parse_args()
    given.cache, given.sides = given.cache.resolve(), tuple(given.sides)
    return given


if __name__ == "__main__":
    main()
