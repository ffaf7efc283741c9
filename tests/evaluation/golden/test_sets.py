"""Golden sets are read whole or refused; answers are compared as SQuAD compares them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InvalidRequest
from core.evaluation.golden.sets import (
    GoldenSource,
    contains_answer,
    even_sample,
    normalised,
    read_golden,
)


def test_items_are_read(tmp_path: Path) -> None:
    row = {
        "id": "a", "question": "Who?", "answers": ["Ada"], "answerable": True, "tags": ["t"],
        "sources": [{"document": "x/y.pdf", "page": 3, "anchor": None, "quote": "It was Ada."}],
    }  # fmt: skip
    other = {"question": "Why?", "answerable": False}
    path = tmp_path / "golden.jsonl"
    path.write_text(json.dumps(row) + "\n\n" + json.dumps(other) + "\n", "utf-8")
    first, second = read_golden(path)
    assert first.sources == (GoldenSource("x/y.pdf", 3, None, "It was Ada."),)
    assert (first.id, first.answers, first.tags) == ("a", ("Ada",), ("t",))
    assert (second.id, second.answers, second.answerable) == ("3", (), False)


@pytest.mark.parametrize(
    "line", ["not json", "[]", '{"answers": []}', '{"question": 1, "sources": 3}']
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"question": "Who?"}\n' + line + "\n", "utf-8")
    with pytest.raises(InvalidRequest, match="line 2"):
        read_golden(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="cannot be read"):
        read_golden(tmp_path / "none.jsonl")


def test_an_even_sample_is_the_same_each_time() -> None:
    assert even_sample(range(10), 5) == [0, 2, 4, 6, 8]
    assert even_sample(range(3), 5) == [0, 1, 2]
    assert even_sample(range(3), None) == [0, 1, 2]


def test_answers_are_compared_without_case_articles_and_punctuation() -> None:
    assert normalised("  The “U.S.” - an Answer! ") == "“us” answer"
    assert contains_answer("It was in the year 1943, they say.", ["1944", "Year 1943"])
    assert not contains_answer("It was in 1943.", ["1944"])
    assert not contains_answer("It was in 1943.", ["", "the"])
