"""Sources that disagree: two documents say the same sentence, but for one thing (pure).

Only clear disagreements are reported: nearly the same words, from different documents, with
one number or name in the other's place, of the kind that the question asks for; or one says what
the other denies. Sources that disagree in other words are left to the reader, or to a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from itertools import combinations

from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.stated import Stated, asked_of, statements
from core.citations.mark import mark
from core.citations.passages import citation_of, passage_key, passage_of, unused
from core.text.markdown_quoting import collapse, escape_markdown
from core.text.sentences import SentenceKind, split_sentences
from core.text.terms import Term, content_keys, fold, terms
from core.text.word_lists import MONTH_NUMBERS
from core.types import Answer, Claim, Hit, Notice, SearchResult, Support
from core.verification.words.contradiction import negation_differs, opposite

ALIKE = 0.65
"""The share of content words that two sentences have in common to be about the same."""
_LEAST = 4  # content words in common
_READ = 8  # hits whose sentences are compared
_LONGEST_SLOT = 4  # words that stand in the place of each other
_ASKED = 2  # words of the question in both of two sentences, one of which denies the other
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_OF_KIND = {Wanted.TIME: "number", Wanted.NUMBER: "number", Wanted.PLACE: "name"}
_OF_KIND |= {Wanted.PERSON: "name"}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a hit, `[start, end)` of its page, with its terms by their keys."""

    hit: Hit
    start: int
    end: int
    text: str
    terms: dict[str, Term]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences that cannot both be right, with what stands in the place of each other.

    Where one denies what the other says, the values are both sentences whole.
    """

    first: Said
    second: Said
    values: tuple[str, str]


_Statement = tuple[Hit, str, int, Stated]
"""A hit, its text and where that begins on its page, and what it states."""


def find_conflicts(question: str, hits: Sequence[Hit]) -> list[Conflict]:
    """Where the first hits disagree about the question, at most one for a pair of documents."""
    asked = set(content_keys(question))
    kind = _OF_KIND.get(wanted(question))
    said = [sentence for hit in hits[:_READ] for sentence in _sentences(hit, asked)]
    found: dict[tuple[str, str], Conflict] = {}
    for first, second in combinations(said, 2):
        pair = (first.hit.document.id, second.hit.document.id)
        if pair[0] == pair[1] or pair in found:
            continue
        values = _values(first, second, asked, kind) or _denied(first, second, asked)
        if values:
            found[pair] = Conflict(first, second, values)
    for conflict in _in_other_words(question, hits[:_READ]):
        pair = (conflict.first.hit.document.id, conflict.second.hit.document.id)
        found.setdefault(pair, conflict)
    return list(found.values())


def with_conflicts(answer: Answer, result: SearchResult, zone: tzinfo = UTC) -> Answer:
    """The answer with both sides of a disagreement in it, each with its citation and its day.

    An answer of a model gets a notice only: its text stays unchanged.
    """
    if answer.abstention or not answer.citations:
        return answer
    cited = {(c.document_id, c.page_ordinal, c.start, c.end) for c in answer.citations}
    for conflict in find_conflicts(result.plan.asked or answer.question, result.hits):
        sides = (conflict.first, conflict.second)
        there = [any(_covers(place, side) for place in cited) for side in sides]
        if not any(there):
            continue
        if answer.answerer == "extractive" and not all(there):
            answer = _added(answer, result, sides[there.index(False)])
        notice = _notice(conflict, zone)
        return replace(answer, notices=(notice, *answer.notices))
    return answer


def _added(answer: Answer, result: SearchResult, side: Said) -> Answer:
    """The answer with one more quote, and its citation."""
    number = len(answer.citations) + 1
    quote = escape_markdown(side.text)
    text = f"{answer.text}\n\n{quote} {mark(number)}"
    start = len(answer.text) + 2
    claim = Claim(start, start + len(quote), (number,), Support.VERBATIM, score=1.0)
    citations = (*answer.citations, citation_of(number, side.hit, side.start, side.end))
    used = {
        passage_key(hit)
        for hit in result.hits
        if any(hit.chunk.id == citation.chunk_id for citation in citations)
    }
    return replace(
        answer,
        text=text,
        citations=citations,
        claims=(*answer.claims, claim),
        unused=unused(result.hits, used, len(citations)),
    )


def _notice(conflict: Conflict, zone: tzinfo) -> Notice:
    sides = [
        f"{side.hit.document.label}{_dated(side.hit, zone)} says {value.rstrip('.')}"
        for side, value in zip((conflict.first, conflict.second), conflict.values, strict=True)
    ]
    text = f"The sources disagree: {'; '.join(sides)}.{_newer(conflict)}"
    return Notice("sources-disagree", text, "Open both to see which one to trust.")


def _newer(conflict: Conflict) -> str:
    """Which one was published later; "" where that is not known of both.

    When a file was added says nothing of when it was written.
    """
    first, second = conflict.first.hit.document, conflict.second.hit.document
    dates = (first.published, second.published)
    if not all(map(_DATE.fullmatch, dates)) or dates[0] == dates[1]:
        return ""
    return f" {(first if dates[0] > dates[1] else second).label} is the newer one."


def _dated(hit: Hit, zone: tzinfo) -> str:
    """When a source was published, or else added."""
    document = hit.document
    if document.published:
        return f" (published {document.published})"
    if document.added_at:
        return f" (added {document.added_at.astimezone(zone).date().isoformat()})"
    return ""


def _sentences(hit: Hit, asked: set[str]) -> list[Said]:
    """The sentences of a hit that share anything with the question."""
    text, base = passage_of(hit)
    found = []
    for sentence in split_sentences(text):
        if sentence.kind is not SentenceKind.PROSE:
            continue
        words = {term.key: term for term in terms(sentence.text) if term.kind != "stop"}
        if asked & words.keys() or not asked:
            start, end = base + sentence.start, base + sentence.end
            found.append(Said(hit, start, end, collapse(sentence.text), words))
    return found


def _values(first: Said, second: Said, asked: set[str], kind: str | None) -> tuple[str, str] | None:
    """What stands in the place of each other in two sentences that are otherwise alike."""
    common = first.terms.keys() & second.terms.keys()
    longer = max(len(first.terms), len(second.terms))
    if len(common) < _LEAST or len(common) / longer < ALIKE:
        return None
    sides = [
        [term for key, term in one.terms.items() if key not in common] for one in (first, second)
    ]
    if not all(sides) or max(map(len, sides)) > _LONGEST_SLOT:
        return None
    if any(term.key in asked for side in sides for term in side):
        return None  # they are about different things that the question names
    if any(all(fold(term.form) in MONTH_NUMBERS for term in side) for side in sides):
        return None  # each of its own month
    kinds = {kind} if kind else {"number", "name"}
    held = [[_kind(term) for term in side if _kind(term) in kinds] for side in sides]
    if not all(held) or held[0][0] != held[1][0]:
        return None
    return _span(first, sides[0]), _span(second, sides[1])


def _denied(first: Said, second: Said, asked: set[str]) -> tuple[str, str] | None:
    """Both sentences where one denies what the other says of what is asked.

    An opposite counts where the question has one of the two: "are dogs allowed", "forbidden".
    """
    common = first.terms.keys() & second.terms.keys()
    apart = first.terms.keys() ^ second.terms.keys()
    if len(common & asked) < _ASKED:
        return None
    texts = (first.text, second.text)
    if not apart and negation_differs(first.text, [second.text]):
        return texts
    found = opposite(first.text, [second.text])
    both = {*content_keys(" ".join(found))} if found else set()
    return texts if both == apart and both & asked else None


def _in_other_words(question: str, hits: Sequence[Hit]) -> Iterator[Conflict]:
    """Where two documents state another answer to the question, in whatever words.

    The answer of one is not in the passage of the other.
    """
    if (asked := asked_of(question)) is None:
        return
    texts = [passage_of(hit) for hit in hits]
    stated = [
        (hit, text, base, one)
        for hit, (text, base) in zip(hits, texts, strict=True)
        for one in statements(asked, text, _heads(hit))
    ]
    for first, second in combinations(stated, 2):
        if first[0].document.id != second[0].document.id and _disagree(first, second, stated):
            sides = [_said(hit, text, base, one) for hit, text, base, one in (first, second)]
            yield Conflict(sides[0], sides[1], (first[3].value, second[3].value))


def _disagree(first: _Statement, second: _Statement, stated: Sequence[_Statement]) -> bool:
    """Whether two statements disagree, and nothing else in either passage agrees with the other."""
    if not first[3].disagrees(second[3]):
        return False
    if first[3].is_in(second[1]) or second[3].is_in(first[1]):
        return False
    return first[3].kind == "name" or all(
        one.disagrees(other)
        for one, elsewhere in ((first[3], second[0]), (second[3], first[0]))
        for hit, _, _, other in stated
        if hit is elsewhere
    )


def _said(hit: Hit, text: str, base: int, one: Stated) -> Said:
    return Said(hit, base + one.start, base + one.end, collapse(text[one.start : one.end]), {})


def _heads(hit: Hit) -> str:
    document = hit.document
    return " ".join((document.title, document.label, *hit.chunk.headings))


def _kind(term: Term) -> str:
    """The kind of a term; one that begins a sentence may be a name as well."""
    return "name" if term.kind == "word" and term.form[0].isupper() else term.kind


def _span(said: Said, slot: Sequence[Term]) -> str:
    """The words of a slot as they stand in their sentence, with what is between them."""
    start, end = min(term.start for term in slot), max(term.end for term in slot)
    return said.text[start:end] if end - start <= 60 else ", ".join(term.form for term in slot)


def _covers(place: tuple[str, int, int, int], side: Said) -> bool:
    document, page, start, end = place
    return (
        document == side.hit.document.id
        and page == side.hit.chunk.page_ordinal
        and start < side.end
        and side.start < end
    )
