"""The imports that a piece of Python uses and does not make itself (pure)."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence

_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+[\w.]", re.M)
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_MOST_CHARACTERS = 20_000


def used_imports(before: Sequence[str], code: str) -> tuple[str, ...]:
    """Return the import statements of earlier listings whose names the code uses.

    One statement for each name, in the order in which they stand; what the code imports itself is
    left out, as are `from x import *` and relative imports, whose names are not known.

    >>> used_imports(["import csv, json\\nfrom os import path as p"], "csv.reader(open(p.join(a)))")
    ('import csv', 'from os import path as p')
    """
    own = {name for name, _ in _bound(code)}
    used = set(_NAME.findall(code)) - own
    found: dict[str, str] = {}
    for listing in before:
        found.update((name, made) for name, made in _bound(listing) if name in used)
    return tuple(dict.fromkeys(found.values()))


def parsed(code: str) -> ast.Module:
    """Return the tree of a listing. Raises `SyntaxError`, or `ValueError` for what no code holds.

    `RecursionError` and `MemoryError` come of code that is nested too deeply.
    """
    with warnings.catch_warnings():
        # "\\d" in a plain string is a warning of the parser, and no fault of the code.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(code)


def typed(code: str) -> str:
    """Return what was typed in a listing that shows a session of the interpreter.

    Output stays as an empty line, so that the number of a line is that of the listing.
    """
    lines = code.splitlines()
    if not any(line.startswith(">>>") for line in lines):
        return code
    return "\n".join(_PROMPT.sub("", line) if _PROMPT.match(line) else "" for line in lines)


def _bound(listing: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a listing imports, with a statement that imports it alone."""
    code = typed(textwrap.dedent(listing))
    if len(code) > _MOST_CHARACTERS or not _IMPORT.search(code):
        return
    try:
        yield from _names(parsed(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        for line in code.splitlines():  # a listing that is cut, or of an older Python
            if _IMPORT.match(line):
                try:
                    yield from _names(parsed(line.strip()))
                except (SyntaxError, ValueError):
                    continue


def _names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                yield name, ast.unparse(ast.Import([alias]))
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                made = ast.ImportFrom(node.module, [alias], 0)
                yield alias.asname or alias.name, ast.unparse(made)
