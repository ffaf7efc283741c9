"""A question after the most reads the whole table that a passage has a part of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.whole_parts import LONGEST, with_whole_parts
from core.types import Page
from tests.support.hits import found, hit

ROWS = "".join(f"Harbour {sign}{sign} {at} {at + 7}\n" for at, sign in enumerate("abcdefghij"))
TEXT = f"It is an island.\n\nHarbour Ferries Cars\n{ROWS}\nMost of them burn oil."


class Pages:
    def __init__(self, text: str) -> None:
        self._text = text

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        return Page(page_ordinal, self._text) if self._text else None


def read(question: str, start: int, end: int, text: str = TEXT) -> str:
    passage = hit(text[start:end], start=start)
    result = with_whole_parts(found(question, [passage]), Pages(text), "s1")
    (widened,) = result.hits
    assert text[widened.context_start : widened.context_end] == widened.context
    return widened.context


@pytest.mark.parametrize("begin", ["Harbour aa", "Harbour ee"])
def test_a_part_of_a_table_is_widened_with_what_names_its_columns(begin: str) -> None:
    start = TEXT.index(begin)
    whole = read("which harbour has the most cars", start, TEXT.index("Harbour hh"))
    assert whole.startswith("Harbour Ferries Cars\n")
    assert whole.endswith("Harbour jj 9 16")


def test_other_questions_and_other_passages_are_read_as_they_are() -> None:
    start, end = TEXT.index("Harbour cc"), TEXT.index("Harbour hh")
    assert read("how many cars has harbour dd", start, end) == TEXT[start:end]
    assert read("which harbour has the most cars", 0, 16) == "It is an island."
    long = TEXT.replace(ROWS, ROWS * (LONGEST // len(ROWS) + 1))
    assert read("which harbour has the most cars", start, end, long) == long[start:end]


def test_steps_that_are_headings_are_read_whole() -> None:
    text = "# Lamps\n\n## How to trim one\n\n### 1. Cut\n\nIt.\n\n### 2. Light\n\nIt burns.\n"
    assert read("how do i trim a lamp", 0, 7, text) == text[:7]
    assert "2. Light" in read("how do i trim a lamp", 9, text.index("It."), text)
    assert "2. Light" not in read("where do i trim a lamp", 9, text.index("It."), text)


def test_a_page_that_was_deleted_changes_nothing() -> None:
    result = found("which harbour has the most cars", [hit(ROWS)])
    assert with_whole_parts(result, Pages(""), "s1") == result
    dropped = replace(result, hits=(), dropped=result.hits)
    (widened,) = with_whole_parts(dropped, Pages(f"Harbour Ferries Cars\n{ROWS}"), "s1").dropped
    assert widened.context.startswith("Harbour Ferries Cars")
