"""Find, count and remove characters that a reader cannot see (pure).

Control characters, terminal escapes, zero-width characters, bidirectional overrides, Unicode
tags, stacked variation selectors and piles of combining marks can hide text from the person
who adds a document but not from a search or a language model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST_MARKS = 8  # combining marks on one character; no script needs as many

_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufeff"
_PICTURES = "\u00a9\u00ae\u2190-\u2bff\u3030-\u3299\U0001f000-\U0001faff\ufe0f"

_SILENT = re.compile("[\u00ad\ufeff]+")
"""Dropped but not counted: soft hyphens and byte order marks are ordinary typesetting."""

_HIDDEN = re.compile(
    "|".join(
        (
            r"\x1b\[[0-9;?]*[ -/]*[@-~]",  # terminal escapes, whole
            r"[\x00-\x08\x0e-\x1f\x7f-\x9f]+",
            "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u061c\u180e\ufff9-\ufffb]+",
            f"(?<![{_JOINED}{_PICTURES}])[\u200c\u200d]+",  # joiners where nothing is joined
            f"(?<=[{_SELECTORS}])[{_SELECTORS}]+",
            "[\U000e0000-\U000e007f]+",
            "[\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]+",
            f"(?<=[{_MARKS}]{{{_MOST_MARKS}}})[{_MARKS}]+",
            "[\ufdd0-\ufdef\ufffe\uffff]+",
        )
    )
)
_SUSPECT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufdd0-\ufdef"
    f"\ufeff\ufff9-\uffff{_SELECTORS}\U000e0000-\U000e0fff]|[{_MARKS}]{{{_MOST_MARKS + 1}}}"
)
"""Matches wherever either pattern can begin: a quick test that most texts do not pass."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_BREAKS = re.compile("\r\n?|\x0b|\x0c|\x85|[\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Visible text, and how many characters were removed from it."""

    text: str
    dropped: int = 0


def hidden_spans(text: str) -> list[tuple[int, int, bool]]:
    """Return the spans `[start, end)` to remove, in order; True if their characters are counted."""
    if _SUSPECT.search(text) is None:
        return []
    spans = [(m.start(), m.end(), True) for m in _HIDDEN.finditer(text)]
    spans += [(m.start(), m.end(), False) for m in _SILENT.finditer(text)]
    return sorted(spans)


def clean(text: str) -> Cleaned:
    """Return text without invisible characters, with `\\n` as line end, that encodes as UTF-8.

    >>> clean("a\\u200bb\\x00c")
    Cleaned(text='abc', dropped=2)
    """
    text = _BREAKS.sub(lambda found: "\n\n" if found[0] == "\x0c" else "\n", text)
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)
    spans = hidden_spans(text)
    if not spans:
        return Cleaned(text)
    kept, position = [], 0
    for start, end, _ in spans:
        kept.append(text[position:start])
        position = end
    kept.append(text[position:])
    return Cleaned("".join(kept), sum(end - start for start, end, counted in spans if counted))
