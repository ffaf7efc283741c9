"""A "not" too many, and opposites."""

from __future__ import annotations

import pytest

from core.verification.comparison import compare, read_passage
from core.verification.words.contradiction import denied, negation_differs, opposite, said_otherwise


@pytest.mark.parametrize(
    ("words", "source", "differs"),
    [
        ("The plant was closed.", "The plant was not closed.", True),
        ("The plant wasn't closed.", "The plant was closed.", True),
        ("The plant was not closed.", "The plant was not closed.", False),
        ("The plant was closed.", "The plant was closed.", False),
        ("The plant was closed.", "The plant was closed, the mill was not sold.", False),
        ("工厂没关闭。", "工厂关闭。", True),
    ],
)
def test_a_negation(words: str, source: str, differs: bool) -> None:
    assert negation_differs(words, [source]) is differs


def test_a_negation_denies_the_next_content_word() -> None:
    (key,) = denied("It was not closed in winter.")
    assert "closed".startswith(key)


def test_rather_than_says_no_where_the_source_does() -> None:
    words = "Options trade on exchanges of their own rather than on the exchange of stocks."
    denial = "Options do not trade on the exchange of stocks."
    assert said_otherwise(words, [denial]) == {"rather"}
    assert said_otherwise(words, ["Options trade on the exchange of stocks."]) == set()
    assert compare(words, [read_passage(1, denial)]).signals["not_replaced"] == 0


def test_what_a_source_says_with_avoid_is_denied_there() -> None:
    words, source = "The date was changed so as not to clash.", "A change to avoid a clash."
    assert compare(words, [read_passage(1, source)]).signals["negation_alone"] == 0
    assert compare(words, [read_passage(1, "A change and a clash.")]).signals["negation_alone"] == 1


def test_an_opposite() -> None:
    assert opposite("Sales rose.", ["Sales fell."]) == ("rose", "fell")
    assert opposite("Sales fell.", ["Sales rose."]) == ("fell", "rose")
    assert opposite("Sales rose.", ["Sales rose, costs fell."]) is None
    assert opposite("Sales rose.", ["Sales were high."]) is None


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("You can grow your own herbs.", "Growing your own herbs doesn't have to be hard."),
        ("No, it creates a liability.", "It creates a liability."),
        (
            "Never click on links that say unsubscribe.",
            "Never unsubscribe, never click on links that say unsubscribe.",
        ),
        ("Delete models that you do not need.", "Delete models that you do not expect to need."),
        ("Never click on the links.", "Avoid clicking on the links."),
        ("Not many merchants accept Discover.", "Some merchants don't accept Discover."),
        (
            "It does not usually require the renter to buy.",
            "It does not compel, nor require, to buy.",
        ),
    ],
)
def test_the_same_denied_in_other_words(words: str, source: str) -> None:
    assert not negation_differs(words, [source])
