"""Which candidates answer a question best: features and a linear model (pure).

Each candidate (`candidates.py`) gets a row of features, and the score is the weighted sum. The
weights below were learned by `python -m benchmarks.learn_extractive --golden DIR`, on half of the
documents of some sets; its figures on the other half and on other sets are in docs/evaluation.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from core.answering.extractive.question.answer_types import Wanted, holds, wanted
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.defining import IS_A
from core.citations.passages import passage_of
from core.text.other_words import ReadAs, share
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
    read_as: ReadAs = set,
) -> list[Candidate]:
    """At most `most` candidates, in their order: those that share the most with the question."""
    if len(candidates) <= most:
        return list(candidates)
    weights = {key: rarity(key) for key in content_keys(question)}
    ranks = _scaled([hit.score or 0.0 for hit in hits])

    def shared(at: int) -> float:
        near = candidates[at].before + " " + candidates[at].after
        return (
            2 * share(weights, read_as(content_keys(candidates[at].sentence.text)))
            + share(weights, read_as(content_keys(near)))
            + ranks[candidates[at].hit]
        )

    best = sorted(range(len(candidates)), key=shared, reverse=True)[:most]
    return [candidates[at] for at in sorted(best)]


WEIGHTS: dict[str, float] = {
    "cosine": 4.94,
    "cosine_lead": 1.28,
    "coverage": 0.61,
    "coverage_near": 1.7,
    "coverage_before": -0.34,
    "coverage_lead": 0.52,
    "coverage_titled": 0.68,
    "coverage_passage": 1.99,
    "bigrams": -0.11,
    "proximity": -0.76,
    "names": -0.63,
    "names_near": 0.8,
    "hit_score": 1.51,
    "hit_cosine": 5.98,
    "hit_first": 0.03,
    "in_chunk": 0.77,
    "continues": 1.05,
    "bracketed": 0.03,
    "time": 0.69,
    "number": 1.5,
    "name": 0.88,
    "reason": 0.64,
    "definition": 0.25,
    "novelty": 0.15,
    "length": -0.05,
    "heading": -2.71,
    "row": 1.95,
    "code": -5.4,
    "fragment": -1.6,
    "question": -2.06,
    "under": 2.53,
    "under_with": 1.97,
    "left": 1.09,
    "left_under": 0.09,
    "pronoun_under": -0.71,
    "opens": 1.17,
    "opens_under": -2.39,
    "counted": -0.36,
    "full_name": 0.97,
    "placed": 1.61,
    "dated": 0.17,
    "defines": -0.47,
}
"""What each feature counts, where documents are in English."""
OTHER_LANGUAGES: dict[str, float] = {
    **WEIGHTS,
    "cosine": 3.09,
    "cosine_lead": -0.21,
    "coverage": 2.80,
    "coverage_near": 1.59,
    "coverage_before": 0.13,
    "coverage_lead": 1.06,
    "coverage_titled": 1.01,
    "coverage_passage": 2.05,
    "bigrams": 0.99,
    "proximity": 0.07,
    "names": -0.91,
    "names_near": 1.02,
    "hit_score": 2.10,
    "hit_cosine": 4.97,
    "hit_first": 0.11,
    "in_chunk": 1.06,
}
"""The same for all other languages: the bundled embedder knows them less, so words count more."""
FEATURES = tuple(WEIGHTS)
"""The columns of the features, in order."""


_FEW = 6
"""As many passages at least are counted: of one alone each word that it has would say nothing."""


class Rarity:
    """How much a term says: inverse document frequency over the passages of one search.

    The formula is BM25's, log(1 + (N - n + 0.5) / (n + 0.5)).
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._count = max(len(passages), _FEW)
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
    read_as: ReadAs = set,
) -> Matrix:
    """One row for each candidate, one column for each of `FEATURES`.

    `cosines` are those of question and sentence; `read_as` adds what other words of a text mean.
    """
    asked = [term for term in terms(question) if term.kind != "stop"]
    weights = {term.key: rarity(term.key) for term in asked}
    named = {term.key for term in asked if term.kind in ("name", "number")}
    kind = wanted(question)
    read = [terms(candidate.sentence.text) for candidate in candidates]
    keys = [read_as({term.key for term in found}) for found in read]
    passage = [read_as(content_keys(passage_of(hit)[0])) for hit in hits]
    titles = [read_as(content_keys(_title(hit))) for hit in hits]
    scores = _scaled([hit.score or 0.0 for hit in hits])
    shares = [share(weights, found) for found in keys]
    lead = max(shares, default=0.0)
    top = float(cosines.max()) if len(cosines) else 0.0
    rows = []
    for at, candidate in enumerate(candidates):
        before = read_as({term.key for term in terms(candidate.before)})
        near = keys[at] | before | read_as({term.key for term in terms(candidate.after)})
        hit = hits[candidate.hit]
        sentence = candidate.sentence
        novel = {term.key for term in read[at] if term.kind != "stop"} - set(weights)
        row = {
            "cosine": float(cosines[at]),
            "cosine_lead": float(cosines[at]) - top,
            "coverage": shares[at],
            "coverage_near": share(weights, near),
            "coverage_before": share(weights, before),
            "coverage_lead": shares[at] - lead,
            "coverage_titled": share(weights, near | titles[candidate.hit]),
            "coverage_passage": share(weights, passage[candidate.hit]),
            "bigrams": _bigrams(asked, read[at]),
            "proximity": _proximity(weights, read[at]),
            "names": _fraction(named, keys[at]),
            "names_near": _fraction(named, near),
            "hit_score": scores[candidate.hit],
            "hit_cosine": hit.dense or 0.0,
            "hit_first": candidate.hit == 0,
            "in_chunk": hit.chunk.start <= sentence.start < hit.chunk.end,
            "continues": share(weights, before) if continues(read[at]) else 0.0,
            "bracketed": _bracketed(sentence.text, weights),
            **_types(kind, sentence.text, read[at], weights),
            "novelty": math.log1p(len(novel)),
            "length": math.log1p(len(read[at])),
            "heading": sentence.kind is SentenceKind.HEADING,
            "row": sentence.kind is SentenceKind.ROW,
            "code": sentence.kind is SentenceKind.CODE,
            "fragment": candidate.fragment,
            "question": sentence.text.rstrip()[-1:] in "?？؟",
            **_topical(weights, candidate, keys[at], read[at]),
            "counted": _counted(kind, asked, read[at]),
            "full_name": kind is Wanted.PERSON and _has_full_name(read[at], weights),
            "placed": kind is Wanted.PLACE and _has_place(read[at], weights),
            "dated": kind is Wanted.TIME and _has_date(sentence.text, weights),
            "defines": kind is Wanted.DEFINITION and _defines(sentence.text, read[at], weights),
        }
        rows.append([row[name] for name in FEATURES])
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))


def scores(matrix: Matrix, *, english: bool = True) -> npt.NDArray[np.float32]:
    """The score of each row; higher answers better. Only differences have a meaning."""
    weights = WEIGHTS if english else OTHER_LANGUAGES
    return matrix @ np.array([weights[name] for name in FEATURES], dtype=np.float32)


def _title(hit: Hit) -> str:
    return " . ".join((hit.document.title, hit.document.label, *hit.chunk.headings))


def _scaled(values: Sequence[float]) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    return [(value - low) / (high - low) if high > low else 1.0 for value in values]


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


def _topical(
    weights: dict[str, float], candidate: Candidate, found: set[str], read: Sequence[Term]
) -> dict[str, float]:
    """How much the heading above says of the question, and the sentence of what is left of it."""
    topic = set(content_keys(candidate.under))
    left = {key: weight for key, weight in weights.items() if key not in topic}
    under = share(weights, topic)
    return {
        "under": under,
        "under_with": share(weights, found | topic),
        "left": share(left, found),
        "left_under": share(left, found) * under,
        "pronoun_under": under if continues(read) else 0.0,
        "opens": float(candidate.opens),
        "opens_under": under if candidate.opens else 0.0,
    }


def _counted(kind: Wanted, asked: Sequence[Term], found: Sequence[Term]) -> bool:
    """Whether a number stands before what is counted: "52 episodes" for "how many episodes"."""
    if kind is not Wanted.NUMBER or not asked:
        return False
    keys = {term.key for term in asked}
    return any(
        term.kind == "number" and any(after.key in keys for after in found[at + 1 : at + 4])
        for at, term in enumerate(found)
    )


def _has_full_name(found: Sequence[Term], asked: Collection[str]) -> bool:
    """Whether two names stand next to each other that the question does not hold."""
    return any(
        all(term.kind == "name" and term.key not in asked for term in pair)
        and pair[1].start - pair[0].end < 3
        for pair in pairwise(found)
    )


_PREPOSITIONS = frozenset("in at near from to on im bei aus nach à en a".split())


def _has_place(found: Sequence[Term], asked: Collection[str]) -> bool:
    return any(
        a.form.casefold() in _PREPOSITIONS and b.kind == "name" and b.key not in asked
        for a, b in pairwise(found)
    )


_DATE = re.compile(r"\b(?:1[0-9]|20)\d\d\b")


def _has_date(text: str, asked: Collection[str]) -> bool:
    return any(found.group() not in asked for found in _DATE.finditer(text))


def _defines(text: str, found: Sequence[Term], asked: Collection[str]) -> bool:
    """Whether the sentence opens with what is asked for and says at once what it is."""
    verb = IS_A.search(text)
    if verb is None:
        return False
    head = [term for term in found if term.end <= verb.start() and term.kind != "stop"]
    return 0 < len(head) <= 8 and sum(t.key in asked for t in head) * 2 >= len(head)


def continues(found: Sequence[Term]) -> bool:
    """Whether a sentence with these terms opens with a word for what was said before it: "it"."""
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
