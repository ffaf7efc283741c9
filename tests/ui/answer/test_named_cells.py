"""Rows of "name: value" are drawn as tables."""

from __future__ import annotations

from typing import Any

import pytest

from core.ui.answer.markdown import tree
from core.ui.answer.markdown_nodes import Node, has_children, words


def drawn(text: str, **spans: Any) -> list[list[str]]:
    """The cells of the only table, as text."""
    tables = [node for node in tree(text, {1, 2}, **spans) if kind(node) == "table"]
    assert len(tables) == 1
    return [[words([cell]) for cell in row["c"]] for part in tables[0]["c"] for row in part["c"]]


def kind(node: Node) -> str:
    return str(node["t"]) if has_children(node) else ""


def test_a_list_of_rows_is_a_table_with_their_names_on_top() -> None:
    text = "2 rows:\n\n- Boat: Wren | Berths: 4 | Port: Kiel [1]\n- Boat: Tern | Berths: 6 [2]"
    assert drawn(text) == [["Boat", "Berths", "Port"], ["Wren", "4", "Kiel "], ["Tern", "6 ", ""]]


def test_rows_in_paragraphs_that_follow_each_other_are_one_table() -> None:
    text = "Boat: Wren | Berths: 4 [1]\n\nBoat: Tern | Berths: 6 [2]\n\nBoth are new."
    assert drawn(text) == [["Boat", "Berths"], ["Wren", "4 "], ["Tern", "6 "]]


def test_a_single_row_of_many_cells_has_them_one_below_the_other() -> None:
    row = "Boat: Wren | Berths: 4 | Port: Kiel | Built: 1998 | Note: red | blue [1]"
    assert drawn(row) == [
        ["Boat", "Wren"], ["Berths", "4"], ["Port", "Kiel"], ["Built", "1998"],
        ["Note", "red | blue "],
    ]  # fmt: skip


def test_what_is_set_off_and_cited_stays_in_its_cell() -> None:
    text = "Boat: Wren | Berths: 4 | Port: Kiel [1]"
    at = text.index("4")
    table = tree(text, {1}, claims={0: (0, len(text))}, highlights=[(at, at + 1)])[0]
    assert has_children(table)
    cells = table["c"][1]["c"][0]["c"]
    assert cells[1] == {
        "t": "td", "c": [{"t": "claim", "k": 0, "c": [{"t": "mark", "c": ["4"]}]}]
    }  # fmt: skip
    assert "cite" in str(cells[2])
    assert "cite" not in str(cells[:2])


@pytest.mark.parametrize(
    "text",
    [
        "Note: the boat is red.",
        "Germany | 28 EUR | 14 EUR",
        "- Boat: Wren | Berths: 4\n- The others are away.",
    ],
)
def test_other_lines_stay_as_they_are(text: str) -> None:
    assert "table" not in [kind(node) for node in tree(text)]
