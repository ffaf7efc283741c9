"""Python in an answer: whether it parses, and what it imports (pure).

Of an answer only blocks that say that they are Python are read, of quotes what looks like it; none
is run.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.text.imports import parsed, typed
from core.types import Notice

_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?:python3?|py|pycon)\b[^\n]*\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.M | re.S | re.I,
)
_PYTHON = re.compile(
    r"^[ \t]*(?:>>> |import [\w., ]+$|from [\w.]+ import |(?:async )?def \w+\(.*:[ \t]*$|"
    r"class \w+(?:\(.*\))?:[ \t]*$|elif .*:[ \t]*$|except\b.*:[ \t]*$|for \w+ in .*:[ \t]*$|"
    r"print [\"'])",
    re.M,
)
"""What a line of Python looks like, of version 2, too, and hardly one of another language."""
_MOST_CHARACTERS = 20_000
_MOST_NAMED = 6


def code_notices(text: str) -> tuple[Notice, ...]:
    """Return what a person should know before running the Python of an answer.

    A block that does not parse is said with its line; packages outside Python's standard library
    are named, as they may have to be installed.

    >>> [notice.text for notice in code_notices("```python\\nimport numpy\\n```")]
    ["The code imports numpy, which is not in Python's standard library."]
    """
    return _notices(_blocks(text), "Compare it with its source.")


@dataclass(frozen=True, slots=True)
class Listing:
    """Code that an answer quotes, all of it where it is `whole`, with `Hit.imports`."""

    text: str
    imports: tuple[str, ...] = ()
    whole: bool = True


def quoted_notices(listings: Sequence[Listing]) -> tuple[Notice, ...]:
    """Return what a person should know before running the code that an answer quotes.

    The imports that stand above it in its source are said first, then what is said of an answer's
    own code. Of a listing that is quoted in part nobody expects that it parses.

    >>> [notice.text for notice in quoted_notices([Listing("csv.reader(f)", ("import csv",))])]
    ['The quoted code uses what its source imports above it: import csv.']
    """
    above = list(dict.fromkeys(one for listing in listings for one in listing.imports))
    blocks = [
        typed(textwrap.dedent(one.text))
        for one in listings
        if one.whole and _PYTHON.search(one.text) and len(one.text) <= _MOST_CHARACTERS
    ]
    said = _notices(blocks, "Its source may be for another Python, or show only a part.", above)
    if not above:
        return said
    named = "; ".join(above[:_MOST_NAMED])
    text = f"The quoted code uses what its source imports above it: {named}."
    return (Notice("code-uses-imports", text, "Copy these lines, too.", "info"), *said)


def _notices(blocks: Iterable[str], cure: str, imports: Sequence[str] = ()) -> tuple[Notice, ...]:
    faults, packages = [], dict.fromkeys(_packages(parsed("\n".join(imports))))
    for number, code in enumerate(blocks, 1):
        try:
            tree = parsed(code)
        except SyntaxError as error:
            faults.append((number, error.lineno or 1, error.msg))
        except (ValueError, RecursionError, MemoryError):
            faults.append((number, 1, "it is nested too deeply or has characters that code cannot"))
        else:
            packages.update(dict.fromkeys(_packages(tree)))
    notices = []
    if faults:
        number, line, why = faults[0]
        which = "The code" if number == 1 else f"Code block {number}"
        said = f"{which} does not parse as Python: line {line}, {why}."
        notices.append(Notice("code-does-not-parse", said, cure))
    if packages:
        notices.append(_imports(list(packages)))
    return tuple(notices)


def _imports(packages: list[str]) -> Notice:
    named = packages[:_MOST_NAMED]
    more = len(packages) - len(named)
    words = [*named[:-1], f"and {named[-1]}"] if len(named) > 1 and not more else named
    listed = (" " if len(named) == 2 and not more else ", ").join(words)
    are = "which are" if len(packages) > 1 else "which is"
    tail = f" and {more} more" if more else ""
    said = f"The code imports {listed}{tail}, {are} not in Python's standard library."
    return Notice("code-imports", said, "Install what you lack before you run it.", "info")


def _blocks(text: str) -> Iterator[str]:
    for found in _BLOCK.finditer(text):
        code = textwrap.dedent(found["code"])
        if code.strip() and len(code) <= _MOST_CHARACTERS:
            yield typed(code)


def _packages(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        for name in names:
            package = name.partition(".")[0]
            if package and package not in sys.stdlib_module_names:
                yield package
