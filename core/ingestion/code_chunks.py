"""Where a listing may be cut: between its definitions, never inside one that fits (pure).

Definitions are recognised by their indentation and first words, which works for what
people put into documents: Python, JavaScript, Java, C, Go, Rust and their like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_BEGINS = re.compile(
    r"@|(?:(?:async|export|default|public|private|protected|static|final|abstract|pub|unsafe)\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|enum|impl|trait|module|namespace|template)\b"
)
_BELONGS_BELOW = re.compile(r"@|#(?!include)|//|/\*|\*|--")
"""Decorators and comments: they go with the line that follows them."""
_COMMENT = re.compile(r"#(?!include)|//|/\*|\*|--")
_TAB = 8


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    indent: int
    text: str  # without white space around it; "" for an empty line


def code_pieces(text: str, start: int, end: int, size: int) -> Iterator[tuple[int, int, bool]]:
    """The listing `text[start:end]` in pieces of at most `size` characters where that can be.

    Each is (start, end, whether a definition or the listing begins there).

    A piece is a whole definition with its decorators and comments, or a stretch between two. One
    that is longer than `size` is cut into its head and the definitions inside it; what cannot be
    cut between definitions comes line by line, and a line may still be longer than `size`.

    >>> code = "def a():\\n    pass\\n\\ndef b():\\n    pass"
    >>> [code[s:e] for s, e, _ in code_pieces(code, 0, len(code), 22)]
    ['def a():\\n    pass', 'def b():\\n    pass']
    """
    waiting = [(_lines(text, start, end), True)]
    while waiting:
        lines, begins = waiting.pop()
        lines = _trimmed(lines)
        if not lines:
            continue
        first, last = lines[0].start + _white(lines[0]), lines[-1].end
        if last - first <= size or len(lines) == 1:
            yield first, last, begins
            continue
        parts = [(part, begins or at > 0) for at, part in enumerate(_parts(lines))]
        if len(parts) == 1:
            parts = [([line], begins and at == 0) for at, line in enumerate(lines)]
        waiting.extend(reversed(parts))


def _lines(text: str, start: int, end: int) -> list[_Line]:
    lines, position = [], start
    while position < end:
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        line = text[position:stop]
        body = line.strip()
        indent = len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip())
        lines.append(_Line(position, position + len(line.rstrip()), indent, body))
        position = stop + 1
    return lines


def _white(line: _Line) -> int:
    return line.end - line.start - len(line.text)


def _trimmed(lines: list[_Line]) -> list[_Line]:
    filled = [at for at, line in enumerate(lines) if line.text]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _parts(lines: Sequence[_Line]) -> list[list[_Line]]:
    """The lines cut at the definitions of their outermost level, else below their head."""
    base = min(line.indent for line in lines if line.text)
    starts = [at for at in range(1, len(lines)) if _starts(lines, at, base)]
    if not starts:  # one definition: its comments come off first, then its head
        starts = _after_comments(lines)
    if not starts:
        below = next((at for at, line in enumerate(lines) if line.indent > base), 0)
        starts = [below] if below and lines[below].text else []
        inner = [line for line in lines[below:] if line.text]
        if starts and any(line.indent <= base for line in inner[:-1]):
            starts = []  # not one head with its body: lines of all depths
    edges = [0, *starts, len(lines)]
    return [list(lines[a:b]) for a, b in pairwise(edges)]


def _after_comments(lines: Sequence[_Line]) -> list[int]:
    comments = (at for at, line in enumerate(lines) if not _COMMENT.match(line.text))
    first = next(comments, 0)
    return [first] if first else []


def _starts(lines: Sequence[_Line], at: int, base: int) -> bool:
    """Whether a definition, or another stretch, begins at a line of the outermost level."""
    line = lines[at]
    if not line.text or line.indent != base:
        return False
    above = lines[at - 1]
    if not above.text:
        return True
    if above.indent == base and _BELONGS_BELOW.match(above.text):
        return False
    return bool(_BEGINS.match(line.text) or _BELONGS_BELOW.match(line.text))
