"""The list below a heading that says just what is asked for: "Ingredients" (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.quotable import without_number
from core.answering.extractive.structures.lists import MOST_ITEMS
from core.answering.extractive.structures.quotes import Quote
from core.answering.extractive.structures.records import listed_records
from core.answering.extractive.structures.sections.counted import counted_of
from core.answering.extractive.structures.sections.led_in import named_in_a_lead
from core.answering.extractive.structures.sections.listings import Listing, lists_of, title_of
from core.answering.extractive.structures.sections.words import LIGHT, keys_of
from core.answering.extractive.structures.tables import header_of, label, shown
from core.citations.passages import sentences_of
from core.text.sentences import SentenceKind
from core.text.terms import content_keys
from core.types import Hit

THINGS = re.compile(
    r"\b(?:what|which|welche) (?:are (?:the|all the) )?"
    r"(?P<things>(?:(?!(?:is|was|does|has|did|do|are|were|ist|sind)\b)[^\W\d_]+ )?"
    r"(?!(?:does|this)\b)[^\W\d_]{3,}s)\b"
    r"|\b(?:list|show|give me) (?:me )?(?:all )?(?:the )?"
    r"(?P<listed>(?:(?!(?:from|in|of|for|on|at|with|by|to)\b)[^\W\d_]+ ){0,4}[^\W\d_]{3,}s)\b"
    r"|^\W*(?:(?:all|the|some) )*(?P<bare>[^\W\d_]{3,}s) (?:to|of|for)\b"
    r"|\bwhat (?:(?:do|will|would|should) (?:i|we|you) need|is (?:needed|required))"
    r" (?:for|in) (?:the |an? |my )?"
    r"(?P<for_it>(?:[^\W\d_]+ )?[^\W\d_]{3,})\W*$"
    r"|^\W*(?:who|wer) (?:is|are|was|were|ist|sind|war|waren) (?P<who>present|absent"
    r"|attending|missing|excused|invited|anwesend|abwesend|entschuldigt|eingeladen)\W*$"
    r"|\bwelche[srn]? (?P<german>[^\W\d_]{4,})\b"
    r"|\bwas (?:brauch|benötig)\w* (?:ich|man|wir|ihr) (?:alles )?(?:für|an) "
    r"(?P<needed>[^\W\d_]{4,})\b",
    re.I,
)
_BOTH_SIDES = re.compile(
    r"\b(?:pros|advantages|benefits|upsides|strengths) (?:and|&|or|vs\.?) (?:the )?(?:cons"
    r"|disadvantages|drawbacks|downsides|weaknesses)\b|\bvor-? ?(?:teile)? und nachteile\b",
    re.I,
)
_KINDS = tuple(
    (re.compile(rf"\W*(?:the )?(?:{pattern})\W*", re.I), keys_of(word))
    for pattern, word in (
        (r"cons|drawbacks|disadvantages|downsides|weaknesses"
         r"|what (?:we|i) (?:do|did) ?n['’o]t (?:like|love)|nachteile"
         r"|was (?:uns|mir) nicht gef(?:ällt|iel)", "drawbacks"),
        (r"pros|benefits|advantages|upsides|strengths|what (?:we|i) (?:liked?|loved?)|vorteile"
         r"|was (?:uns|mir) gef(?:ällt|iel)", "advantages"),
    )
)  # fmt: skip
"""What headings, and people, call what speaks for something and what speaks against it."""
_NEEDED = keys_of("ingredients materials equipment requirements tools prerequisites")
"""Words of headings below which it is listed what something needs."""
_ON_A_LIST = keys_of("list checklist overview item point entry liste checkliste übersicht punkt")
"""Words of headings that say only that something is listed."""
_LEAST_SHARED = 0.5
"""The share of the other words that the document, its headings and its items need to have."""


def _named_things(asked: re.Match[str]) -> str:
    return next(filter(None, asked.groups()), "")


def things_listed(question: str, hits: Sequence[Hit]) -> list[Listing]:
    """The lists below a heading that says just what is asked for: "Ingredients"."""
    if (both := _BOTH_SIDES.search(question)) and (sides := _sides(question, both, hits)):
        return sides
    asked = THINGS.search(question)
    if asked is None:
        return []
    things = _titled(_named_things(asked))
    named = _titles_asked_for(question, hits) if asked["listed"] else ()
    things = max(named, key=len, default=things)
    if not things:
        return []  # "what does it mean"
    rest = set(content_keys(question)) - set(content_keys(_named_things(asked))) - things - LIGHT
    if found := _below_heading(things, rest, hits):
        return found
    if asked["for_it"]:
        return _needed(things, hits)
    return named_in_a_lead(things, hits) or _counted_below(question, things, hits)


def _sides(question: str, both: re.Match[str], hits: Sequence[Hit]) -> list[Listing]:
    """What speaks for something, then what speaks against it."""
    rest = set(content_keys(question.replace(both.group(), " "))) - LIGHT
    return [
        one for _, side in reversed(_KINDS) for one in _below_heading(set(side), rest, hits)[:1]
    ]


def _needed(things: set[str], hits: Sequence[Hit]) -> list[Listing]:
    """What something needs: below a heading with its name, else below "Ingredients"."""
    titles = (
        title for at, hit in enumerate(hits) for one in lists_of(hit, at) for title in one.near
    )
    keys = (set(content_keys(title)) for title in titles)
    called = min((one for one in keys if things < one), key=len, default=set[str]())
    found = _below_heading(called, set(), hits) if called and len(things) > 1 else []
    return found or next(filter(None, (_below_heading({one}, things, hits) for one in _NEEDED)), [])


def _below_heading(things: set[str], rest: set[str], hits: Sequence[Hit]) -> list[Listing]:
    """The lists below a heading of `things` in what has most of the `rest` of a question."""
    best: tuple[float, list[Listing]] = 0.0, []
    for at, hit in enumerate(hits):
        below = (one for one in lists_of(hit, at) if _depth(one.path, things) is not None)
        lists = [one for one in below if one.is_first]  # numbers below the ingredients are steps
        said = set(content_keys(" . ".join((title_of(hit), *_words(lists)))))
        shared = len(rest & said) / len(rest) if rest else 1.0
        if lists and shared >= _LEAST_SHARED and shared > best[0]:
            best = shared, lists
    fits = [_fit(one.path, things, rest) for one in best[1]]
    return [one for one, fit in zip(best[1], fits, strict=True) if fit == max(fits)]


def _fit(path: Sequence[str], things: set[str], rest: set[str]) -> tuple[int, int, int]:
    """How well the headings below and right above the one that is asked for are named.

    Of "Lamp" and "Lamp Pro" the first is meant by "cons of the lamp".
    """
    depth = _depth(path, things) or 0
    below = set(content_keys(" . ".join(path[depth + 1 :])))
    above = set(content_keys(" . ".join(path[max(0, depth - 1) : depth])))
    named = len(above & rest)
    return len(below & rest), named, -len(above - rest) if named else 0


def _counted_below(question: str, things: set[str], hits: Sequence[Hit]) -> list[Listing]:
    """The headings that count below one, or in a document, that names what is asked for."""
    asked = set(content_keys(question)) - LIGHT
    for at, hit in enumerate(hits):
        for one in counted_of(hit, at):
            called = set(content_keys(" . ".join((title_of(hit), *one.path))))
            if things and things <= called and asked <= called:
                if one.title is not None and not things <= set(content_keys(one.title.text)):
                    one.title = None
                return [one]
    return []


def _titles_asked_for(question: str, hits: Sequence[Hit]) -> list[set[str]]:
    """The keys of headings of several words that a question names whole: "mobile only"."""
    asked = set(content_keys(question)) - LIGHT
    titles = {
        title for at, hit in enumerate(hits) for one in lists_of(hit, at) for title in one.near
    }
    named = (set(content_keys(title)) for title in titles if len(title.split()) > 1)
    return [keys for keys in named if keys and keys <= asked]


def _words(lists: Sequence[Listing]) -> Iterator[str]:
    for one in lists:
        yield from one.path
        yield from (item.text for item in one.items)


def _depth(path: Sequence[str], things: set[str]) -> int | None:
    """Where in a path of headings the one stands that says just this, None without it."""
    named = map(_titled, path)
    return next((n for n, keys in enumerate(named) if things in (keys, keys - _ON_A_LIST)), None)


def _titled(title: str) -> set[str]:
    """The keys of a heading, the same for headings that say the same: "Cons", "Drawbacks"."""
    kinds = (keys for pattern, keys in _KINDS if pattern.fullmatch(title))
    return set(next(kinds, None) or content_keys(title))


def table_listed(question: str, hits: Sequence[Hit]) -> Quote | None:
    """The table whose first column, or whose heading, is what is asked for: "which methods"."""
    asked = THINGS.search(question)
    things = set(content_keys(_named_things(asked))) if asked else set()
    wanted = set(content_keys(question)) - LIGHT - _ON_A_LIST
    for at, hit in enumerate(hits):
        pieces = sentences_of(hit)
        for n, (header, row) in enumerate(pairwise(pieces)):
            if row.kind is not SentenceKind.ROW or header_of(pieces, n + 1) != (header,):
                continue
            titled = header.kind is SentenceKind.HEADING
            first = set(content_keys(without_number(label(header.text))))
            lead = " . ".join((title_of(hit), *hit.chunk.headings, pieces[n - 1].text if n else ""))
            if first and first <= things and wanted <= first | set(content_keys(lead)):
                rows = list(takewhile(lambda one: one.kind is SentenceKind.ROW, pieces[n + 1 :]))
                candidate = Candidate(at, row, under=" ".join(hit.chunk.headings[-1:]))
                if names := listed_records(rows[1:]):
                    more = len(names[MOST_ITEMS:])
                    return Quote(candidate, "list", (header, *names[:MOST_ITEMS]), 1, more)
                kept = shown(rows)
                parts = (*(() if titled else (header,)), *kept)
                return Quote(candidate, "table", parts, more=len(rows) - len(kept))
    return None
