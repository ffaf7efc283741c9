"""Answers without their marks."""

from __future__ import annotations

import pytest

from core.citations.mark import without_marks


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It was built in 1874 [1].", "It was built in 1874."),
        ("One [1][2]. Two [2].", "One. Two."),
        ("Nothing cited [3].", "Nothing cited [3]."),
        ("An escaped \\[1\\] stays [1].", "An escaped \\[1\\] stays."),
        ("`a[1]` and ``b`[1]`` [1]", "`a[1]` and ``b`[1]``"),
        ("```python\nx = a[1]\n```\n[1]", "```python\nx = a[1]\n```"),
        ("~~~\n[1]\n~~~~\nText [2].", "~~~\n[1]\n~~~~\nText."),
        ("```\nnever closed [1]", "```\nnever closed [1]"),
        ("[10] is not [1]", "[10] is not"),
        ("", ""),
    ],
)
def test_only_marks_go(text: str, left: str) -> None:
    assert without_marks(text, {1, 2}) == left


def test_without_citations_nothing_changes() -> None:
    assert without_marks(" a [1] ", set()) == " a [1] "
