"""A doubt about a row of a table, or about emphasised words, leaves their form whole."""

from __future__ import annotations

from typing import Any

import pytest

from core.citations.statements import statements
from core.types import Answer, Claim, Support
from core.ui.answer.claim_spans import markable
from core.ui.answer.views import answer_view
from tests.ui.app.fake_service import a_citation

TABLE = """Here are the figures:

| City | Founded | People |
|------|---------|-------:|
| Oslo | 1048 [1] | 709,037 |
| Bergen | 1070 | 291,940 [1] |
"""


def drawn(text: str, reason: str = "") -> list[Any]:
    claims = tuple(
        Claim(one.start, one.end, one.numbers, Support.UNSUPPORTED, reason)
        for one in statements(text, {1})
        if not one.framing
    )
    citation = a_citation(1, None, "a.md", "x")
    tree: list[Any] = answer_view(Answer("q", text, (citation,), claims=claims))["tree"]
    return tree


def rows(tree: list[Any]) -> list[list[list[Any]]]:
    """The cells of each row."""
    table = next(node for node in tree if node["t"] == "table")
    return [[cell["c"] for cell in row["c"]] for part in table["c"] for row in part["c"]]


def test_a_table_stays_a_table_and_its_header_is_no_claim() -> None:
    found = rows(drawn(TABLE, "The number 1070 is not in the source."))
    assert [len(row) for row in found] == [3, 3, 3]
    assert found[0] == [["City"], ["Founded"], ["People"]]


def test_the_badge_stands_in_the_cell_that_is_doubtful() -> None:
    found = rows(drawn(TABLE, "The number 1070 is not in the source."))
    assert found[2] == [
        ["Bergen"],
        [{"t": "claim", "k": 1, "c": ["1070"]}, {"t": "verdict", "k": 1}],
        [*found[2][2]],
    ]
    assert "verdict" not in str(found[2][2])
    assert "verdict" in str(found[1][2]), "the reason names no cell of this row: its last one"


@pytest.mark.parametrize(
    ("text", "reason", "marked"),
    [
        ("| Oslo | 1048 |", "The number 1048 is not in the source.", "1048"),
        ("| Oslo | 1048 |", "The name “Oslo” is not in the source.", "Oslo"),
        ("| Oslo | 1048 | [1] |", "No sentence of the source says this.", "1048"),
        ("| a \\| b | c |", "The name “c” is not in the source.", "c"),
        ("**It is so.**", "", "It is so."),
        ("It is *so*.", "", "It is *so*."),
        ("Either a | b.", "", "Either a | b."),
    ],
)
def test_what_is_marked_of_a_claim(text: str, reason: str, marked: str) -> None:
    start, end = markable(text, 0, len(text), reason)
    assert text[start:end] == marked


def test_emphasis_around_a_doubtful_sentence_stays_emphasis() -> None:
    (paragraph,) = drawn("**Oslo was founded in 1048.** [1]")
    assert paragraph["c"][0]["t"] == "strong"
    assert "*" not in str(paragraph)
