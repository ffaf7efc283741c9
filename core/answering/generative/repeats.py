"""Sentences that a model says a second time are left out (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"[.!?。！？](?:[ \t]*(?:\[[^\]\n]{0,40}\]|【[^】\n]{0,40}】))*(?=\s)|\n")
_MARKS = re.compile(r"[ \t]*(?:\[[^\]\n]{0,40}\]|【[^】\n]{0,40}】)")
_MARK_TO_COME = re.compile(rf"(?:{_MARKS.pattern})*[ \t]*(?:[\[【][^\]】\n]{{0,40}})?")
_OPEN_MARK = re.compile(r"[ \t]*[\[【][^\]】\n]{0,40}$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])?\s*")
_WORD = re.compile(r"\w")
_LONGEST_MARK = 50
_FEWEST_WORDS = 5
"""Shorter sentences may be said again: "Yes.", "See above."; rows of tables too."""
_MOST_IN_A_ROW = 2
"""But no more than so many times one after the other."""


class RepeatFilter:
    """Takes out a sentence that was said before in the same answer, whatever it cites.

    Text is held back only while it may become such a sentence. Code is left as it is.

    >>> repeats = RepeatFilter()
    >>> repeats.feed("It was built in 1874 [1]. It was built in 1874 [1]. So.") + repeats.finish()
    'It was built in 1874 [1]. So.'
    """

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._last = ""
        self._in_a_row = 0
        self._begun = ""  # what of this sentence was given out
        self._held = ""
        self._fenced = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held += piece
        return "".join(self._parts(final=False))

    def finish(self) -> str:
        """Return the rest at the end of the stream."""
        return "".join(self._parts(final=True))

    def _parts(self, *, final: bool) -> Iterator[str]:
        while self._held:
            sentence = self._begun + self._held
            end = _END.search(sentence, max(0, len(self._begun) - _LONGEST_MARK))
            if not final and (end is None or _MARK_TO_COME.fullmatch(sentence, end.end())):
                sure = end.end() if end else len(sentence)
                if self._begun or not self._may_be_said(sentence):
                    yield sentence[len(self._begun) : sure]
                    self._begun, self._held = sentence[:sure], sentence[sure:]
                return
            at = end.end() if end else len(sentence)
            said = self._was_said(sentence[:at])
            if self._begun or not said:
                yield sentence[len(self._begun) : at]
            self._begun, self._held = "", sentence[at:]

    def _was_said(self, sentence: str) -> bool:
        """Whether a whole sentence was said before; from now on it was."""
        if sentence.lstrip().startswith(("```", "~~~")):
            self._fenced = not self._fenced
        key = _key(_OPEN_MARK.sub("", sentence))
        if self._fenced or not _WORD.search(key):
            return False
        self._in_a_row = self._in_a_row + 1 if key == self._last else 1
        self._last = key
        if len(key.split()) < _FEWEST_WORDS or key.startswith("|"):
            return self._in_a_row > _MOST_IN_A_ROW
        before = key in self._said
        self._said.add(key)
        return before

    def _may_be_said(self, beginning: str) -> bool:
        key = _key(_OPEN_MARK.sub("", beginning))
        again = self._in_a_row >= _MOST_IN_A_ROW and self._last.startswith(key)
        return not self._fenced and (again or any(said.startswith(key) for said in self._said))


def _key(text: str) -> str:
    words = _BULLET.sub("", _MARKS.sub("", text))
    return " ".join(words.split()).rstrip(" .!?。！？").casefold()
