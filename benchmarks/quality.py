"""The quality of the search on judged collections, all settings and presets side by side.

    python -m benchmarks.quality --data DIR [--sets scifact squad ...] [--cache DIR] [--limit N]

DIR holds `retrieval/NAME` (BEIR's layout), `golden/NAME` (golden sets) and `archives`. Vectors and
read documents are kept in the cache folder, so that the second run embeds nothing. Every setting
is compared with the first by a paired permutation test. Prints the tables; `--json` and
`--markdown` write them to files.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.quality_measures import MEASURES, Scores, mean, p_value, scores
from benchmarks.quality_search import plain_bm25, search_read, searchable, unit_texts
from benchmarks.quality_sets import BEIR, GOLDEN, LANGUAGES, Bed, Cut, read_bed
from benchmarks.quality_settings import BASELINE, CHUNKINGS, SETTINGS, Setting
from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.models.embedding import load_embedder

_BY_PLACE = {"financebench": "BM25 by page", "python-docs": "BM25 by section"}
_LARGE = frozenset(_BY_PLACE)
_SURE = 0.05
_USUAL = [setting.name for setting in SETTINGS if setting not in CHUNKINGS]
Results = dict[str, dict[str, dict[str, Scores]]]
"""By set, setting and measure: one value a query."""


def measure(
    name: str, settings: Sequence[Setting], embedder: CachedEmbedder, given: argparse.Namespace
) -> tuple[Bed, dict[str, dict[str, Scores]]]:
    """All settings on one set. A set in BEIR's layout is never cut, so it is indexed once."""
    found: dict[str, dict[str, Scores]] = {}
    bed: Bed | None = None
    one_cut = name in BEIR or (name in _LARGE and not given.cuts)
    for cut in dict.fromkeys(Cut() if one_cut else setting.cut for setting in settings):
        cut_bed = read_bed(given.data, name, cut, given.cache, given.limit)
        bed = bed or cut_bed
        with searchable(cut_bed, embedder) as retriever:
            for setting in settings:
                if one_cut or setting.cut == cut:
                    runs = search_read(retriever, cut_bed, setting.options)
                    found[setting.name] = scores(cut_bed, *runs)
    assert bed is not None
    if name in _BY_PLACE:
        found[_BY_PLACE[name]] = scores(bed, plain_bm25(bed, unit_texts(bed)))
    return bed, found


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when everything was measured."""
    given = _arguments(arguments)
    settings = [s for s in SETTINGS if s.name in (given.settings or _USUAL)]
    embedder = CachedEmbedder(load_embedder(load_settings()), given.cache)
    results: Results = {}
    measures: dict[str, str] = {}
    for name in given.sets:
        began = time.monotonic()
        bed, results[name] = measure(name, settings, embedder, given)
        measures[name] = given.measure or bed.measure
        counts = f"{len(bed.chunks)} chunks, {len(bed.queries)} queries"
        print(f"{name}: {counts}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    report = markdown(results, measures)
    print(report)
    if given.markdown:
        given.markdown.write_text(report + "\n", "utf-8")
    if given.json:
        given.json.write_text(json.dumps(_numbers(results), indent=1) + "\n", "utf-8")
    return 0


def markdown(results: Results, measures: Mapping[str, str]) -> str:
    """One row a setting, one column a set; a star where it differs from the first at p < 0.05."""
    rows = list(dict.fromkeys(row for found in results.values() for row in found))
    head = ["", *(f"{name} ({measures[name]})" for name in results)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [_cell(results[name], row, measures[name]) for name in results]
        lines.append("| " + " | ".join([row, *cells]) + " |")
    return "\n".join(lines)


def _cell(found: Mapping[str, dict[str, Scores]], row: str, name: str) -> str:
    if row not in found:
        return "-"
    ours, baseline = found[row][name], found.get(BASELINE, {}).get(name)
    sure = baseline is not None and row != BASELINE and p_value(ours, baseline) < _SURE
    return f"{mean(ours):.3f}{'*' if sure else ''}"


def _numbers(results: Results) -> dict[str, dict[str, dict[str, float]]]:
    """Means of all measures, and p against the baseline by the measure's name and `p`."""
    numbers: dict[str, dict[str, dict[str, float]]] = {}
    for name, found in results.items():
        baseline = found.get(BASELINE, {})
        for row, values in found.items():
            means = {key: mean(values[key]) for key in MEASURES}
            tests = {f"{k} p": p_value(values[k], baseline[k]) for k in MEASURES if k in baseline}
            numbers.setdefault(name, {})[row] = means | tests
    return numbers


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    every = (*BEIR, *GOLDEN, *LANGUAGES)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--sets", nargs="+", choices=every, default=every, metavar="SET")
    names = [setting.name for setting in SETTINGS]
    parser.add_argument("--settings", nargs="+", choices=names, default=(), metavar="NAME")
    parser.add_argument("--measure", choices=MEASURES, help="another than the one of each set")
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    parser.add_argument("--limit", type=int, help="at most so many queries of each set")
    parser.add_argument(
        "--cuts", action="store_true", help="cut large sets as each preset does (embeds them anew)"
    )
    parser.add_argument("--json", type=Path, help="write every measure to this file")
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
