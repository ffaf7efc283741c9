"""The modules of the program and what they import, read from their source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = ("app", "serve", "eval_custom")


def _modules() -> dict[str, Path]:
    files = [*ROOT.glob("core/**/*.py"), *ROOT.glob("scraper/**/*.py"), *ROOT.glob("pages/*.py")]
    files += [ROOT / f"{name}.py" for name in ENTRIES]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files
    }


MODULES: Mapping[str, Path] = _modules()
"""Every module of the program by its dotted name."""

TREES: Mapping[str, ast.Module] = {
    name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()
}


def imports(name: str) -> set[str]:
    """Return the dotted names that a module imports, wherever in its file."""
    found: set[str] = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def our_imports(name: str) -> set[str]:
    """Return the modules of the program that a module imports."""
    found = set()
    for imported in imports(name):
        if imported in MODULES:
            found.add(imported)
        elif (parent := imported.rpartition(".")[0]) in MODULES:
            found.add(parent)
    return found - {name}


def libraries(name: str) -> set[str]:
    """Return the libraries of others that a module imports, by their first name."""
    first = {imported.partition(".")[0] for imported in imports(name)}
    return first - sys.stdlib_module_names - {"core", "scraper", "pages", *ENTRIES}


def folder(name: str) -> str:
    """Return the folder of a module, which is a concept: "retrieval", "scraper", "config".

    What starts the program (app.py, pages/, serve.py, eval_custom.py, `python -m`) is "entry".
    """
    parts = name.split(".")
    if parts[0] in ("pages", *ENTRIES) or parts[-1] == "__main__":
        return "entry"
    return parts[0] if parts[0] == "scraper" or len(parts) == 1 else parts[1]


def arrows() -> Iterator[tuple[str, str, str, str]]:
    """Yield each import between two folders: both folders and both modules."""
    for name in MODULES:
        for imported in our_imports(name):
            if folder(name) != folder(imported):
                yield folder(name), folder(imported), name, imported


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the sets of two and more nodes each of which leads to each (by Tarjan)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for after in graph.get(node, ()):
            if after not in number:
                visit(after)
                low[node] = min(low[node], low[after])
            elif after in stack:
                low[node] = min(low[node], number[after])
        if low[node] == number[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in number:
            visit(node)
    return found
