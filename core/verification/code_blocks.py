"""Python in an answer: whether it parses, and what it imports (pure).

Only blocks that say that they are Python are read, and none is run.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator

from core.types import Notice

_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?:python3?|py|pycon)\b[^\n]*\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z)",
    re.M | re.S | re.I,
)
_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
_MOST_CHARACTERS = 20_000
_MOST_NAMED = 6


def code_notices(text: str) -> tuple[Notice, ...]:
    """Return what a person should know before running the Python of an answer.

    A block that does not parse is said with its line; packages outside Python's standard library
    are named, as they may have to be installed.

    >>> [notice.text for notice in code_notices("```python\\nimport numpy\\n```")]
    ["The code imports numpy, which is not in Python's standard library."]
    """
    faults, packages = [], dict[str, None]()
    for number, code in enumerate(_blocks(text), 1):
        try:
            tree = _parsed(code)
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
        notices.append(Notice("code-does-not-parse", said, "Compare it with its source."))
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
            yield _typed(code)


def _typed(code: str) -> str:
    """Return what was typed in a block that shows a session of the interpreter."""
    lines = code.splitlines()
    if not any(line.startswith(">>>") for line in lines):
        return code
    # Output stays as an empty line, so that the number of a line is that of the block.
    return "\n".join(_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in lines)


def _parsed(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # "\d" in a plain string is a warning of the parser, and no fault of the answer.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(code)


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
