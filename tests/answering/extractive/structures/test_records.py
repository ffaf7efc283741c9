"""The field of a record that a question names."""

from __future__ import annotations

import pytest

from core.answering.extractive.structures.records import asked_of_row, listed_records, mark_field
from core.text.sentences import Sentence, SentenceKind, split_sentences

LINE = '"net": {"ip_address": "10.0.0.1", "hostPort": 9100, "wifi": false, "port": 1, "name": ""},'


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what is the ip address of the printer", "10.0.0.1"),
        ("which host port", "9100"),
        ("is the wifi on", "false"),
        ("the port", "1"),
        ("the address", None),
        ("the wifi and the port", None),
        ("what is its name", None),
    ],
)
def test_the_value_of_the_one_field_that_is_named(question: str, value: str | None) -> None:
    found = mark_field(question, LINE)
    assert (LINE[slice(*found)] if found else None) == value


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        ("which currency", "currency: EUR", "EUR"),
        ("is it paid", "paid: false", "false"),
        ("what is the pool size", "pool_size: 25", "25"),
        ("which currency", "shop: Cafe Linde", None),
    ],
)
def test_the_value_of_a_line_with_one_field(question: str, line: str, value: str | None) -> None:
    found = mark_field(question, line)
    assert (line[slice(*found)] if found else None) == value


ROWS = (
    "id: 1 | name: Laser | ip: 10.0.0.1 | room: 2.14 | bought: 2019-05-02",
    "id: 2 | name: Ink | ip: 10.0.0.2 | room: 3.02 | bought: 2021-11-15",
)


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("which ip has the laser", ["name: Laser", "ip: 10.0.0.1"]),
        ("room and ip of the laser", ["name: Laser", "ip: 10.0.0.1", "room: 2.14"]),
        ("what about the laser", []),
    ],
)
def test_the_fields_of_a_long_row_that_are_asked_for(question: str, fields: list[str]) -> None:
    row = Sentence(0, len(ROWS[0]), ROWS[0], SentenceKind.ROW)
    assert [one.text for one in asked_of_row(question, row)] == fields


def test_long_rows_are_listed_by_what_they_are_called() -> None:
    text = "\n".join(ROWS)
    rows = split_sentences(text)
    named = listed_records(rows)
    assert [one.text for one in named] == ["name: Laser", "name: Ink"]
    assert all(text[one.start : one.end] == one.text for one in named)
    assert listed_records(rows[:1]) == ()
