"""Records of JSON are read as rows of names and values."""

from __future__ import annotations

import pytest

from core.ui.answer.markdown import tree
from core.ui.answer.records import as_row
from tests.ui.answer.test_named_cells import drawn


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('{"a": 1, "b": null}', "a: 1 | b: null"),
        ('"a": "x \\"y\\", z",', 'a: x "y", z'),
        ('"a": {"b": {"c": 2}, "d": [1, 2]}, "e": 0', "a › b › c: 2 | a › d: 1, 2 | e: 0"),
        ('He said "a": no.', ""),
        ('"a": 1, "b": {', ""),
        ("[1, 2]", ""),
    ],
)
def test_a_record_is_a_row(text: str, row: str) -> None:
    assert as_row(text) == row


def test_a_quoted_record_is_drawn_with_what_is_set_off_in_it() -> None:
    text = '"name": "South mill", "place": { "town": "Graz", "river": "Mur" }, [1]'
    at = text.index("Mur")
    names = ["name", "place › town", "place › river"]
    assert drawn(text) == [names, ["South mill", "Graz", "Mur"]]
    assert "{'t': 'mark', 'c': ['Mur']}" in str(tree(text, {1}, highlights=[(at, at + 3)]))
