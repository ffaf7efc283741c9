"""Takes an answer out of the JSON object or the fence that a small model wrote around it (pure)."""

from __future__ import annotations

import re

_OPENING = re.compile(
    r"\s*(?:```(?:json)?\s*)?\{\s*\"(?:answer|response|reply|result|text)\"\s*:\s*\"", re.I
)
_MAY_OPEN = re.compile(
    r"\s*(?:`{1,3}|```(?:j|js|jso|json)|(?:```(?:json)?\s*)?\{[^}\n]*\n?[^}\n]*)?\s*", re.I
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[ \t]*(\w*)[ \t]*\n([^\n]*)(\n?)")
_MAY_FENCE = re.compile(r"\s*(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})[ \t]*\w*[ \t]*(?:\n[^\n]*)?)?")
_MARKDOWN = ("markdown", "md")
_UNNAMED = ("", "text", "txt", "plaintext", "plain")
_CITED = re.compile(r"\w.*\s[\[(【](?:source\s*)?\d{1,3}[\])】][.!?]?\s*\Z", re.I)
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3}|~{3})")
_FENCE_BEGUN = re.compile(r"[ \t]*(?:`{1,2}\Z|~{1,2}\Z|`{3}|~{3}|\Z)")
_LONGEST_FIRST_LINE = 600
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


class FenceFilter:
    """Gives the text of a reply that stands in a fence, where it would be shown as code.

    That is a fence of Markdown, or one without a language whose first line ends with a citation.
    Fences within it stay.

    >>> unfenced = FenceFilter()
    >>> unfenced.feed("```markdown\\nIt is so [1].\\n```") + unfenced.finish()
    'It is so [1].\\n'
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "before"
        self._fence = ""
        self._inner = ""
        self._line_start = True

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held += piece
        return self._text(final=False)

    def finish(self) -> str:
        """Return the rest at the end of the stream."""
        return self._text(final=True)

    def _text(self, *, final: bool) -> str:
        if self._state == "before":
            self._begin(final=final)
        given = ""
        while self._held and self._state == "inside":
            line, end, rest = self._held.partition("\n")
            if self._line_start and _FENCE_BEGUN.match(line) and not (end or final):
                break
            if self._line_start and _FENCE_LINE.match(line) and not self._is_inner(line.strip()):
                self._state, self._held = "plain", rest
                break
            given, self._held, self._line_start = given + line + end, rest, bool(end)
        if self._state == "plain":
            given, self._held = given + self._held, ""
        return given

    def _begin(self, *, final: bool) -> None:
        opened = _FENCE.match(self._held)
        if opened is None:
            if final or not _MAY_FENCE.fullmatch(self._held):
                self._state = "plain"
            return
        named, first = opened[2].casefold(), opened[3]
        if named in _UNNAMED and not (opened[4] or final or len(first) > _LONGEST_FIRST_LINE):
            return
        if named in _MARKDOWN or (named in _UNNAMED and _CITED.search(first)):
            self._state, self._fence = "inside", opened[1]
            self._held = self._held[opened.start(3) :]
        else:
            self._state = "plain"

    def _is_inner(self, line: str) -> bool:
        """Whether a line of back-ticks opens or closes a fence within; it is noted."""
        bare = not line.strip(line[0])
        if self._inner:
            if bare and line.startswith(self._inner):
                self._inner = ""
            return True
        if bare and line.startswith(self._fence):
            return False
        self._inner = line[: len(line) - len(line.lstrip(line[0]))]
        return True
