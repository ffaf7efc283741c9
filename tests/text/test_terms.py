"""Forms of one word share a key."""

from __future__ import annotations

import pytest

from core.text.terms import stem


@pytest.mark.parametrize(
    "forms",
    [
        ("marry", "married", "marries"),
        ("carry", "carried", "carries"),
        ("stop", "stopped"),
        ("study", "studied", "studies"),
    ],
)
def test_forms_share_a_key(forms: tuple[str, ...]) -> None:
    assert len(set(map(stem, forms))) == 1


def test_what_is_carried_is_no_car() -> None:
    assert stem("carried") != stem("car")
