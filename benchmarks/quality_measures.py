"""What a run is worth: measures by pytrec_eval, differences by a paired permutation test."""

from __future__ import annotations

import math
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


def interval(ours: Scores, baseline: Scores) -> tuple[float, float]:
    """The middle 95 % of the mean difference over resamples of the queries (bootstrap)."""
    differences = np.array([ours[query] - value for query, value in baseline.items()])
    rng = np.random.default_rng(0)
    places = rng.integers(len(differences), size=(_RESAMPLES, len(differences)))
    low, high = np.percentile(differences[places].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def auc_difference(
    right: tuple[Sequence[float], Sequence[float]], wrong: tuple[Sequence[float], Sequence[float]]
) -> tuple[float, float, float]:
    """How much higher the AUC of the first scores is than that of the second, its standard error
    and p (two-sided). `right` and `wrong` hold both scores of the same items.

    Source: DeLong, DeLong, Clarke-Pearson, "Comparing the Areas under Two or More Correlated
    Receiver Operating Characteristic Curves", Biometrics 44 (1988).

    >>> difference, error, p = auc_difference(([3, 1, 4], [1, 3, 1]), ([2, 0], [2, 0]))
    >>> f"{difference:.3f}, {error:.3f}, {p:.2f}"
    '0.167, 0.373, 0.65'
    """
    placed = []
    for good, bad in zip(right, wrong, strict=True):
        pairs = np.subtract.outer(np.array(good, float), np.array(bad, float))
        above = (pairs > 0) + (pairs == 0) / 2
        placed.append((above.mean(axis=1), above.mean(axis=0)))
    of_right, of_wrong = (placed[0][at] - placed[1][at] for at in (0, 1))
    variance = of_right.var(ddof=1) / len(of_right) + of_wrong.var(ddof=1) / len(of_wrong)
    difference, error = float(of_right.mean()), math.sqrt(variance)
    return difference, error, math.erfc(abs(difference) / error / math.sqrt(2)) if error else 1.0


def mean(values: Scores) -> float:
    """The mean over all queries."""
    return sum(values.values()) / len(values) if values else 0.0
