"""A sentence that was said before goes, however the text is split; all else stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answering.generative.repeats import RepeatFilter

TABLES = (
    "| Plant | Price |\n|---|---|\n| Graz | 5 |\n\n| Plant | Price |\n|---|---|\n| Linz | 5 |\n"
)


def filtered(text: str, size: int = 1_000) -> str:
    repeats = RepeatFilter()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return "".join(map(repeats.feed, pieces)) + repeats.finish()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It was built in 1874 [1]. It was built in 1874 [Source 1]. So.",
         "It was built in 1874 [1]. So."),
        ("- It was built in 1874.\n- It was built in 1874.\n", "- It was built in 1874.\n\n"),
        ("It was built in 1874. It was built in 1874 and sold.",
         "It was built in 1874. It was built in 1874 and sold."),
        ("Yes. Yes. See above. See above.", "Yes. Yes. See above. See above."),
        ("She never taught. " * 12 + "So.", "She never taught. " * 2 + "So."),
        ("See above. " * 3 + "See above.[Source 2", "See above. See above."),
        ("- Yes\n" * 5 + "- No\n", "- Yes\n- Yes\n- No\n"),
        (TABLES, TABLES),
        ("| Graz | 5 | 6 |\n" * 9, "| Graz | 5 | 6 |\n" * 2),
        ("```\nx = a + b + c + d.\nx = a + b + c + d.\n```\n",
         "```\nx = a + b + c + d.\nx = a + b + c + d.\n```\n"),
    ],
)  # fmt: skip
def test_sayings(said: str, shown: str) -> None:
    assert filtered(said) == shown
    assert filtered(said, 1) == shown


@settings(max_examples=200, derandomize=True)
@given(st.lists(st.sampled_from(["It was built in 1874 [1]. ", "It was ", "built in 1874. ", "\n",
                                 "[2] ", "- ", "No. ", "No",
                                 "| a |\n"])), st.integers(1, 9))  # fmt: skip
def test_splitting_changes_nothing(parts: list[str], size: int) -> None:
    assert filtered("".join(parts), size) == filtered("".join(parts))
