"""Escape Markdown so that it holds no link, no image and no HTML (pure).

Documents, web pages and models can write any text, and a renderer of Markdown may load images and
open links. The pages of this program draw answers as text (`core/ui/answer/markdown.py`). For
every other reader the characters that begin a link, an image or markup are escaped, so that the
words of a link and its address are shown as text.

Code is left as it is, except where a renderer might not treat it as code.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*")
_TICKS = re.compile(r"`+")
_ADDRESS = re.compile(r"(?:https?|ftp)\Z", re.I)
_WWW = re.compile(r"(?<![A-Za-z0-9])www\Z", re.I)
_NEXT = 2
"""Characters after a special character that decide what it means."""
_MARKUP = re.compile(r"[A-Za-z/!?]")


class InertStream:
    """Escape Markdown that arrives in pieces; the parts together equal `inert` of the whole.

    >>> stream = InertStream()
    >>> [stream.feed(piece) for piece in ("Look ![a](http", "://x/y)", " [1].")], stream.finish()
    (['Look ![a]\\\\(http', ':\\\\//x/y)', ' [1'], '].')
    """

    def __init__(self) -> None:
        self.inserted: list[int] = []
        """Offsets in the input before which a backslash was inserted, ascending."""
        self._held = ""
        self._seen = 0  # characters before `_held`
        self._line = ""  # this line up to `_held`
        self._fence: tuple[int, str] | None = None
        self._uncertain = False  # it is no longer known whether a fence is open
        self._in_code = False
        self._is_open = False  # back-ticks of this paragraph wait for others, on a later line

    def feed(self, piece: str) -> str:
        """Take the next piece and return the text whose escaping is settled."""
        self._held += piece
        return self._through(final=False)

    def finish(self) -> str:
        """Return the rest; no more pieces follow."""
        return self._through(final=True)

    def _through(self, *, final: bool) -> str:
        out: list[str] = []
        at = 0
        while at < len(self._held):
            step = self._step(at, final)
            if step is None:
                break
            end, text = step
            out.append(text)
            taken = self._held[at:end]
            self._line = taken.rpartition("\n")[2] if "\n" in taken else self._line + taken
            at = end
        self._held, self._seen = self._held[at:], self._seen + at
        return "".join(out)

    def _step(self, at: int, final: bool) -> tuple[int, str] | None:
        """Return the end of the next part and its output, or None if more input is needed."""
        if not self._line:
            opened = self._open_line(at, final)
            if opened is None or opened[0] > at:
                return opened
        ch = self._held[at]
        if self._in_code:
            return at + 1, ch
        if len(self._held) < at + 1 + _NEXT and not final and ch in "\\`]<:.":
            return None
        after = self._held[at + 1 : at + 1 + _NEXT]
        match ch:
            case "\\" if after[:1] and after[0] != "\n":
                return at + 2, self._held[at : at + 2]
            case "`":
                return self._code(at, final)
            case "]" if after[:1] in ("(", ":"):  # a link, or the definition of one
                return at + 2, f"]{self._escaped(at + 1)}"
            case "<" if _MARKUP.match(after):
                return at + 1, self._escaped(at)
            case ":" if after == "//" and _ADDRESS.search(self._line):
                return at + 2, f":{self._escaped(at + 1)}"
            case "." if _WWW.search(self._line):
                return at + 1, self._escaped(at)
        return at + 1, ch

    def _open_line(self, at: int, final: bool) -> tuple[int, str] | None:
        """Track fences at the start of a line; a line within a fence is taken as a whole."""
        start = self._held[at:].lstrip(" ")
        if not start and not final:
            return None
        if start[:1] == "\n":
            self._is_open = False
        indent = len(self._held) - at - len(start)
        self._in_code = self._fence is not None and not self._uncertain
        if self._fence is not None and indent < self._fence[0] and start[:1] not in ("\n", ""):
            self._uncertain, self._in_code = True, False
        if start[:1] not in ("`", "~"):
            return at, ""
        end = self._held.find("\n", at)
        if end < 0 and not final:
            return None
        line = self._held[at:] if end < 0 else self._held[at:end]
        if self._uncertain or (found := _FENCE.fullmatch(line)) is None:
            return at, ""
        if self._fence is None:
            self._fence = (len(found[1]), found[2])
        elif found[2].startswith(self._fence[1]) and line.strip() == found[2]:
            self._fence, self._in_code = None, False
        elif not self._in_code:
            return at, ""
        return at + len(line), line

    def _code(self, at: int, final: bool) -> tuple[int, str] | None:
        """Inline code stays as it is if it ends on the same line.

        Where back-ticks of an earlier line are still open, they may end at any of this one: what
        stands between two of these is then no code.
        """
        end = self._held.find("\n", at)
        line = self._held[at : end if end >= 0 else len(self._held)]
        ticks = _TICKS.match(line)
        assert ticks is not None
        for closing in _TICKS.finditer(line, ticks.end()):
            whole = closing.end() < len(line) or end >= 0 or final  # more back-ticks may follow
            if not whole:
                return None
            if len(closing[0]) == len(ticks[0]):
                code = line[: closing.end()]
                if self._is_open or "|" in code or "|" in self._line:  # cells are split before code
                    break
                return at + len(code), code
        else:
            if end < 0 and not final:
                return None
            self._is_open = True
        return at + ticks.end(), ticks[0]

    def _escaped(self, at: int) -> str:
        self.inserted.append(self._seen + at)
        return f"\\{self._held[at]}"


def inert(text: str) -> str:
    r"""Return Markdown with links, images and HTML escaped; code stays as it is.

    >>> inert("See [here](https://x/?q=1), ![a](b), <img src=c> and `a[0](b)` [1][2].")
    'See [here]\\(https:\\//x/?q=1), ![a]\\(b), \\<img src=c> and `a[0](b)` [1][2].'
    """
    stream = InertStream()
    return stream.feed(text) + stream.finish()
