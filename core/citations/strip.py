"""An answer without its citation marks, for programs that show the sources elsewhere (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def without_marks(text: str, numbers: Collection[int]) -> str:
    """`text` without the marks `[n]` of these numbers and the space before them.

    Code stays as it is, and so do brackets that are escaped.

    >>> without_marks("It was built in 1874 [1]. See `a[1]` [1][2].", {1, 2})
    'It was built in 1874. See `a[1]`.'
    """
    if not numbers:
        return text
    mark = re.compile(rf"\s*(?<!\\)\[(?:{'|'.join(map(str, sorted(numbers)))})\]")
    done: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        opened = _FENCE.match(line)
        if fence:
            done.append(line)
            if opened and opened[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif opened:
            done += [_prose("".join(prose), mark), line]
            prose, fence = [], opened[1]
        else:
            prose.append(line)
    return "".join([*done, _prose("".join(prose), mark)]).strip()


def _prose(text: str, mark: re.Pattern[str]) -> str:
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += [mark.sub("", text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, mark.sub("", text[at:])])
