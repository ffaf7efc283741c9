"""Measures of one ranking against the places that a golden set names (pure).

Each named place is one relevant item. The ranking is that of the items: a hit that leads to a
place not found before stands for it, one that leads nowhere is irrelevant, and one that only
repeats a place is left out of the ranking (precision alone counts hits).
"""

from __future__ import annotations

from collections.abc import Sequence


def ranking_measures(found: Sequence[Sequence[int]], sources: int, k: int) -> dict[str, float]:
    """nDCG, recall, reciprocal rank and precision of the first `k`, all 0 to 1.

    `found` has for each hit, best first, the numbers (from 0) of the `sources` places it leads to.
    nDCG, recall and reciprocal rank are pytrec_eval's (NIST's trec_eval):
    nDCG@k = DCG@k / ideal DCG@k with DCG@k = sum of rel_i / log2(i + 1), i from 1 (Järvelin and
    Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002);
    recall@k = places found in the first k / all places; MRR = 1 / rank of the first place found,
    0 if none is among the first k (Voorhees, TREC-8, 1999);
    precision@k = hits among the first k that lead to a place / number of hits there (at most k).
    """
    if not sources:
        raise ValueError("a ranking needs at least one relevant place")
    ranked = _items(found)[:k]
    judged = {f"source-{number}": 1 for number in range(sources)}
    scores = {item: float(len(ranked) - at) for at, item in enumerate(ranked)}
    values = _trec(judged, scores, k) if scores else {}
    first = found[:k]
    return {
        "ndcg": float(values.get(f"ndcg_cut_{k}", 0.0)),
        "recall": float(values.get(f"recall_{k}", 0.0)),
        "mrr": float(values.get("recip_rank", 0.0)),
        "precision": sum(map(bool, first)) / len(first) if first else 0.0,
    }


def _items(found: Sequence[Sequence[int]]) -> list[str]:
    ranked: list[str] = []
    for at, numbers in enumerate(found):
        new = [f"source-{number}" for number in numbers if f"source-{number}" not in ranked]
        if new or not numbers:
            ranked += new or [f"other-{at}"]
    return ranked


def _trec(judged: dict[str, int], scores: dict[str, float], k: int) -> dict[str, float]:
    import pytrec_eval

    names = {f"ndcg_cut.{k}", f"recall.{k}", "recip_rank"}
    found: dict[str, dict[str, float]]
    found = pytrec_eval.RelevanceEvaluator({"q": judged}, names).evaluate({"q": scores})
    return found["q"]
