"""The table of faults in docs/operations.md, made from the tests in `tests/faults`.

`python -m docs.handbook.faults` writes it anew. A row is a file of tests, named after its row; its
first line says what is provoked. What the long tests gave when they were last run stands in
`docs/faults.json`, as they are not run every day.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "operations.md"
RESULTS = ROOT / "docs" / "faults.json"
BEGIN, END = "<!-- faults: begin -->", "<!-- faults: end -->"


@dataclass(frozen=True)
class Row:
    """One file of tests: the rows that it holds, what it provokes, how it is run."""

    rows: str
    fault: str
    test: str
    is_long: bool
    is_quick: bool


def rows() -> list[Row]:
    """All files of fault tests, in the order of their rows."""
    found = [_row(path) for path in sorted((ROOT / "tests" / "faults").glob("test_*.py"))]
    return sorted(found, key=lambda row: _order(row.test))


def _order(test: str) -> tuple[str, int, str]:
    letter, number, rest = re.match(r"test_([A-Z])(\d+)_(.*)", test).groups()
    return letter, int(number), rest


def _row(path: Path) -> Row:
    tree = ast.parse(path.read_text("utf-8"))
    said = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
    ids, _, fault = said.partition(": ")
    marks = [_is_long(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
             and node.name.startswith("test_")]  # fmt: skip
    return Row(ids, fault.rstrip("."), path.name, any(marks), not all(marks))


def _is_long(node: ast.FunctionDef) -> bool:
    return any("mark.long" in ast.unparse(decorator) for decorator in node.decorator_list)


def table(found: list[Row], results: dict[str, str]) -> str:
    """The rows in Markdown; a long test that was never run says so."""
    lines = ["| row | fault | test | result |", "|---|---|---|---|"]
    for row in found:
        told = ["in `make test`"] if row.is_quick else []
        if row.is_long:
            told.append(f"long: {results.get(row.test, 'not run yet')}")
        fault = row.fault.replace("|", "\\|")
        lines.append(f"| {row.rows} | {fault} | `{row.test}` | {'; '.join(told)} |")
    return "\n".join(lines)


def main() -> None:
    """Put the table between its two marks."""
    results: dict[str, str] = json.loads(RESULTS.read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    PAGE.write_text(f"{before}{BEGIN}\n{table(rows(), results)}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
