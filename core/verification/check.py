"""Whether the cited passage supports a sentence of an answer, with the reason in words.

Content words, numbers, names, dates and negation are compared with the passage; the meaning by
embeddings. A logistic model weighs them; its weights were learned by
`python -m benchmarks.support_check --data DIR`, which also says how often it is right
(docs/evaluation.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from core.citations.mark import find_marks, without_marks
from core.citations.statements import Statement, plain, statements
from core.models.port import Embedder
from core.text.sentences import SentenceKind, split_sentences
from core.text.terms import content_keys
from core.types import STATES_NOTHING, Citation, Claim, Support
from core.verification.about_sources import (
    holding,
    is_about_sources,
    lacks,
    without_opening,
)
from core.verification.comparison import Comparison, Passage, compare, probability, read_passage
from core.verification.numbers.quantities import read_terms
from core.verification.numbers.ranking import Ranking, ranking
from core.verification.numbers.tables import OtherCell, other_cell, other_cell_said, row_at
from core.verification.numbers.year_tables import other_year

Case: TypeAlias = tuple[str, tuple[str, ...]]
"""A sentence and the passages that it cites."""


class Judge(Protocol):
    """A second opinion on whether passages support a sentence."""

    @property
    def any_language(self) -> bool:
        """Whether sentence and passage may be in different languages."""
        ...

    def __call__(self, cases: Sequence[Case], /) -> Sequence[bool | None]:
        """A verdict for each case, None where it cannot say."""
        ...


SUPPORTED = 0.4
"""The probability from which a cited sentence counts as supported: lower, replies that are not
attributable pass (BEGIN)."""
MATCHED = 0.7
"""The probability from which a source is the match of a sentence that cites none."""
_NEARLY_VERBATIM = 0.8
"""The share of copied pairs of words from which a sentence stands in a source nearly as it is."""
_HARDLY = 0.25
"""How surely one thing stands in another's place at most, where the rest is nearly as it is."""
_ADDS_LITTLE = 0.4
"""Below this share of a sentence's facts, a mark whose facts the others have too is a wrong one."""
_MOST_COMPARED = 3
"""Sources whose meaning is compared with a sentence that cites none: those that share most."""
_WITH_OWN_NUMBER = 0.1
_DENIED_CHANCE = 0.3
"""At most so likely is what the source denies: 35 of 36 such sentences are wrong."""
_BORNE_OUT = 0.9
_FIGURES_HOLD = 0.6
"""For a statement whose numbers the source has or give by computing, and that it does not deny."""
_SHOWN = 160  # characters of a source's sentence in a reason
_NO_PART = "No part of the sentence stands in the source that it cites."
_ONE_DENIES = "One of the two says “not”, the sentence or its source."
_DENIED = re.compile(r"(?:\b(?:not|never|without|cannot|nie|niemals)|n['’]t)\s+$")
"""What stands before the words of a source that a sentence leaves a denial off."""
_MARKS_TOGETHER = re.compile(r"\[\d+\](?:[\s,;]*\[\d+\])*")
_FEWEST_PARTS = 2
_FEWEST_IN_PART = 3
"""Content words from which a part of a sentence says something by itself."""
_SHORTEST_QUOTE = 12  # characters: shorter words stand in a passage by chance


@dataclass(frozen=True, slots=True)
class _Compared:
    """A statement, the passages that it is compared with, and the result."""

    statement: Statement
    passages: tuple[Passage, ...]
    comparison: Comparison
    other_cell: OtherCell | None = None
    ranking: Ranking | None = None

    @property
    def contradicts(self) -> bool:
        """Whether a figure or a word is not the source's: wrong however well the rest fits."""
        found = self.comparison
        if self.ranking and not self.ranking.right:
            return True
        figures = found.missing_numbers or found.other_quantity or self.other_cell
        return bool(figures or found.difference)

    @property
    def borne_out(self) -> bool:
        """Whether a table's numbers show what the sentence says, and the rest stands there."""
        fits = self.comparison.signals["coverage"] == 1 and not self.contradicts
        return bool(self.ranking and fits)

    @property
    def figures_hold(self) -> bool:
        """Whether a table or computing bears its numbers out, and nothing speaks against it."""
        found = self.comparison
        against = found.missing_names or found.negated or found.opposite or found.replaced
        return found.figures_hold and not (against or self.contradicts)


def check_support(
    text: str,
    citations: Sequence[Citation],
    unused: Sequence[Citation],
    embedder: Embedder,
    *,
    question: str = "",
    judge: Judge | None = None,
) -> tuple[Claim, ...]:
    """A claim for each statement of an answer, with its place in `text`.

    A statement that cites is compared with all passages that it cites; a claim's `wrong` are the
    marks among several that add nothing. One that cites nothing is compared with all passages, of
    `citations` and `unused`; the claim then has the number of the one that matches. What `question`
    says needs no source, nor do the numbers of code that the answer writes; what is said about the
    sources themselves is no claim unless a source says otherwise. A `judge` decides on cited
    sentences that are no quotes; a number that is in no source stays unsupported whatever the judge
    says.
    """
    passages = {
        citation.number: read_passage(citation.number, citation.passage, _around(citation))
        for citation in (*unused, *citations)
    }
    asked = {term.key for term in read_terms(question) if term.kind != "stop"}
    found = [
        replace(statement, words=without_opening(statement.words))
        if not is_about_sources(statement.words)
        else statement
        for statement in statements(text, {citation.number for citation in citations})
    ]
    code = " ".join(
        piece.text for piece in split_sentences(text) if piece.kind is SentenceKind.CODE
    )
    asked |= {term.key for term in read_terms(code) if term.kind == "number"}
    verdicts: dict[int, Claim] = {}
    cases: list[_Compared] = []
    said_before = ("", *(statement.words for statement in found))
    for said, statement in zip(said_before, found, strict=False):
        claim = _quoted(statement, passages) or _about_sources(statement, passages)
        if claim is not None:
            verdicts[statement.start] = claim
        elif statement.code:
            verdicts[statement.start] = _claim(statement, Support.UNCHECKED, "Code is not checked.")
        elif statement.framing:
            verdicts[statement.start] = _claim(statement, Support.UNCHECKED, STATES_NOTHING)
        else:
            cases += _cases(statement, passages, asked, text, said)
    parts = [part for case in cases for part in _parts(case, text, passages, asked)]
    claims = [
        _by_code(case, cosine)
        for case, cosine in zip([*cases, *parts], _cosines([*cases, *parts], embedder), strict=True)
    ]
    claims, of_parts = claims[: len(cases)], claims[len(cases) :]
    for judged in _judged(cases, [_by_parts(claim, of_parts) for claim in claims], judge):
        before = verdicts.get(judged.start)
        if before is None or (judged.score or 0.0) > (before.score or 0.0):
            verdicts[judged.start] = judged
    return tuple(
        _with_wrong_marks(verdicts.get(statement.start) or _nothing(statement), statement, passages)
        for statement in found
    )


def _around(citation: Citation) -> str:
    return " . ".join((citation.title, citation.label, *citation.headings, citation.url))


def _quoted(statement: Statement, passages: dict[int, Passage]) -> Claim | None:
    """The verdict on a statement that stands word for word in a passage."""
    words = statement.words.rstrip(" .。").casefold()
    if len(words) < _SHORTEST_QUOTE:
        return None
    quote = re.compile(rf"(?<!\w){re.escape(' '.join(words.split()))}")
    is_denied = False
    for number in statement.numbers or passages:
        there = plain(passages[number].text).casefold()
        before = [there[: place.start()] for place in quote.finditer(there)]
        if before and not all(map(_DENIED.search, before)):
            if statement.numbers:
                return _claim(statement, Support.VERBATIM, score=1.0)
            return _claim(statement, Support.MATCHED, score=1.0, numbers=(number,))
        is_denied = is_denied or bool(before)
    if is_denied and statement.numbers:
        return _claim(statement, Support.UNSUPPORTED, _ONE_DENIES, _WITH_OWN_NUMBER)
    return None


def _about_sources(statement: Statement, passages: dict[int, Passage]) -> Claim | None:
    """The verdict on what is said about the sources: no claim, unless one says otherwise."""
    if statement.code or statement.framing or not is_about_sources(statement.words):
        return None
    missing = lacks(statement.words) or ""
    for number, passage in passages.items():
        if missing and (said := holding(missing, [passage.text])) is not None:
            reason = f"A source does say it: “{said[:_SHOWN]}”"
            return _claim(statement, Support.UNSUPPORTED, reason, numbers=(number,))
    return _claim(statement, Support.UNCHECKED, STATES_NOTHING)


def _with_wrong_marks(claim: Claim, statement: Statement, passages: dict[int, Passage]) -> Claim:
    """The claim, with the marks of several that the others make needless and that say little."""
    if len(statement.numbers) < 2 or claim.support not in (Support.VERBATIM, Support.SUPPORTED):
        return claim
    wanted = {term.key for term in read_terms(statement.words) if term.kind != "stop"}
    has = {number: wanted & passages[number].everything for number in statement.numbers}
    wrong = tuple(
        number
        for number in statement.numbers
        if len(has[number]) < _ADDS_LITTLE * len(wanted)
        and has[number] <= frozenset().union(*(has[n] for n in has if n != number))
    )
    if not wrong or len(wrong) == len(statement.numbers):
        return claim
    named = " and ".join(f"[{number}]" for number in wrong)
    reason = f"{named} {'does' if len(wrong) == 1 else 'do'} not say this."
    return replace(claim, wrong=wrong, reason=reason)


def _cases(
    statement: Statement, passages: dict[int, Passage], asked: set[str], text: str, before: str
) -> list[_Compared]:
    """One case for what is cited together; for what cites nothing, one for each likely source.

    `before` is the statement before it.
    """
    if statement.numbers:
        cited = tuple(passages[number] for number in statement.numbers)
        lines = [passage.lines for passage in cited]
        if row := row_at(text, statement.start):
            header, cells = (tuple(without_marks(one, passages) for one in part) for part in row)
            cell = other_cell(header, cells, lines)
        else:
            cell = other_cell_said(statement.words, lines) or other_year(
                statement.words, lines, before
            )
        ranked = None if row else ranking(statement.words, lines)
        known = asked | ranked.keys if ranked and ranked.right else asked
        found = compare(statement.words, cited, known, before)
        return [_Compared(statement, cited, found, cell, ranked)]
    cases = [
        _Compared(statement, (passage,), compare(statement.words, (passage,), asked))
        for passage in passages.values()
    ]
    cases.sort(key=lambda case: -case.comparison.signals["coverage_best"])
    return cases[:_MOST_COMPARED]


def _parts(
    case: _Compared, text: str, passages: dict[int, Passage], asked: set[str]
) -> list[_Compared]:
    """The parts of a sentence that cite for themselves, each with its sources; [] of one alone."""
    statement = case.statement
    if len(statement.numbers) < _FEWEST_PARTS or row_at(text, statement.start):
        return []
    found: list[_Compared] = []
    said, at = text[statement.start : statement.end], 0
    for marks in _MARKS_TOGETHER.finditer(said):
        numbers = tuple(int(mark[1]) for mark in find_marks(marks[0], statement.numbers))
        words, at = plain(said[at : marks.start()]), marks.end()
        cited = tuple(passages[number] for number in numbers)
        if not cited or len(content_keys(words)) < _FEWEST_IN_PART:
            return []
        part = replace(statement, words=words, numbers=numbers)
        found.append(_Compared(part, cited, compare(words, cited, asked)))
    alone = content_keys(plain(said[at:])) or len({one.statement.numbers for one in found}) < 2
    return [] if alone else found


def _by_parts(claim: Claim, parts: Sequence[Claim]) -> Claim:
    """The claim; where each part of its sentence is supported by what it cites, the sentence is.

    Where none is, the sentence is not either: its marks may have been exchanged.
    """
    own = [part for part in parts if part.start == claim.start]
    if own and all(part.support is Support.UNSUPPORTED for part in own):
        score = min(part.score or 0.0 for part in own)
        reason = claim.reason or _NO_PART
        return replace(claim, support=Support.UNSUPPORTED, reason=reason, score=score)
    if not own or any(part.support is not Support.SUPPORTED for part in own):
        return claim
    score = max(claim.score or 0.0, min(part.score or 0.0 for part in own))
    return replace(claim, support=Support.SUPPORTED, reason="", score=score)


def _cosines(cases: Sequence[_Compared], embedder: Embedder) -> list[float]:
    """The similarity of each case's statement to the nearest of the passages' best sentences."""
    texts = list(
        dict.fromkeys(
            text for case in cases for text in (case.statement.words, *case.comparison.best) if text
        )
    )
    if not texts:
        return [0.0] * len(cases)
    vectors = dict(zip(texts, np.asarray(embedder.embed(texts)), strict=True))
    return [
        max(
            (
                float(vectors[case.statement.words] @ vectors[sentence])
                for sentence in case.comparison.best
            ),
            default=0.0,
        )
        for case in cases
    ]


def _by_code(case: _Compared, cosine: float) -> Claim:
    statement, comparison = case.statement, case.comparison
    chance = probability(comparison.signals | {"cosine": max(0.0, cosine)})
    if case.contradicts:
        chance = min(chance, _WITH_OWN_NUMBER)
    elif comparison.negated:
        chance = min(chance, _DENIED_CHANCE)
    elif case.borne_out:
        chance = max(chance, _BORNE_OUT)
    elif case.figures_hold:
        chance = max(chance, _FIGURES_HOLD)
    if statement.asks:
        return _claim(statement, Support.UNCHECKED, STATES_NOTHING, chance)
    if not statement.numbers:
        if chance >= MATCHED or _nearly_verbatim(case):
            number = case.passages[0].number
            return _claim(statement, Support.MATCHED, score=chance, numbers=(number,))
        return _nothing(statement, chance)
    if comparison.other_language and not case.contradicts:
        reason = "The source is in another language; only its numbers were compared."
        return _claim(statement, Support.UNCHECKED, reason, chance)
    if chance >= SUPPORTED:
        return _claim(statement, Support.SUPPORTED, score=chance)
    return _claim(statement, Support.UNSUPPORTED, _reason(case), chance)


def _nearly_verbatim(case: _Compared) -> bool:
    signals = case.comparison.signals
    found = case.comparison
    exchanged = max(signals["name_replaced"], signals["number_replaced"])
    contradicts = case.contradicts or found.negated or found.opposite or exchanged > _HARDLY
    return not contradicts and signals["pairs_copied"] >= _NEARLY_VERBATIM


def _judged(
    cases: Sequence[_Compared], claims: Sequence[Claim], judge: Judge | None
) -> list[Claim]:
    """The claims, with the judge's verdict where it is asked and gives one."""
    decided = list(claims)
    asked = [place for place, case in enumerate(cases) if judge and _is_for(case, judge)]
    if judge is None or not asked:
        return decided
    given = [
        (cases[place].statement.words, tuple(passage.text for passage in cases[place].passages))
        for place in asked
    ]
    for place, verdict in zip(asked, judge(given), strict=True):
        claim = decided[place]
        chance = claim.score or 0.0
        if verdict is True:
            decided[place] = replace(
                claim, support=Support.SUPPORTED, reason="", score=max(chance, SUPPORTED)
            )
        elif verdict is False:
            reason = f"{_reason(cases[place])} So the model judged as well."
            decided[place] = replace(
                claim, support=Support.UNSUPPORTED, reason=reason, score=min(chance, SUPPORTED)
            )
    return decided


def _is_for(case: _Compared, judge: Judge) -> bool:
    comparison = case.comparison
    if not case.statement.numbers or case.statement.asks or case.contradicts:
        return False
    return judge.any_language or not comparison.other_language


def _reason(case: _Compared) -> str:
    """Why the source does not support the sentence, the plainest reason first."""
    comparison = case.comparison
    if cell := case.other_cell:
        under = f" under “{cell.column}”" if cell.column else ""
        return f"The source has {cell.source} for “{cell.row}”{under}, not {cell.said}."
    if case.ranking and not case.ranking.right:
        return case.ranking.reason
    if comparison.missing_numbers:
        return _is_not("number", comparison.missing_numbers)
    if comparison.other_quantity:
        ours, theirs = comparison.other_quantity
        return f"The sentence says {ours}, the source {theirs}."
    if comparison.difference:
        ours, theirs = comparison.difference
        if not theirs:
            return f"The source does not say “{ours}”."
        return f"The sentence says “{ours}”, the source “{theirs}”."
    if comparison.negated:
        return _ONE_DENIES
    if comparison.opposite:
        ours, theirs = comparison.opposite
        return f"The sentence says “{ours}”, the source “{theirs}”."
    if comparison.missing_names:
        return _is_not("name", comparison.missing_names)
    if comparison.replaced:
        ours, theirs = comparison.replaced
        return f"The sentence says “{ours}” where the source says “{theirs}”."
    if comparison.far_numbers:
        return f"The source has {comparison.far_numbers[0]} in another connection."
    return "No sentence of the source says this."


def _is_not(what: str, forms: Sequence[str]) -> str:
    shown = [form if what == "number" else f"“{form}”" for form in forms[:3]]
    if len(shown) == 1:
        return f"The {what} {shown[0]} is not in the source."
    return f"The {what}s {', '.join(shown[:-1])} and {shown[-1]} are not in the source."


def _nothing(statement: Statement, chance: float | None = None) -> Claim:
    return _claim(
        statement, Support.UNSUPPORTED, "It cites no source, and no source found says this.", chance
    )


def _claim(
    statement: Statement,
    support: Support,
    reason: str = "",
    score: float | None = None,
    numbers: tuple[int, ...] | None = None,
) -> Claim:
    return Claim(
        statement.start,
        statement.end,
        statement.numbers if numbers is None else numbers,
        support,
        reason,
        score,
    )
