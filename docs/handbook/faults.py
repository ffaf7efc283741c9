"""The table of faults in docs/operations.md, made from the markers of the tests.

`python -m docs.handbook.faults` writes it anew. `docs/faults.json` names the faults, each of which
is a marker of pytest (`pytest -m D09`), and holds what the long tests gave when they were last run.
A row of the table is a file of tests with such markers; its docstring says what is provoked.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "operations.md"
CATALOGUE = ROOT / "docs" / "faults.json"
BEGIN, END = "<!-- faults: begin -->", "<!-- faults: end -->"
_MARK = re.compile(r"pytest\.mark\.([A-Z]\d\d)\b")


@dataclass(frozen=True)
class Row:
    """One file of tests: the faults that it provokes, in words, and how it is run."""

    codes: tuple[str, ...]
    fault: str
    test: str
    is_long: bool
    is_quick: bool
    is_grown: bool


def names() -> dict[str, str]:
    """Return the faults of the catalogue: code and name."""
    found: dict[str, str] = json.loads(CATALOGUE.read_text("utf-8"))["faults"]
    return found


def rows() -> list[Row]:
    """Return all files of tests that provoke faults, in the order of the codes."""
    found = [_row(path) for path in (ROOT / "tests").rglob("test_*.py")]
    return sorted((row for row in found if row.codes), key=lambda row: (row.codes, row.test))


def _row(path: Path) -> Row:
    tree = ast.parse(path.read_text("utf-8"))
    said = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    marks = [ast.unparse(node.value) for node in tree.body if isinstance(node, ast.Assign)
             and ast.unparse(node.targets[0]) == "pytestmark"]  # fmt: skip
    all_long = "pytest.mark.long" in " ".join(marks)
    long = [all_long or _is_long(node) for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]  # fmt: skip
    codes = tuple(sorted(_MARK.findall(" ".join(marks))))
    name = path.relative_to(ROOT).as_posix()
    is_grown = "pytest.mark.grown" in " ".join(marks)
    return Row(codes, said.rstrip("."), name, any(long), not all(long), is_grown)


def _is_long(node: ast.FunctionDef) -> bool:
    return any("mark.long" in ast.unparse(decorator) for decorator in node.decorator_list)


def table(found: list[Row], results: dict[str, str]) -> str:
    """Return the rows in Markdown; a long test without a result says so."""
    lines = ["| fault | what happens | test | result |", "|---|---|---|---|"]
    for row in found:
        command = "make test-grown" if row.is_grown else "make test"
        run = [f"in `{command}`"] if row.is_quick else []
        if row.is_long:
            run.append(f"long: {results.get(row.test, 'not run yet')}")
        fault = row.fault.replace("|", "\\|")
        lines.append(f"| {', '.join(row.codes)} | {fault} | `{row.test}` | {'; '.join(run)} |")
    return "\n".join(lines)


def page() -> str:
    """Return docs/operations.md with the table of today."""
    results: dict[str, str] = json.loads(CATALOGUE.read_text("utf-8"))["long_runs"]
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table(rows(), results)}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
