"""Quotes as an answer: its Markdown, its citations, its claims and the words set off."""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.extractive.marking.writing import highlighted, marked, written
from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.extractive.question.kinds import questions_of
from core.answering.extractive.scored import Scored
from core.answering.extractive.structures.quotes import Quote
from core.citations.passages import PassageKey, citation_of, passage_key, passage_of, unused
from core.text.imports import used_imports
from core.types import Answer, Citation, Claim, Hit, SearchResult, Support
from core.verification.code_blocks import Listing, quoted_notices

SURE_OF_FURTHER = 0.0
"""The score of the reader from which on words of a further sentence are set off."""


def compose(
    question: str,
    result: SearchResult,
    quotes: Sequence[Quote],
    belief: float,
    scored: Scored,
) -> tuple[list[str], Answer]:
    """The pieces of the text, and the answer whose text is all of them joined."""
    numbers: dict[PassageKey, int] = {}
    cited: dict[int, list[Quote]] = {}
    pieces: list[str] = []
    claims: list[Claim] = []
    highlights: list[tuple[int, int]] = []
    at = 0
    before: Quote | None = None
    asked = result.plan.asked or question
    several = len(questions_of(asked)) > 1
    defines = wanted(asked) is Wanted.DEFINITION  # by the first; others are named behind it
    for quote in quotes:
        hit = scored.hits[quote.hit]
        number = numbers.setdefault(passage_key(hit), len(numbers) + 1)
        cited.setdefault(number, []).append(quote)
        gap = _gap(before, quote, scored.hits)
        text, spans = written(quote)
        start = at + len(gap)
        claims += [
            Claim(start + first, start + last, (number,), Support.VERBATIM, score=1.0)
            for first, last in spans
        ]
        read = scored.reads.get(quote.candidate)
        is_sure = read is not None and read.score >= SURE_OF_FURTHER
        # What follows the best only adds, and is seldom what was asked for.
        if not highlights and (before is None or several or (is_sure and not defines)):
            found = highlighted(asked, quote, text, spans, read)
            highlights += [(start + first, start + last) for first, last in found]
        pieces.append(gap + marked(text, quote, number))
        at += len(pieces[-1])
        before = quote
    citations = tuple(_cite(n, found, scored.hits[found[0].hit]) for n, found in cited.items())
    code = [quote for found in cited.values() for quote in found if quote.form == "code"]
    listings = [_listing(quote, scored.hits[quote.hit]) for quote in code]
    answer = Answer(
        question=question,
        text="".join(pieces),
        citations=citations,
        unused=unused(result.hits, numbers, len(citations)),
        claims=tuple(claims),
        highlights=tuple(highlights),
        confidence=belief,
        search=result,
        notices=(*result.notices, *quoted_notices(listings)),
    )
    return pieces, answer


def _listing(quote: Quote, hit: Hit) -> Listing:
    """A quoted listing with the imports that stand above it, in its passage or before that."""
    shown, (text, base) = quote.parts[0], passage_of(hit)
    imports = used_imports((*hit.imports, text[: shown.start - base]), shown.text)
    return Listing(shown.text, imports, whole=shown.text == quote.candidate.sentence.text)


def _gap(before: Quote | None, after: Quote, hits: Sequence[Hit]) -> str:
    """Sentences of one passage run on; another passage, a list, rows or code begin a paragraph."""
    if before is None:
        return ""
    same = passage_key(hits[before.hit]) == passage_key(hits[after.hit])
    return " " if same and before.form == after.form == "prose" else "\n\n"


def _cite(number: int, found: Sequence[Quote], hit: Hit) -> Citation:
    """The citation of one passage: its marked span reaches over all that is quoted from it."""
    spans = sorted({(part.start, part.end) for quote in found for part in quote.parts})
    start, end = spans[0][0], max(last for _, last in spans)
    return citation_of(number, hit, start, end, tuple(spans) if len(spans) > 1 else ())
