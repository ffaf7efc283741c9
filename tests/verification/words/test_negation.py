"""A "not" that denies, and one that does not."""

from __future__ import annotations

import pytest

from core.text.terms import terms
from core.verification.words.contradiction import denied, negation_differs
from core.verification.words.negation import denies


def denying(text: str) -> list[str]:
    return [term.form for term in terms(text) if denies(term, text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is not sold.", ["not"]),
        ("It isn't sold.", ["isn't"]),
        ("No, it is sold.", []),
        ("Nein, es wird verkauft.", []),
        ("No dividend was paid.", ["No"]),
        ("Er hat keinerlei Belege.", ["keinerlei"]),
        ("It is sold not only in Graz but also in Linz.", []),
        ("The offer is not limited to Graz, but holds in Linz.", []),
        ("Es wird nicht nur in Graz, sondern auch in Linz verkauft.", []),
        ("It is not only for members.", ["not"]),
        ("No other team has met more often.", []),
        ("No other team was asked.", ["No"]),
        ("get(key, default=None) returns it.", []),
        ("None of them was asked.", ["None"]),
        ("He wrote no fewer than nine books.", []),
        ("Er schrieb nicht weniger als neun Bücher.", []),
        ("It is not sold in Graz, but also not in Linz.", ["not", "not"]),
        ("It is not just an old custom.", []),
        ("Nobody knows whether or not it ends.", ["Nobody"]),
        ("Wilful or not, it is paid.", []),
        ("It is red or it is not.", ["not"]),
    ],
)
def test_what_denies(text: str, words: list[str]) -> None:
    assert denying(text) == words


def test_a_condition_states_nothing_and_so_denies_nothing() -> None:
    assert not denied("If you cannot pay the fee, ask for a waiver.")
    assert denied("If you ask, you cannot be refused the waiver.")
    assert not negation_differs(
        "If you cannot pay the fee, ask for a waiver.",
        ["Ask for a waiver of the fee you must pay."],
    )


def test_what_one_of_several_sentences_that_match_as_well_denies() -> None:
    best = ["The frogs were counted.", "The frogs are not poisonous.", "Toads are poisonous."]
    assert negation_differs("The frogs are poisonous.", best[:2], 2)
    assert not negation_differs("The frogs are poisonous.", best[:2], 1)
    assert not negation_differs("The frogs are poisonous.", best, 3)  # of something else it is said
