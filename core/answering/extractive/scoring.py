"""Which candidates answer a question best: features and a linear model (pure).

Each candidate (`candidates.py`) gets a row of features, and the score is the weighted sum. The
weights below were learned by `python -m benchmarks.learn_extractive --golden DIR`, on half of the
documents of a set; its figures on the other half and on other sets are in docs/evaluation.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.answering.extractive.answer_types import Wanted, holds, wanted
from core.answering.extractive.candidates import Candidate
from core.citations.passages import passage_of
from core.text.sentences import SentenceKind
from core.text.terms import Term, content_keys, terms
from core.text.word_lists import CONTINUING
from core.types import Hit

Matrix = npt.NDArray[np.float32]


def shortlist(
    question: str,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
    rarity: Rarity,
    most: int,
) -> list[Candidate]:
    """At most `most` candidates, in their order: those that share the most with the question."""
    if len(candidates) <= most:
        return list(candidates)
    weights = {key: rarity(key) for key in content_keys(question)}
    ranks = _scaled([hit.score or 0.0 for hit in hits])

    def shared(at: int) -> float:
        near = candidates[at].before + " " + candidates[at].after
        return (
            2 * _share(weights, set(content_keys(candidates[at].sentence.text)))
            + _share(weights, set(content_keys(near)))
            + ranks[candidates[at].hit]
        )

    best = sorted(range(len(candidates)), key=shared, reverse=True)[:most]
    return [candidates[at] for at in sorted(best)]


WEIGHTS: dict[str, float] = {
    "cosine": 6.0,
    "cosine_lead": 2.09,
    "coverage": 3.41,
    "coverage_near": 2.39,
    "coverage_before": 0.0,
    "coverage_lead": 1.3,
    "coverage_titled": 0.0,
    "coverage_passage": 1.95,
    "bigrams": 1.15,
    "proximity": 0.14,
    "names": -0.96,
    "names_near": 0.83,
    "hit_score": 1.1,
    "hit_cosine": 4.83,
    "hit_first": -0.06,
    "in_chunk": 0.0,
    "continues": 0.0,
    "bracketed": 0.0,
    "time": 0.83,
    "number": 1.55,
    "name": 0.39,
    "reason": 0.83,
    "definition": 0.04,
    "novelty": 0.14,
    "length": -0.02,
    "heading": -3.11,
    "row": -0.07,
    "code": 0.0,
    "fragment": -0.32,
    "question": -3.23,
}
"""What each feature counts."""
FEATURES = tuple(WEIGHTS)
"""The columns of the features, in order."""


class Rarity:
    """How much a term says: inverse document frequency over the passages of one search.

    The formula is BM25's, log(1 + (N - n + 0.5) / (n + 0.5)).
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._count = len(passages)
        self._in = Counter(key for text in passages for key in set(content_keys(text)))

    def __call__(self, key: str) -> float:
        """The weight of the term with this key."""
        n = self._in[key]
        return math.log(1 + (self._count - n + 0.5) / (n + 0.5))


def features(
    question: str,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
    cosines: npt.NDArray[np.float32],
    rarity: Rarity,
) -> Matrix:
    """One row for each candidate, one column for each of `FEATURES`.

    `cosines` are those of question and sentence.
    """
    asked = [term for term in terms(question) if term.kind != "stop"]
    weights = {term.key: rarity(term.key) for term in asked}
    named = {term.key for term in asked if term.kind in ("name", "number")}
    kind = wanted(question)
    read = [terms(candidate.sentence.text) for candidate in candidates]
    keys = [{term.key for term in found} for found in read]
    passage = [set(content_keys(passage_of(hit)[0])) for hit in hits]
    titles = [set(content_keys(_title(hit))) for hit in hits]
    scores = _scaled([hit.score or 0.0 for hit in hits])
    shares = [_share(weights, found) for found in keys]
    lead = max(shares, default=0.0)
    top = float(cosines.max()) if len(cosines) else 0.0
    rows = []
    for at, candidate in enumerate(candidates):
        before = {term.key for term in terms(candidate.before)}
        near = keys[at] | before | {term.key for term in terms(candidate.after)}
        hit = hits[candidate.hit]
        sentence = candidate.sentence
        novel = {term.key for term in read[at] if term.kind != "stop"} - set(weights)
        row = {
            "cosine": float(cosines[at]),
            "cosine_lead": float(cosines[at]) - top,
            "coverage": shares[at],
            "coverage_near": _share(weights, near),
            "coverage_before": _share(weights, before),
            "coverage_lead": shares[at] - lead,
            "coverage_titled": _share(weights, near | titles[candidate.hit]),
            "coverage_passage": _share(weights, passage[candidate.hit]),
            "bigrams": _bigrams(asked, read[at]),
            "proximity": _proximity(weights, read[at]),
            "names": _fraction(named, keys[at]),
            "names_near": _fraction(named, near),
            "hit_score": scores[candidate.hit],
            "hit_cosine": hit.dense or 0.0,
            "hit_first": candidate.hit == 0,
            "in_chunk": hit.chunk.start <= sentence.start < hit.chunk.end,
            "continues": _share(weights, before) if _continues(read[at]) else 0.0,
            "bracketed": _bracketed(sentence.text, weights),
            **_types(kind, sentence.text, read[at], weights),
            "novelty": math.log1p(len(novel)),
            "length": math.log1p(len(read[at])),
            "heading": sentence.kind is SentenceKind.HEADING,
            "row": sentence.kind is SentenceKind.ROW,
            "code": sentence.kind is SentenceKind.CODE,
            "fragment": candidate.fragment,
            "question": sentence.text.rstrip()[-1:] in "?？؟",
        }
        rows.append([row[name] for name in FEATURES])
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))


def scores(matrix: Matrix) -> npt.NDArray[np.float32]:
    """The score of each row; higher answers better. Only differences have a meaning."""
    return matrix @ np.array([WEIGHTS[name] for name in FEATURES], dtype=np.float32)


def _title(hit: Hit) -> str:
    return " . ".join((hit.document.title, hit.document.label, *hit.chunk.headings))


def _scaled(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]


def _share(weights: dict[str, float], found: set[str]) -> float:
    total = sum(weights.values())
    return sum(weight for key, weight in weights.items() if key in found) / total if total else 0.0


def _fraction(wanted_keys: set[str], found: set[str]) -> float:
    return len(wanted_keys & found) / len(wanted_keys) if wanted_keys else 0.0


def _bigrams(asked: Sequence[Term], found: Sequence[Term]) -> float:
    """Share of the question's neighbouring content terms that stand as near in the sentence."""
    pairs = {(a.key, b.key) for a, b in pairwise(asked)}
    content = [term.key for term in found if term.kind != "stop"]
    there = set(pairwise(content))
    return len(pairs & (there | {(b, a) for a, b in there})) / len(pairs) if pairs else 0.0


def _proximity(weights: dict[str, float], found: Sequence[Term]) -> float:
    """How densely the question's terms stand: matched terms over the stretch they span."""
    at = [index for index, term in enumerate(found) if term.key in weights]
    matched = len({found[index].key for index in at})
    return matched / (at[-1] - at[0] + 1) if matched > 1 else 0.0


def _continues(found: Sequence[Term]) -> bool:
    return bool(found) and found[0].form.casefold() in CONTINUING


def _bracketed(text: str, asked: Collection[str]) -> float:
    """1 where a term of the question stands in brackets: "the World Health Organization (WHO)"."""
    inside = " ".join(re.findall(r"[(（]([^()（）]{1,40})[)）]", text))
    return float(bool(inside) and any(key in asked for key in content_keys(inside)))


def _types(
    kind: Wanted, text: str, found: Sequence[Term], asked: dict[str, float]
) -> dict[str, float]:
    """+1 or -1 in the column of the wanted type, 0 in the others."""
    columns = {
        "time": (Wanted.TIME,),
        "number": (Wanted.NUMBER,),
        "name": (Wanted.PLACE, Wanted.PERSON),
        "reason": (Wanted.REASON,),
        "definition": (Wanted.DEFINITION,),
    }
    value = 1.0 if holds(kind, text, found, asked) else -1.0
    return {name: value if kind in kinds else 0.0 for name, kinds in columns.items()}
