"""The item of a list that is asked for by its number: "who is number 6 on the list" (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.structures.lists import is_item, items_of
from core.answering.extractive.structures.quotes import Quote
from core.citations.passages import passage_of, sentences_of
from core.planning.numbered_questions import LAST, number_asked
from core.text.carried import CARRIED
from core.text.sentences import Sentence, SentenceKind
from core.text.terms import content_keys
from core.types import Hit

_MARK = re.compile(r"\W*(\d{1,3})[.)]?\W*$")
_TITLE = re.compile(r"(?:§\s*|\w+\s)?(\d{1,3})[.):]?\s+\D")
_TITLE_WORDS = 12


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A piece with the numbers it goes by, what follows it if it is a title, the keys around."""

    numbers: Collection[int | None]
    parts: tuple[Sentence, ...]
    around: frozenset[str]


def numbered_quotes(question: str, hits: Sequence[Hit], said: str = "") -> list[Quote]:
    """Return the one item or section with the number that a question asks for, [] without.

    Half of what else the question names must stand in the item's list, above it or in what its
    document is called. Words that were carried over, in brackets, only choose between several.
    "The second one" is that of the list which has the most of what was `said` last.
    """
    asked = number_asked(question)
    if asked is None or not content_keys(asked.rest):
        return []  # nothing says of which list
    typed = set(content_keys(CARRIED.sub("", asked.rest)))
    carried = set(content_keys(asked.rest)) - typed
    heard = frozenset() if typed else frozenset(content_keys(said))
    best: tuple[tuple[int, int], Quote] | None = None
    for at, hit in enumerate(hits):
        called = (hit.document.title, hit.document.label, *hit.chunk.headings)
        named = frozenset(content_keys(" . ".join(called)))
        under = hit.chunk.headings[-1] if hit.chunk.headings else hit.document.title
        for one in _numbered(hit, asked.placed):
            around = one.around | named
            if asked.number not in one.numbers or 2 * len(typed & around) < len(typed):
                continue
            shared = len(heard & one.around), len(typed & one.around) + len(carried & around)
            if not any(shared):
                continue
            candidate = Candidate(at, one.parts[0], under=under)
            quote = Quote(candidate, "lines" if len(one.parts) > 1 else "prose", one.parts)
            if best is None or shared > best[0]:
                best = shared, quote
    return [best[1]] if best else []


def _numbered(hit: Hit, placed: bool) -> Iterator[_Numbered]:
    """The items of a passage's lists, and its titles with a number; `placed`, those of bullets."""
    text, base = passage_of(hit)
    pieces = sentences_of(hit)
    at = 0
    lead: list[str] = []
    while at < len(pieces):
        piece = pieces[at]
        items = items_of(pieces[at:], text, base) if is_item(text, base, piece) else []
        if not items:
            if found := _TITLE.match(piece.text) if piece.kind is SentenceKind.HEADING else None:
                yield _Numbered({int(found[1])}, tuple(pieces[at : at + 2]), frozenset())
            lead = [*lead[-1:], piece.text]
            at += 1
            continue
        around = frozenset(content_keys(" . ".join((*lead, *(item.text for item in items)))))
        marks = [_mark(text, base, item) for item in items]
        for place, (item, mark) in enumerate(zip(items, marks, strict=True), 1):
            if len(items) > 1:
                number = place if placed and None in marks else mark
                last = (LAST,) if item is items[-1] else ()
                yield _Numbered({number, *last}, (item,), around)
            elif mark is not None and len(item.text.split()) <= _TITLE_WORDS:
                yield _Numbered({mark}, (item, *pieces[at + 1 : at + 2]), around)
        at += sum(1 for _ in _within(pieces[at:], items[-1]))


def _mark(text: str, base: int, item: Sentence) -> int | None:
    """The number that stands before an item on its line, None where a bullet does."""
    start = item.start - base
    found = _MARK.match(text[text.rfind("\n", 0, start) + 1 : start])
    return int(found[1]) if found else None


def _within(pieces: Sequence[Sentence], last: Sentence) -> Iterator[Sentence]:
    yield from (piece for piece in pieces if piece.end <= last.end)
