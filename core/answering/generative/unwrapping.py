"""Takes an answer out of the JSON object that a small model wrote around it (pure)."""

from __future__ import annotations

import re

_OPENING = re.compile(
    r"\s*(?:```(?:json)?\s*)?\{\s*\"(?:answer|response|reply|result|text)\"\s*:\s*\"", re.I
)
_MAY_OPEN = re.compile(
    r"\s*(?:`{1,3}|```(?:j|js|jso|json)|(?:```(?:json)?\s*)?\{[^}\n]*\n?[^}\n]*)?\s*", re.I
)
_LONGEST_OPENING = 60
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[^u])", re.S)
_LONGEST_ESCAPE = 6
_ESCAPED = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}


class JsonFilter:
    """Gives the text of `{"answer": "..."}`, fenced or not; any other text as it is.

    The beginning is held back while it may be that of such an object. What follows the text in the
    object, its other keys and the fence, is left out.

    >>> unwrapped = JsonFilter()
    >>> unwrapped.feed('{"answer": "It is so [1].\\\\nIt') + unwrapped.feed(' is." }')
    'It is so [1].\\nIt is.'
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "before"

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held += piece
        if self._state == "before":
            self._begin(final=False)
        return self._text()

    def finish(self) -> str:
        """Return the rest at the end of the stream."""
        if self._state == "before":
            self._begin(final=True)
        return self._text()

    def _begin(self, *, final: bool) -> None:
        if opening := _OPENING.match(self._held):
            self._state, self._held = "inside", self._held[opening.end() :]
        elif final or len(self._held) > _LONGEST_OPENING or not _MAY_OPEN.fullmatch(self._held):
            self._state = "plain"

    def _text(self) -> str:
        if self._state == "before":
            return ""
        if self._state == "plain":
            given, self._held = self._held, ""
            return given
        given = ""
        while self._held and self._state == "inside":
            if self._held[0] == '"':
                self._state = "behind"
            elif self._held[0] != "\\":
                end = re.search(r'["\\]', self._held)
                at = end.start() if end else len(self._held)
                given, self._held = given + self._held[:at], self._held[at:]
            elif escape := _ESCAPE.match(self._held):
                given += _unescaped(escape.group()[1:])
                self._held = self._held[escape.end() :]
            elif len(self._held) < _LONGEST_ESCAPE:
                break  # the rest of it is still to come
            else:
                self._held = self._held[1:]
        return given


def _unescaped(code: str) -> str:
    if code[0] != "u":
        return _ESCAPED.get(code, code)
    letter = int(code[1:], 16)
    return "" if 0xD800 <= letter < 0xE000 else chr(letter)  # half of a character
