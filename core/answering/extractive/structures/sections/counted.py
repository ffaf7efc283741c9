"""Headings that count, as the items of a list: "1. Peel the seeds", "Step 2: Boil" (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.sentences.candidates import headed
from core.answering.extractive.structures.sections.listings import (
    DEEPEST,
    HASHES,
    Listing,
    headings_above,
    level_of,
)
from core.citations.passages import passage_of, sentences_of
from core.text.sentences import Sentence, SentenceKind
from core.types import Hit

_NUMBER_OF_TITLE = re.compile(
    r"(?:(?:step|schritt|stage|tip|tipp|way)\s+#?(?P<named>\d{1,2})\b\s*[.:)–-]*\s*"
    r"|\(?(?P<plain>\d{1,2})[.)]\s+)(?=\S)",
    re.I,
)
"""What counts a heading among its like: "2. Peel the seeds", "Step 2: Peel"."""
FEWEST = 2
"""Headings that make a list."""
_LONGEST_TITLE = 120  # characters


def counted_of(hit: Hit, at: int) -> list[Listing]:
    """Return the runs of headings of a passage that count."""
    text, base = passage_of(hit)
    split = sentences_of(hit)
    return counted_in(headed(split, hit.chunk.headings), text, base, headings_above(hit), at)


def counted_in(
    pieces: Sequence[Sentence], text: str, base: int, above: Sequence[str], at: int
) -> list[Listing]:
    """Return the runs of headings that count from 1 on at one level; questions are no steps."""
    over: list[tuple[int, str, Sentence | None]] = [
        (n, name, None) for n, name in enumerate(above, 1)
    ]
    found: list[Listing] = []
    depth, last = 0, -1
    for n, piece in enumerate(pieces):
        line = _line_of(piece, text, base)
        plain = piece.kind is SentenceKind.PROSE and _is_plain_title(line, pieces, n)
        if piece.kind is not SentenceKind.HEADING and not plain:
            continue
        level = level_of(piece, text, base)
        counted = _NUMBER_OF_TITLE.match(line)
        if counted is None:
            over = [one for one in over if one[0] < level and one[1] != piece.text]
            over.append((level, piece.text, piece))
            last = -1 if level <= depth and level != DEEPEST else last
            continue
        number = int(counted["named"] or counted["plain"])
        start = piece.end - len(line) + counted.end()
        item = Sentence(start, piece.end, line[counted.end() :], piece.kind)
        if number == 1:
            over = [one for one in over if one[0] <= level]
            names = tuple(name for _, name, _ in over)
            title = over[-1][2] if over else None
            found.append(Listing(at, names, title, True, [item], names[-1:], numbered=True))
            depth, last = level, 1
        elif number == last + 1 and level == depth:
            found[-1].items.append(item)
            last = number
        else:
            last = -1
    told = (one for one in found if not any(item.text.endswith("?") for item in one.items))
    return [one for one in told if len(one.items) >= FEWEST]


def _line_of(piece: Sentence, text: str, base: int) -> str:
    """The line of a piece up to its end, from its number on; hashes are left out."""
    first, last = piece.start - base, piece.end - base
    start = text.rfind("\n", 0, first) + 1
    hashes = HASHES.match(text, start, last)
    return text[hashes.end() if hashes else start : last]


def _is_plain_title(line: str, pieces: Sequence[Sentence], at: int) -> bool:
    """Whether a line that counts is a title in plain text: what follows it does not count."""
    short = len(line) <= _LONGEST_TITLE and line[-1:] not in ".!?:;,"
    if not short or _NUMBER_OF_TITLE.match(line) is None:
        return False
    after = pieces[at + 1] if at + 1 < len(pieces) else None  # a passage is widened up to the last
    return after is None or (after.kind is SentenceKind.PROSE and len(after.text) > len(line))
