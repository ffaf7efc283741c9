"""The field of a record that a question names."""

from __future__ import annotations

import pytest

from core.answering.extractive.structures.records import mark_field

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
