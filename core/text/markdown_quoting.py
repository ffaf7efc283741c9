"""Quote a source's text in Markdown so that it is shown as written (pure)."""

from __future__ import annotations

import re

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~])"  # a backslash that would escape
    r"|[`\[\]$]"
    r"|(?<!\s)\*|\*(?!\s)"  # a star between spaces is a star
    r"|(?<![^\W_])_|_(?![^\W_])"  # and so is an underscore within a word
    r"|<(?=[A-Za-z/!?])|&(?=#?\w+;)|~(?=~)|(?<=~)~"
)
_LINE_START = re.compile(r"^(?:[#>]|[-+*=](?=\s|$|[-=*])|\d{1,9}(?=[.)](?:\s|$)))")
_BOLD = re.compile(r"(?<![\w\\*])\\\*\\\*(?=[^\s\\*])((?:(?!\\\*).)+?)(?<=\S)\\\*\\\*(?![\w*])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
FENCED = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1[ \t]*$\n?", re.M | re.S)
"""A fenced code block of Markdown; its second group is the code."""


def collapse(text: str) -> str:
    """Return the text with runs of white space collapsed to one space and trimmed."""
    return " ".join(text.split())


def escape_markdown(text: str) -> str:
    r"""Return one line of Markdown that shows `text` as written (white space collapsed).

    >>> escape_markdown("1. see [3] and *args, a_b, 5 * 3 < 4, $5")
    '1\\. see \\[3\\] and \\*args, a_b, 5 * 3 < 4, \\$5'
    """
    line = _SPECIAL.sub(lambda found: "\\" + found.group(), collapse(text))
    opening = _LINE_START.match(line)
    if opening is None:
        return line
    start = opening.group()
    return f"{start}\\{line[len(start) :]}" if start[0].isdigit() else f"\\{line}"


def quote_markdown(text: str) -> str:
    r"""Return one line as `escape_markdown` does, with what is bold in the text bold again.

    >>> quote_markdown("**Price:** $5 for f(*args, **rest)")
    '**Price:** \\$5 for f(\\*args, \\*\\*rest)'
    """
    return _BOLD.sub(r"**\1**", escape_markdown(text))


def fence(code: str) -> str:
    """Return a fenced code block that holds `code` exactly, whatever back-ticks it contains."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}\n{code}\n{marks}"


def unescape(markdown: str) -> str:
    """Return Markdown without the backslashes that escape punctuation."""
    return _ESCAPED.sub(r"\1", markdown)
