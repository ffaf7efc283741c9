"""Superlatives and comparisons are judged by the numbers of a table, or not at all."""

from __future__ import annotations

import pytest

from core.verification.numbers.ranking import ranking

TABLE = (
    "| Supplier | Price per unit | Delivery | Warranty |\n|---|---|---|---|\n"
    "| Arnholt | 14.20 euros | 6 weeks | 24 months |\n"
    "| Bexley | 12.90 euros | 9 weeks | 12 months |\n"
    "| Corvin | 15.75 euros | 3 weeks | 36 months |"
)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("The cheapest is Bexley.", True),
        ("The cheapest supplier is Bexley at 12.90 euros.", True),
        ("Bexley has the lowest price.", True),
        ("Corvin delivers fastest, in 3 weeks.", True),
        ("Arnholt is cheaper than Corvin.", True),
        ("Corvin is 2.85 euros more expensive than Bexley.", True),
        ("Bexley is the cheapest, but has the longest delivery of 9 weeks.", True),
        ("The cheapest is Arnholt.", False),
        ("Bexley has the longest warranty.", False),
        ("Corvin is cheaper than Arnholt.", False),
        ("Bexley is the cheapest and has the longest warranty.", False),
    ],
)
def test_a_table_tells(said: str, right: bool) -> None:
    found = ranking(said, ["No table.", TABLE])
    assert found is not None
    assert found.right is right
    assert bool(found.reason) is not right


@pytest.mark.parametrize(
    "said",
    [
        "Bexley is the best.",
        "Bexley is not the cheapest.",
        "Arnholt is the second cheapest.",
        "Bexley is one of the cheapest.",
        "Among those with 24 months, Arnholt is the cheapest.",
        "Bexley is the cheapest at 14.20 euros.",
        "The longest is Corvin.",
        "Bexley and Corvin are the cheapest.",
        "Delivery takes more than 3 weeks at Bexley.",
        "It costs 12.90 euros.",
    ],
)
def test_what_is_not_certain_is_not_judged(said: str) -> None:
    assert ranking(said, [TABLE]) is None


def test_columns_of_several_units_or_equal_numbers_are_not_judged() -> None:
    mixed = "| Plant | Price |\n|---|---|\n| Graz | 5 euros |\n| Linz | 7 dollars |"
    equal = "| Plant | Price |\n|---|---|\n| Graz | 5 euros |\n| Linz | 5 euros |"
    for source in (mixed, equal, TABLE + "\n\nText.\n\n" + TABLE):
        assert ranking("Graz is the cheapest. Bexley is the cheapest.", [source]) is None
        assert ranking("Graz is the cheapest.", [source]) is None
