"""What a run is worth: measures by pytrec_eval, differences by a paired permutation test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.quality_sets import Bed
from core.types import Chunk

Scores = dict[str, float]
"""One value a query."""

_NAMES = {
    "ndcg@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "hit@1": "success_1",
    "hit@5": "success_5",
    "hit@10": "success_10",
}
READ = "in 4000 characters"
"""Whether something right is among the hits that 4,000 characters hold."""
MEASURES = (*_NAMES, READ)
_RESAMPLES = 9_999


def units(bed: Bed, chunks: Sequence[Chunk]) -> list[str]:
    """The unit that each hit stands for; a unit found again stands for nothing new."""
    found: list[str] = []
    seen: set[str] = set()
    for chunk in chunks:
        unit = bed.unit(chunk)
        found.append(f"{unit} again at {len(found)}" if unit in seen else unit)
        seen.add(unit)
    return found


def scores(
    bed: Bed, run: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Scores]:
    """Each measure by query; a query that found nothing right, or nothing at all, has 0.

    `read` is the run as far as it is read, see `quality_search.search_read`.
    """
    import pytrec_eval

    judged = {query: dict(grades) for query, grades in bed.qrels.items() if grades}
    wanted = {"ndcg_cut_10", "recall_10", "success_1,5,10"}
    ranked = {query: {unit: float(-at) for at, unit in enumerate(u)} for query, u in run.items()}
    found = pytrec_eval.RelevanceEvaluator(judged, wanted).evaluate(ranked)
    values = {
        name: {query: found.get(query, {}).get(key, 0.0) for query in bed.qrels}
        for name, key in _NAMES.items()
    }
    right = {
        query: grades.keys() & set((read or run).get(query, ()))
        for query, grades in bed.qrels.items()
    }
    return values | {READ: {query: float(bool(units)) for query, units in right.items()}}


def p_value(ours: Scores, baseline: Scores) -> float:
    """Two-sided paired permutation test of the mean difference (scipy); 1 where nothing differs.

    Source: Smucker, Allan, Carterette, "A Comparison of Statistical Significance Tests for
    Information Retrieval Evaluation", CIKM 2007.
    """
    from scipy.stats import permutation_test

    first = np.array([ours[query] for query in baseline])
    second = np.array(list(baseline.values()))
    if np.array_equal(first, second):
        return 1.0
    tested = permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        n_resamples=_RESAMPLES,
        vectorized=True,
        batch=500,
        rng=np.random.default_rng(0),
    )
    return float(tested.pvalue)


def mean(values: Scores) -> float:
    """The mean over all queries."""
    return sum(values.values()) / len(values) if values else 0.0
