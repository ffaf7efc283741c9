"""Forms of one word share a key."""

from __future__ import annotations

import pytest

from core.text.terms import content_keys, stem


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


@pytest.mark.parametrize("word", ["aren't", "doesn’t", "arent", "cant", "they're", "I've"])
def test_short_forms_of_verbs_are_no_content(word: str) -> None:
    assert content_keys(f"why {word} the lamps lit") == content_keys("lamps lit")


def test_what_is_carried_is_no_car() -> None:
    assert stem("carried") != stem("car")


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("and in may?", True),
        ("which fairs in may are free", True),
        ("In May, the fair opens.", True),
        ("May 5, 2021", True),
        ("as of 5 may 2021", True),
        ("the end of may", True),
        ("it is held on May Day", True),
        ("may i come in", False),
        ("You may: 5 things", False),
        ("figure 3 may show", False),
        ("the last may have gone", False),
    ],
)
def test_may_is_a_month_where_it_is_one(text: str, month: bool) -> None:
    assert ("may" in content_keys(text)) is month


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("darf ich grillen", ["grillen"]),
        ("worauf muss ich beim Kauf achten", ["Kauf", "achten"]),
        ("wann sollte man meinen Wein trinken", ["Wein", "trinken"]),
        ("wieviel kostet das hier noch", ["kostet"]),
    ],
)
def test_german_words_that_only_ask_name_nothing(question: str, named: list[str]) -> None:
    assert content_keys(question) == content_keys(" ".join(named))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("may we bring a cat", ["bring", "cat"]),
        ("The Civil War", ["civil", "war"]),
        ("Civil War", ["civil", "war"]),  # its own word does not make it German
        ("who is his son", ["son"]),
        ("Wer war das?", []),
        ("Was hat man davon?", []),
        ("Quel est son nom ?", ["nom"]),
    ],
)
def test_words_of_english_that_are_small_ones_elsewhere(text: str, content: list[str]) -> None:
    assert content_keys(text) == content
