"""What a question asks of a table: what is computed, by which column, of which rows."""

from __future__ import annotations

import pytest

from core.planning.table_questions import PRICES, Bound, Computed, table_question
from core.text.terms import content_keys


@pytest.mark.parametrize(
    ("question", "computed", "called", "words"),
    [
        ("what is the cheapest lamp", Computed.LOWEST, PRICES, "lamp"),
        ("Most expensive chair?", Computed.HIGHEST, PRICES, "chair"),
        ("who is the oldest player", Computed.HIGHEST, ("age", "alter"), "player"),
        ("the newest player", Computed.LOWEST, ("age", "alter"), "player"),
        ("which city has the highest population", Computed.HIGHEST, (), "city population"),
        ("lowest score", Computed.LOWEST, (), "score"),
        ("total stock", Computed.SUM, (), "stock"),
        ("what is the average price of furniture", Computed.MEAN, (), "price furniture"),
        ("how many lamps do you have", Computed.COUNT, (), "lamp"),
        ("list all lamps", Computed.ROWS, (), "lamp"),
        ("Wie viele Lampen gibt es?", Computed.COUNT, (), "lampen"),
        ("das billigste Produkt", Computed.LOWEST, PRICES, "produkt"),
    ],
)
def test_what_is_computed(
    question: str, computed: Computed, called: tuple[str, ...], words: str
) -> None:
    found = table_question(question)
    assert found is not None
    assert found.columns[0] == (computed, called)
    assert set(content_keys(words)) <= found.keys
    assert found.bound is None


@pytest.mark.parametrize(
    ("question", "bound", "computed", "called"),
    [
        ("products under 50 euros", Bound("<", 50.0), Computed.ROWS, PRICES),
        ("what costs more than $1,250.50", Bound(">", 1250.5), Computed.ROWS, PRICES),
        ("how many cost at most 9 euros", Bound("<=", 9.0), Computed.COUNT, PRICES),
        ("players with a score of at least 7", Bound(">=", 7.0), Computed.ROWS, ()),
        ("lamps under 40 euros in stock", Bound("<", 40.0), Computed.ROWS, PRICES),
        ("lamps cheaper than 40", Bound("<", 40.0), Computed.ROWS, PRICES),
    ],
)
def test_what_a_number_must_be(
    question: str, bound: Bound, computed: Computed, called: tuple[str, ...]
) -> None:
    found = table_question(question)
    assert found is not None
    assert found.bound == bound
    assert found.columns[0] == (computed, called)


def test_in_which_year_is_asked_for_and_not_the_highest_year() -> None:
    found = table_question("in which year were there the most ducks")
    assert found is not None
    assert found.columns[0][0] is Computed.HIGHEST
    assert found.keys == frozenset(content_keys("ducks"))


def test_what_is_left_in_stock() -> None:
    out, left = table_question("what is out of stock?"), table_question("which are in stock?")
    assert out is not None
    assert left is not None
    assert (out.bound, left.bound) == (Bound("=", 0.0), Bound(">", 0.0))
    assert "stock" in out.columns[0][1]


def test_the_words_that_say_what_a_row_is() -> None:
    for question in (
        "which products are out of stock",
        "the cheapest product",
        "how many products",
    ):
        found = table_question(question)
        assert found is not None
        assert found.subject == set(content_keys("product"))


@pytest.mark.parametrize(
    "question",
    ["when was the town founded?", "when did it open", "why is the sky blue", "price of the desk"],
)
def test_nothing_to_compute(question: str) -> None:
    assert table_question(question) is None


def test_what_somebody_earns_and_where_they_are() -> None:
    earns, lives = table_question("how much does ana earn"), table_question("where does ana live?")
    assert earns is not None
    assert lives is not None
    assert "salary" in earns.columns[0][1]
    assert "town" in lives.columns[0][1]
    assert earns.keys == lives.keys == set(content_keys("ana"))


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("who works in leeds?", "leeds"),
        ("so who is the designer", "designer"),
        ("who's in leeds", "leeds"),
    ],
)
def test_who_asks_for_somebody(question: str, keys: str) -> None:
    found = table_question(question)
    assert found is not None
    assert found.who
    assert found.columns[0][0] is Computed.ROWS
    assert found.keys == set(content_keys(keys))
