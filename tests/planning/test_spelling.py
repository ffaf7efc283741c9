"""Mistyped words of a question."""

from __future__ import annotations

import pytest

from core.planning.spelling import spelled, written_out

WORDS = {"invented", "packet", "switching", "protocol", "defines"}
LIKE = {"swiching": "switching", "protocl": "protocol", "tcqxx": "tcp"}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("who invented packet swiching?", "who invented packet switching?"),
        ("which protocl defines it", "which protocol defines it"),
        ("who invented velmark", "who invented velmark"),
        ("who invented Swiching", "who invented Swiching"),
        ("is it tcqx", "is it tcqx"),
        ("is it tcq2x", "is it tcq2x"),
    ],
)
def test_a_word_that_is_none_is_read_as_the_one_that_the_documents_have(
    typed: str, read: str
) -> None:
    found = spelled(typed, WORDS.__contains__, LIKE.get)
    assert found.question == read
    assert bool(found.mended) == (typed != read)


def test_short_forms_are_written_out() -> None:
    assert written_out("Whats the fee, and how many ppl pay?") == (
        "what is the fee, and how many people pay?"
    )
    assert written_out("the pplx of whatsapp") == "the pplx of whatsapp"
