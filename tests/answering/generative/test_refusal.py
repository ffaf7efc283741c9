"""The word of refusal is seen in every spelling and splitting, and never shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answering.generative.prompts import NOT_FOUND
from core.answering.generative.refusal import INSTEAD, RefusalFilter


def filtered(pieces: list[str]) -> tuple[str, bool]:
    refusals = RefusalFilter()
    text = "".join([*(refusals.feed(piece) for piece in pieces), refusals.finish()])
    return text, refusals.refused


@pytest.mark.parametrize(
    ("said", "shown", "refused"),
    [
        (NOT_FOUND, "", True),
        (f"\n**{NOT_FOUND}**.", "", True),
        (NOT_FOUND.lower(), "", True),
        (f"{NOT_FOUND}: they speak of bridges.", "", True),
        (f"{NOT_FOUND}. But it was in 1889 [Source 1].", "But it was in 1889 [Source 1].", False),
        (f"It was in 1889 [1]. Its cost: {NOT_FOUND}.", f"It was in 1889 [1]. Its cost: {INSTEAD}.",
         False),
        ("Not in Sources, but in sinks.", "Not in Sources, but in sinks.", False),
        ("NO", "NO", False),
        ("", "", False),
    ],
)  # fmt: skip
def test_sayings(said: str, shown: str, refused: bool) -> None:
    assert filtered([said]) == (shown, refused)
    assert filtered(list(said)) == (shown, refused)


@settings(max_examples=300, derandomize=True)
@given(st.lists(st.sampled_from([NOT_FOUND, "NOT", "_IN_", "SOURCES", " a ", "[1]", "**", "NOT_"])),
       st.integers(1, 9))  # fmt: skip
def test_splitting_changes_nothing_and_the_word_never_shows(parts: list[str], size: int) -> None:
    whole = "".join(parts)
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    assert filtered(pieces) == filtered([whole])
    assert NOT_FOUND not in filtered(pieces)[0].upper()
