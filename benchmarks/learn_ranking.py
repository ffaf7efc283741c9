"""Choose how the two sides are weighed: by all sets but one, reported on that one.

    python -m benchmarks.learn_ranking --data DIR [--cache DIR] [--limit N]

For every pair of dense weight and support the program's own search runs over every set. Each set
is then reported with the pair that is best on the mean of the others, relative to what equal
weights reach there; last comes the pair that is best on all, which is the program's default
(`SearchOptions.dense_weight` and `.support`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from benchmarks.quality_measures import mean, scores
from benchmarks.quality_search import search_all, searchable
from benchmarks.quality_sets import BEIR, GOLDEN, Cut, read_bed
from benchmarks.quality_settings import BASELINE, SETTINGS
from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.models.embedding import load_embedder
from core.types import SearchOptions

WEIGHTS = (0.5, 0.55, 0.6, 0.65, 0.7)
SUPPORT = (0.0, 1.0, 2.0, 4.0)
Pair = tuple[float, float]
Table = dict[str, dict[Pair, float]]
"""By set and pair: the set's measure, relative to equal weights."""

_OPTIONS = SearchOptions(top_k=10, diversify=False, rerank=False, join_neighbours=False)


def relative(name: str, embedder: CachedEmbedder, given: argparse.Namespace) -> dict[Pair, float]:
    """What each pair reaches on a set, as a multiple of what equal weights reach."""
    bed = read_bed(given.data, name, Cut(), given.cache, given.limit)
    equal = next(setting.options for setting in SETTINGS if setting.name == BASELINE)
    with searchable(bed, embedder) as retriever:

        def reached(options: SearchOptions) -> float:
            return mean(scores(bed, search_all(retriever, bed, options))[bed.measure])

        baseline = reached(equal)
        return {
            (weight, support): reached(replace(_OPTIONS, dense_weight=weight, support=support))
            / baseline
            for weight, support in product(WEIGHTS, SUPPORT)
        }


def best(table: Mapping[str, Mapping[Pair, float]], names: Sequence[str]) -> Pair:
    """The pair of the highest mean over these sets; of equal ones the first.

    >>> best({"a": {(0.5, 0.0): 1.0, (0.6, 0.0): 1.2}}, ["a"])
    (0.6, 0.0)
    """
    pairs = list(table[names[0]])
    return max(pairs, key=lambda pair: sum(table[name][pair] for name in names))


def report(table: Table) -> str:
    """Each set with the pair learned on the others, and the pair that is best on all."""
    lines = ["| tested on | dense weight, support learned on the others | to equal weights |"]
    lines.append("|---|---|---|")
    found = []
    for name in table:
        pair = best(table, [other for other in table if other != name])
        found.append(table[name][pair])
        lines.append(f"| {name} | {pair[0]:g}, {pair[1]:g} | {found[-1]:.3f} |")
    lines.append(f"| mean | | {sum(found) / len(found):.3f} |")
    weight, support = best(table, list(table))
    return "\n".join([*lines, "", f"Best on all: dense weight {weight:g}, support {support:g}."])


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when everything was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn_ranking", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    every = (*BEIR, *GOLDEN)
    parser.add_argument("--sets", nargs="+", choices=every, default=every, metavar="SET")
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    parser.add_argument("--limit", type=int, default=200, help="at most so many queries of a set")
    given = parser.parse_args(arguments)
    embedder = CachedEmbedder(load_embedder(load_settings()), given.cache)
    table: Table = {}
    for name in given.sets:
        table[name] = relative(name, embedder, given)
        print(f"{name}: {table[name]}", file=sys.stderr, flush=True)
    print(report(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
