"""Citation marks without brackets, `Source 2` in running text (pure).

They are read as marks because the number would lead to another source once it is renumbered.
"""

from __future__ import annotations

import re

from core.citations.mark_reader import Mark, NeedMore

_LABELS = (
    *("Sources", "Source", "Quellen", "Quelle", "Fuentes", "Fuente", "Fontes", "Fonte"),
    *("Bronnen", "Bron", "Источник", "Kaynak"),
)
LABEL = "|".join(_LABELS)
"""The pattern of a word that stands before the number; the longer of two comes first."""

_LOOK_BACK = 16
_LOOK_AHEAD = 48
_UNFINISHED_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{1,10}\Z")
_MARK = re.compile(
    rf"(?:{LABEL})[ \u00a0](\d{{1,3}})"
    rf"(?:(?:, | and | und | et | y | e | en | & | и )(?:(?:{LABEL})[ \u00a0])?(\d{{1,3}}))?"
    r"(?![\d%°]|[.,]\d|[^\W\d_]|\s+[A-ZА-Я]\w)"
)
_NO_MARK_AFTER = re.compile(r"(?:open|closed|data|power|light|energy|heat|primary)[ -]$", re.I)


def read_bare_mark(text: str, at: int, count: int, *, final: bool = False) -> Mark | None:
    """The mark of one of `count` sources that begins with the label at `text[at]`, or None.

    Raises `NeedMore` while the text may still turn out either way and is not `final`.

    >>> read_bare_mark("Source 2 and 3 say so.", 0, 3, final=True).numbers
    (2, 3)
    """
    if not final and len(text) - at < _LOOK_AHEAD:
        raise NeedMore
    found = _MARK.match(text, at, at + _LOOK_AHEAD)
    if not found or _NO_MARK_AFTER.search(text[max(0, at - _LOOK_BACK) : at]):
        return None
    numbers = tuple(int(number) for number in found.groups() if number)
    if not all(1 <= number <= count for number in numbers):
        return None
    return Mark(found.end(), numbers)


def before_unfinished_label(text: str, at: int) -> int:
    """Where the word begins that ends `text` and may become a label; else the end of the text."""
    word = _UNFINISHED_WORD.search(text, max(at, len(text) - 10))
    if word and any(label.startswith(word.group()) for label in _LABELS):
        return word.start()
    return len(text)
