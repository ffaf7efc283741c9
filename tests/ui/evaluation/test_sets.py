"""Editing a golden set in a table: what was not touched stays as it was."""

from __future__ import annotations

import pytest

from core.errors import InvalidRequest
from core.evaluation.golden.formats import flat_row
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.ui.evaluation.formatting import numbered
from core.ui.evaluation.sets import merged

NOTHING = float("nan")


def item(key: str, **more: object) -> GoldenItem:
    return GoldenItem(key, f"Question {key}?", ("a|b", " c "), **more)


def as_edited(one: GoldenItem) -> dict[str, object]:
    """A row as the table gives it back: numbers as floats, nothing as not a number."""
    row = flat_row(one)
    return {**row, "page": NOTHING if row["page"] is None else float(row["page"])}


def test_untouched_rows_change_nothing() -> None:
    items = [item("1"), item("2", sources=(GoldenSource("x.pdf", 3), GoldenSource("y"))), item("3")]
    assert merged(items, [1, 2], [as_edited(items[1]), as_edited(items[2])]) == items


def test_rows_are_changed_added_and_removed_where_they_were() -> None:
    items = [item(str(number)) for number in range(5)]
    changed = {**as_edited(items[2]), "question": "New?", "answerable": False}
    added = {"id": None, "question": "Added?", "answers": "yes", "page": NOTHING}
    found = merged(items, [1, 2, 3], [as_edited(items[1]), changed, added])
    assert [one.question for one in found] == [
        "Question 0?", "Question 1?", "New?", "Added?", "Question 4?",
    ]  # fmt: skip
    assert found[2].answerable is False
    assert found[2].id == "2"
    assert merged(items, [], []) == items
    assert merged(items, [4], [{"question": NOTHING}, {"question": " "}]) == items[:4]


def test_a_page_that_is_no_number_is_said() -> None:
    row = {"question": "Who?", "document": "x.pdf", "page": "three"}
    with pytest.raises(InvalidRequest):
        merged([item("1")], [0], [row])


def test_equal_labels_are_told_apart() -> None:
    assert numbered({"b": "Run", "a": "Run"}) == {"b": "2. Run", "a": "1. Run"}
