"""Decide whether the text of a PDF page is what it shows, or OCR should read it instead."""

from __future__ import annotations

import itertools
import re
from collections import Counter

from core.parsing.pdf.raw import RawPage

_TOO_MANY_UNKNOWN = 0.3  # of the characters of a page
_STAMP = 30  # letters; a page under a picture with fewer is a scan with a stamp
_FEWEST_LETTERS = 2  # that OCR must find: one may be a blot
_WORD = re.compile(r"[(\[\"'“‘]*[A-Za-z]*[A-Za-z0-9.,:/%$€+-]*[)\]\"'”’.,;:!?]*")
_PLAIN = 0.8  # of the words of a legible text
_VOWELS = 0.25  # of the letters in any language in Latin script; a shifted alphabet has fewer
_ASCII = re.compile("[A-Za-z]")
_AGREED = 0.3  # of the pairs of letters that OCR found


def needs_ocr(raw: RawPage) -> bool:
    """Whether a page shows more than its text.

    It has none, or only a stamp on a scan, or its fonts lack a mapping to Unicode and the text is
    not legible."""
    letters = _letters(raw.text)
    if not letters:
        return raw.drawn
    if letters < _STAMP and raw.pictures > 0.5:
        return True
    return raw.unknown > _TOO_MANY_UNKNOWN and not reads_well(raw.text)


def is_better(found: RawPage, raw: RawPage) -> bool:
    """Whether the text found by OCR should replace the page's own."""
    if _letters(found.text) < _FEWEST_LETTERS:
        return False
    if raw.unknown > _TOO_MANY_UNKNOWN:
        return not agree(found.text, raw.text)
    return _letters(found.text) > _letters(raw.text)


def reads_well(text: str) -> bool:
    """Whether most words are figures, or plain letters with enough vowels.

    >>> reads_well("Expert load, layer 12: 0.5"), reads_well("*UXSD5R]N /,1(83")
    (True, False)
    """
    words = text.split()
    plain = sum(bool(_WORD.fullmatch(word)) and any(map(str.isalnum, word)) for word in words)
    vowels = sum(char in "aeiouyAEIOUY" for char in text)
    return plain >= _PLAIN * max(len(words), 1) and vowels >= _VOWELS * len(_ASCII.findall(text))


def agree(found: str, text: str) -> bool:
    """Whether the text contains what OCR found: then it is right, and more exact."""
    pairs = _pairs(found)
    shared = pairs & _pairs(text)
    return shared.total() >= _AGREED * max(pairs.total(), 1)


def _pairs(text: str) -> Counter[str]:
    letters = [char for char in text.lower() if char.isalnum()]
    return Counter(a + b for a, b in itertools.pairwise(letters))


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in text)
