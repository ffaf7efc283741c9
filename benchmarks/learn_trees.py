"""Gradient-boosted trees over what a search knows for nothing, learned on all sets but one.

    python -m benchmarks.learn_trees --data DIR [--sets ...] [--limit N] [--cache DIR]

The trees reorder the first 100 candidates of the program's search by scores and ranks of both
sides, the fused order, coverage of the question's words by text and title, length, and how the
scores of the whole list lie. Each set is reported with trees that have not seen it: alone, and
added in equal parts to the fused order. A star marks p < 0.05 (paired permutation test).
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.quality_measures import mean, p_value, scores
from benchmarks.quality_search import search_whole, searchable
from benchmarks.quality_sets import BEIR, GOLDEN, Bed, Cut, read_bed
from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.models.embedding import load_embedder
from core.text.word_lists import STOP_WORDS
from core.types import Hit, SearchOptions

Numbers = NDArray[np.float32]
_DEEP = SearchOptions(top_k=100, fetch_k=100, diversify=False, rerank=False, join_neighbours=False)
_WORD = re.compile(r"\w+")
_SURE = 0.05


@dataclass(frozen=True)
class Asked:
    """One question: the units that its candidates stand for, their features and grades."""

    query: str
    units: list[str]
    features: Numbers
    fused: Numbers
    right: NDArray[np.bool_]


def asked(bed: Bed, embedder: CachedEmbedder) -> list[Asked]:
    """All questions of a bed with their candidates, in the program's order."""
    found = []
    with searchable(bed, embedder) as retriever:
        for query, result in search_whole(retriever, bed, _DEEP):
            if len(result.hits) < 2:
                continue
            units = [bed.unit(hit.chunk) for hit in result.hits]
            right = np.array([bed.qrels[query].get(unit, 0) > 0 for unit in units])
            made = _features(bed.queries[query], result.hits, bed)
            fused = np.array([hit.fused or 0.0 for hit in result.hits], np.float32)
            found.append(Asked(query, units, made, fused, right))
    return found


def _features(question: str, hits: Sequence[Hit], bed: Bed) -> Numbers:
    dense, lexical = (
        np.array([np.nan if s is None else s for s in side], np.float32)
        for side in ([hit.dense for hit in hits], [hit.lexical for hit in hits])
    )
    texts = [_words(hit.chunk.text) for hit in hits]
    titles = [_words(bed.titles[hit.chunk.document_id]) for hit in hits]
    words = [word for word in _words(question) if word not in STOP_WORDS]
    rare = {w: math.log(1 + len(hits) / (1 + sum(w in text for text in texts))) for w in words}
    top = [{hit.chunk.id for hit in side} for side in _first(hits)]
    columns = [
        _standard(dense),
        _standard(lexical),
        [1 / (10 + hit.dense_rank) if hit.dense_rank else 0.0 for hit in hits],
        [1 / (10 + hit.lexical_rank) if hit.lexical_rank else 0.0 for hit in hits],
        [hit.fused or 0.0 for hit in hits],
        [1 / (10 + rank) for rank in range(len(hits))],
        [_share(rare, text) for text in texts],
        [_share(rare, title) for title in titles],
        [math.log(1 + len(hit.chunk.text)) for hit in hits],
        *(
            [value] * len(hits)
            for value in (
                float(np.nanmax(dense, initial=0)),
                float(np.nanstd(dense)) if np.isfinite(dense).any() else 0.0,
                float(np.nanmax(lexical, initial=0)),
                float(np.nanstd(lexical)) if np.isfinite(lexical).any() else 0.0,
                len(top[0] & top[1]) / 10,
                len(words),
            )
        ),
    ]
    return np.array(columns, np.float32).T


def _first(hits: Sequence[Hit]) -> list[list[Hit]]:
    """The first ten of each side."""
    return [
        [hit for hit in hits if (hit.dense_rank or 99) <= 10],
        [hit for hit in hits if (hit.lexical_rank or 99) <= 10],
    ]


def _standard(values: Numbers) -> Numbers:
    if not np.isfinite(values).any():
        return np.zeros_like(values)
    filled = np.where(np.isfinite(values), values, np.nanmin(values))
    return np.asarray((filled - filled.mean()) / (filled.std() or 1.0), np.float32)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _share(rare: dict[str, float], words: set[str]) -> float:
    return sum(rare[w] for w in rare if w in words) / (sum(rare.values()) or 1.0)


def learn(sets: Sequence[Sequence[Asked]]) -> HistGradientBoostingClassifier:
    """Trees that tell right candidates; each set counts the same, and in it each question."""
    questions = [(one, len(found)) for found in sets for one in found if one.right.any()]
    features = np.concatenate([one.features for one, _ in questions])
    right = np.concatenate([one.right for one, _ in questions])
    weights = np.concatenate(
        [np.full(len(one.right), 1 / (count * len(one.right))) for one, count in questions]
    )
    trees = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.06, max_leaf_nodes=12, min_samples_leaf=40, random_state=0
    )
    return trees.fit(features, right, sample_weight=weights / weights.mean())


def orders(
    found: Sequence[Asked], trees: HistGradientBoostingClassifier
) -> list[dict[str, list[str]]]:
    """Three runs: as the program has it, by the trees alone, and by both in equal parts."""
    runs: list[dict[str, list[str]]] = [{}, {}, {}]
    for one in found:
        told = np.asarray(trees.decision_function(one.features), np.float32)
        both = _standard(one.fused) + _standard(told)
        for run, score in zip(runs, (one.fused, told, both), strict=True):
            order = np.argsort(-score, kind="stable")[:10]
            run[one.query] = _once([one.units[at] for at in order])
    return runs


def _once(units: list[str]) -> list[str]:
    return [f"{u} again at {at}" if u in units[:at] else u for at, u in enumerate(units)]


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when everything was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn_trees", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    every = (*BEIR, *GOLDEN)
    parser.add_argument("--sets", nargs="+", choices=every, default=BEIR, metavar="SET")
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    parser.add_argument("--limit", type=int, default=200, help="at most so many queries of a set")
    given = parser.parse_args(arguments)
    embedder = CachedEmbedder(load_embedder(load_settings()), given.cache)
    beds = {n: read_bed(given.data, n, Cut(), given.cache, given.limit) for n in given.sets}
    found = {name: asked(bed, embedder) for name, bed in beds.items()}
    print("| tested on | program | trees alone | both |\n|---|---|---|---|")
    for name, bed in beds.items():
        trees = learn([questions for other, questions in found.items() if other != name])
        values = [scores(bed, run)[bed.measure] for run in orders(found[name], trees)]
        cells = [f"{mean(v):.3f}{'*' if p_value(v, values[0]) < _SURE else ''}" for v in values]
        print(f"| {name} ({bed.measure}) | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
