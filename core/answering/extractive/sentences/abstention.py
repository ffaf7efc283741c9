"""Whether the passages found can hold the answer at all: signals and a logistic model (pure).

The weights were learned by `python -m benchmarks.learn_extractive --golden DIR`: answerable
questions against questions about something else altogether and, where the set has them,
questions on the same topic with a changed detail. Learned alone they did worse on documents of
another kind (a manual), so they are averaged with the two signals that do well everywhere.
docs/evaluation.md says what this can and cannot tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from core.answering.extractive.question.answer_types import holds, wanted
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.scoring import FEATURES, Matrix, Rarity
from core.citations.passages import passage_of
from core.text.other_words import ReadAs, share
from core.text.terms import Term, content_keys, terms
from core.types import Hit

WEIGHTS: dict[str, float] = {
    "cosine": 5.96,
    "hit_cosine": 1.03,
    "passage": 3.33,
    "passage_rare": -0.26,
    "near": -0.08,
    "sentence": 0.38,
    "names": 0.33,
    "names_missing": -0.38,
    "unknown": 0.20,
    "agreement": 0.26,
    "margin": 0.44,
    "type": -0.10,
    "bigrams": 0.14,
}
SIGNALS = tuple(WEIGHTS)
"""The signals, in order."""
BIAS = -4.31
THRESHOLD = 0.5
"""Below this confidence the answer is a refusal."""


def signals(
    question: str,
    hits: Sequence[Hit],
    candidates: Sequence[Candidate],
    matrix: Matrix,
    best: int,
    rarity: Rarity,
    read_as: ReadAs = set,
) -> tuple[float, ...]:
    """One value for each of `SIGNALS`, all about 0 to 1; `best` is the best candidate's row.

    Coverage is always that of one passage: a question whose terms are strewn over several
    passages is not covered by any.
    """
    asked = {term.key: term for term in terms(question) if term.kind != "stop"}
    weights = {key: rarity(key) for key in asked}
    passages = [read_as(content_keys(_read(hit))) for hit in hits]
    column = {name: matrix[:, at] for at, name in enumerate(FEATURES)}
    special = {key for key, term in asked.items() if _is_special(term)}
    named = _best_share(dict.fromkeys(special, 1.0), passages)
    rare = dict(sorted(weights.items(), key=lambda item: -item[1])[:2])
    dense = [hit.dense for hit in hits if hit.dense is not None]
    sentence = candidates[best].sentence.text
    unknown = sum(not _best_share({key: 1.0}, passages) for key in asked)
    found = {
        "cosine": float(column["cosine"].max()),
        "hit_cosine": max(dense, default=0.0),
        "passage": _best_share(weights, passages),
        "passage_rare": _best_share(rare, passages),
        "near": float(column["coverage_near"].max()),
        "sentence": float(column["coverage"][best]),
        "names": named,
        "names_missing": float(bool(special)) - named,
        "unknown": unknown / max(1, len(asked)),
        "agreement": _agreement(hits),
        "margin": (max(dense) - float(np.mean(dense))) if dense else 0.0,
        "type": float(holds(wanted(question), sentence, terms(sentence), asked)),
        "bigrams": float(column["bigrams"].max()),
    }
    return tuple(found[name] for name in SIGNALS)


def confidence(values: Sequence[float]) -> float:
    """The estimate, 0 to 1, that the passages hold the answer."""
    total = BIAS + sum(WEIGHTS[name] * value for name, value in zip(SIGNALS, values, strict=True))
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def _read(hit: Hit) -> str:
    title = hit.document.title or hit.document.label
    return " ".join((title, *hit.chunk.headings, passage_of(hit)[0]))


def _is_special(term: Term) -> bool:
    return term.kind in ("name", "number")


def _best_share(weights: dict[str, float], passages: Sequence[set[str]]) -> float:
    return max((share(weights, passage) for passage in passages), default=0.0)


def _agreement(hits: Sequence[Hit]) -> float:
    """1 where one hit is first for dense and lexical search alike, less the further apart."""
    ranks = [
        max(hit.dense_rank, hit.lexical_rank)
        for hit in hits
        if hit.dense_rank is not None and hit.lexical_rank is not None
    ]
    return 1 / min(ranks) if ranks else 0.0
