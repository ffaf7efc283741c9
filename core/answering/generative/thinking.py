"""Leaves out what a small model says to itself before its answer (pure)."""

from __future__ import annotations

import re

_OPENERS = (
    "let me", "let us", "let's", "lets", "ok", "okay", "alright", "well", "hmm", "hm", "so",
    "first", "now", "thinking", "thought", "reasoning", "analysis", "i will", "i'll", "i need to",
    "i should", "i have to", "i must", "i am going", "we will", "we need to", "we should",
    "we have to", "we must", "the user", "the question", "the person",
)  # fmt: skip
"""So it begins; only then a first sentence is held back."""
_LINE = re.compile(r"\n")
_END = re.compile(r"(?<=\S)(?:[.!?…。:](?=[\sA-Z*#{]|[^\x00-\x7f])|\n)")
_STOPS = (".", "!", "…", "。")
_LONGEST = 300
_PLANS = (
    r"(?:let\s+me|let['’]?s|let\s+us|i['’]ll|(?:i|we)\s+(?:will|need\s+to|should|have\s+to|must"
    r"|am\s+going\s+to))\s+(?:now\s+|first\s+|carefully\s+|just\s+)*"
)
_READING = (
    r"sources?|passages?|documents?|texts?|context|information|question|excerpts?|step by step"
)
_TALKS = re.compile(
    r"\s*[*_]*(?:(?:okay|ok|alright|well|hmm+|hm|so|first|now)[,.…!]*\s+)*(?:"
    rf"{_PLANS}(?:think|see|start|begin)\b|{_PLANS}(?:look|check|analy[sz]e|search|read|go|consider"
    r"|examine|find|review|work|figure|scan|determine|identify|break)\b[^\d\[]*\b"
    rf"(?:{_READING})\b|the\s+(?:user|question|person)\s+(?:wants|asks|is\s+asking|asked"
    r"|would\s+like|needs)\b).*",
    re.I | re.S,
)
_LABELLED = re.compile(r"\s*[*_]*(?:thinking|thoughts?|reasoning|analysis)[*_]*\s*:", re.I)
_STATES = re.compile(r"[\d\[]")
"""A sentence with a number or a mark says something of the sources, and is kept."""


class ThinkingFilter:
    """Leaves out leading sentences like "Let me think about this.": they are no part of an answer.

    Only what may be such a sentence is held back.

    >>> thinking = ThinkingFilter()
    >>> thinking.feed("Okay, let me look at the sources. It is so.") + thinking.finish()
    'It is so.'
    """

    def __init__(self) -> None:
        self._held = ""
        self._answering = False
        self._left_out = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held += piece
        return self._text(final=False)

    def finish(self) -> str:
        """Return the rest at the end of the stream."""
        return self._text(final=True)

    def _text(self, *, final: bool) -> str:
        while not self._answering:
            if self._left_out:
                self._held = self._held.lstrip()
            end = self._end()
            if end is None and final and self._held.rstrip().endswith(_STOPS):
                end = len(self._held)
            if end is None and not final and len(self._held) < _LONGEST and self._may_be_thought():
                return ""
            if end is None or not (self._may_be_thought() and _is_thought(self._held[:end])):
                break
            self._held, self._left_out = self._held[end:], True
        self._answering = True
        given, self._held = self._held, ""
        return given

    def _end(self) -> int | None:
        """Where the first sentence ends, or the line with a label; None while it goes on."""
        end = _LINE if _LABELLED.match(self._held) else _END
        found = end.search(self._held)
        return found.end() if found else None

    def _may_be_thought(self) -> bool:
        """Whether it begins like a thought, or may do so with what comes."""
        begun = " ".join(self._held.strip(" \t\n*_").split()).casefold().replace("’", "'")
        return any(
            opener.startswith(begun) or re.match(rf"{opener}(?![^\W_])", begun)
            for opener in _OPENERS
        )


def _is_thought(sentence: str) -> bool:
    said = sentence.strip().rstrip(":.!?…。")
    return bool(_TALKS.fullmatch(said) or _LABELLED.match(said)) and not _STATES.search(said)
