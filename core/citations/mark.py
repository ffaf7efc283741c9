"""The citation mark: the form that a model is asked for, the form of an answer, and finding it.

Another form of mark is a change of `ASKED` or `WRITTEN` and of nothing else. `mark_parser` reads
what models write instead of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from core.text.markdown_quoting import FENCED, collapse, unescape

ASKED = "[Source {n}]"
"""What a model is asked to write after a statement. `mark_parser` must read it (a test says so)."""
WRITTEN = "[{n}]"
"""What stands in the text of an `Answer`.

It begins with a character that `escape_markdown` escapes, so that no quote can contain a mark.
"""
MARK = re.escape(WRITTEN).replace(r"\{n\}", r"(\d{1,4})")
"""The pattern of a mark in an answer; its one group is the number."""

_MARK = re.compile(MARK)
_UNESCAPED = re.compile(rf"(?<!\\){MARK}")
_CODE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,}).*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)|(`+)(?!`).*?(?<!`)\2(?!`)",
    re.M | re.S,
)


def mark(number: int) -> str:
    """The mark of a citation in an answer.

    >>> mark(2)
    '[2]'
    """
    return WRITTEN.format(n=number)


def asked_mark(number: int | str) -> str:
    """The mark of a source as a model is asked to write it.

    >>> asked_mark(1)
    '[Source 1]'
    """
    return ASKED.format(n=number)


def find_marks(answer: str, numbers: Collection[int] | None = None) -> Iterator[re.Match[str]]:
    """The marks of an answer, in order: those of `numbers` alone, if they are given.

    Marks in code and behind a backslash are text. The first group of each match is the number.

    >>> [found.group() for found in find_marks("So [1], `a[1]`, not so [2].", {1})]
    ['[1]']
    """
    code = [found.span() for found in _CODE.finditer(answer)]
    for found in _UNESCAPED.finditer(answer):
        if numbers is not None and int(found.group(1)) not in numbers:
            continue
        if not any(start <= found.start() < end for start, end in code):
            yield found


def without_marks(answer: str, numbers: Collection[int] | None = None) -> str:
    """An answer without its marks and the space before each; those of `numbers` alone, if given.

    >>> without_marks("It was built in 1874 [1]. See `a[1]` [1][2].", {1, 2})
    'It was built in 1874. See `a[1]`.'
    """
    kept: list[str] = []
    at = 0
    for found in find_marks(answer, numbers):
        kept.append(answer[at : found.start()].rstrip())
        at = found.end()
    return "".join([*kept, answer[at:]]).strip() if kept else answer


def plain_words(answer: str) -> str:
    """The words that a person reads in an answer made of quotes: marks and escapes undone.

    White space is collapsed. The inverse of `escape_markdown` and `fence`.
    """
    words: list[str] = []
    at = 0
    for block in FENCED.finditer(answer):
        words.append(unescape(_MARK.sub("", answer[at : block.start()])))
        words.append(block.group(2))
        at = block.end()
    words.append(unescape(_MARK.sub("", answer[at:])))
    return collapse(" ".join(words))
