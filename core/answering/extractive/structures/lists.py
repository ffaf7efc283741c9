"""The items of a list, and what leads into them (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from core.answering.extractive.sentences.quotable import is_caption
from core.text.lines import BOX, FIELD
from core.text.sentences import Sentence, SentenceKind

MOST_ITEMS = 12
"""Items of one list that are quoted; the answer says how many more there are."""
_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪●○∙·–—➢➤✓■□]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))\s*")
STEP = re.compile(r"\s*(?:step )?\(?\d{1,2}[.):]?\s*", re.I)
FIRST_STEP = re.compile(r"\s*(?:step )?\(?1[.):]?\s*", re.I)
_NUMBER = re.compile(r"\s*\(?(\d{1,2})[.)]\s*")
_LONGEST_TITLE = 12  # words
_ITEM_END = re.compile(r";(?:\s*(?:and|or|und|oder))?\s*$")
FOLLOWS = re.compile(
    r"\b(?:following (?:table|list)|(?:table|list) below|as follows|listed below)\W*$", re.I
)
_ANNOUNCES = re.compile(
    r"\b(?:(?:two|three|four|five|several|some|many|following|zwei|drei|vier|mehrere|einige)\s"
    r"(?:\w+\s){0,2}?\w{3,}|(?:two|three|four)-?fold|as follows|(?:zwei|drei|vier)fach)\b",
    re.I,
)
_ANNOUNCES_ITEMS = re.compile(
    r"\b(?:two|three|four|five|six|several|some|few|many|following|these|zwei|drei|vier|einige"
    r"|folgende)\s(?:\w+\s){0,3}?(?:steps?|reasons?|ways?|things|rules|points|options|types|kinds|methods"
    r"|conditions|requirements|tips|examples|parts|stages|factors|features|advantages|schritte|gründe"
    r"|punkte|regeln|möglichkeiten)\b|^(?:here|below) (?:are|is)\b|^hier sind\b",
    re.I,
)
_FIRST = re.compile(r"(?:first(?:ly| of all)?|erstens|zunächst|zum einen)\b", re.I)
_LATER = re.compile(
    r"(?:second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?|next|finally|last(?:ly)?|zweitens"
    r"|drittens|viertens|schließlich|zuletzt|zum anderen)\b",
    re.I,
)
_FIELD_WORDS = 25
_BETWEEN = 3  # sentences that the first of two reasons may take


def is_item(text: str, base: int, piece: Sentence, sign: re.Pattern[str] = _ITEM) -> bool:
    """Return whether a bullet or a number stands before the piece on its line, or a box in it."""
    if BOX.match(piece.text):
        return True
    start = piece.start - base
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return bool(before.strip()) and bool(sign.fullmatch(before))


def first_of_list(pieces: Sequence[Sentence], at: int, text: str, base: int) -> int:
    """The piece right above the list in which the piece at `at` is an item."""
    first = at
    while first > 0 and (
        is_item(text, base, pieces[first])
        or (
            not leads_in(pieces[first].text)
            and runs_on_line(text, base, pieces[first - 1], pieces[first])
        )
    ):
        first -= 1
    return first


def runs_on_line(text: str, base: int, before: Sentence, after: Sentence) -> bool:
    """Whether one piece follows another on its line."""
    return "\n" not in text[before.end - base : after.start - base]


def items_of(
    following: Sequence[Sentence], text: str, base: int, sign: re.Pattern[str] = _ITEM
) -> list[Sentence]:
    """Return the items that these pieces begin with; all that an item says is one of them."""
    items: list[Sentence] = []
    for piece in following:
        unmarked = piece.kind is SentenceKind.PROSE and bool(_ITEM_END.search(piece.text))
        after_unmarked = bool(items) and bool(_ITEM_END.search(items[-1].text))
        if is_item(text, base, piece, sign) or (unmarked and (not items or after_unmarked)):
            items.append(piece)
        elif items and runs_on_line(text, base, items[-1], piece):
            items[-1] = _joined(items[-1], piece, text, base)
        else:
            break
    return items


def titles_in_turn(following: Sequence[Sentence], text: str, base: int) -> list[Sentence]:
    """Return the titles that count from 1 on among these pieces, whatever is told below each.

    "1. Pharmacy", what it sells, "2. Clinics", whom they treat; [] where there are not two.
    """
    titles: list[Sentence] = []
    for piece in following:
        start = piece.start - base
        number = _NUMBER.fullmatch(text[text.rfind("\n", 0, start) + 1 : start])
        if number and int(number[1]) == len(titles) + 1:
            titles.append(piece)
        elif not titles or piece.kind is SentenceKind.HEADING:
            break
    short = all(len(one.text.split()) <= _LONGEST_TITLE for one in titles)
    return titles if len(titles) > 1 and short else []


def outline_title(pieces: Sequence[Sentence], at: int, text: str, base: int) -> int | None:
    """The heading below which the line of the piece at `at` is indented, as on a slide."""
    depth = _indentation(pieces[at], text, base)
    above = next(
        (n for n in range(at, -1, -1) if _indentation(pieces[n], text, base) < depth), None
    )
    titled = above is not None and pieces[above].kind is SentenceKind.HEADING
    return above if titled else None


def indented_below(pieces: Sequence[Sentence], title: int, text: str, base: int) -> list[Sentence]:
    """Return the lines that are indented below the heading at `title`."""
    depth = _indentation(pieces[title], text, base)
    lines: list[Sentence] = []
    for piece in pieces[title + 1 :]:
        if _indentation(piece, text, base) <= depth:
            break
        if lines and runs_on_line(text, base, lines[-1], piece):
            lines[-1] = _joined(lines[-1], piece, text, base)
        else:
            lines.append(piece)
    return lines


def _joined(first: Sentence, last: Sentence, text: str, base: int) -> Sentence:
    """One piece from the first to the last of two."""
    start, end = first.start, last.end
    return Sentence(start, end, text[start - base : end - base], last.kind)


def _indentation(piece: Sentence, text: str, base: int) -> int:
    """The spaces before the line of a piece."""
    line = text[text.rfind("\n", 0, piece.start - base) + 1 :]
    return len(line) - len(line.lstrip(" "))


def fields_of(following: Sequence[Sentence]) -> list[Sentence]:
    """The filled-in lines of a form that these pieces begin with: "Name: Jo Reed"."""
    filled = takewhile(
        lambda piece: (
            piece.kind is not SentenceKind.CODE  # "zones:" opens a file, and fills in no form
            and FIELD.match(piece.text)
            and not is_caption(piece.text)
        ),
        following,
    )
    return [piece for piece in filled if len(piece.text.split()) <= _FIELD_WORDS]


def announces_items(lead: Sentence, following: Sequence[Sentence], text: str, base: int) -> bool:
    """Whether a sentence announces what follows it in turn, or in a list right below."""
    if told_in_turn(lead, following, text, base):
        return True
    listed = bool(following) and is_item(text, base, following[0])
    return listed and _ANNOUNCES_ITEMS.search(lead.text) is not None


def told_in_turn(
    lead: Sentence, following: Sequence[Sentence], text: str, base: int
) -> list[Sentence]:
    """What a sentence announces and the next tell: "for two reasons. First, ... Second, ..."."""
    if not following or not (_ANNOUNCES.search(lead.text) and _FIRST.match(following[0].text)):
        return []
    items: list[Sentence] = []
    end = 0
    for at, piece in enumerate(following):
        if piece.kind is not SentenceKind.PROSE or at - end > _BETWEEN:
            break
        if at == 0 or _LATER.match(piece.text):
            if items:
                items[-1] = _joined(items[-1], following[at - 1], text, base)
            items.append(piece)
            end = at
    return items if len(items) > 1 else []


def leads_in(text: str) -> bool:
    """Return whether a sentence says that a list or a table follows.

    >>> leads_in("The levels are in the following table."), leads_in("A table follows a list.")
    (True, False)
    """
    return text.rstrip().endswith((":", "：")) or FOLLOWS.search(text) is not None
