"""Questions after the reason of what was told."""

from __future__ import annotations

from core.planning.follow_ups.completing import whole
from tests.planning.follow_ups.conversations import talk

HISTORY = talk(("how much money did Northstar lose in 2015", "Northstar lost 2 million."))


def test_why_it_changed_is_asked_of_what_was_told_and_not_of_its_name_alone() -> None:
    reading = whole("why did it get so much worse", HISTORY)
    assert reading is not None
    assert reading.goal == "why did it get so much worse (money Northstar lose 2015)"
    reading = whole("why did it sell the harbour", HISTORY)
    assert reading is not None
    assert "money" not in reading.carried


def test_a_reason_without_a_predicate_is_asked_of_what_was_told() -> None:
    history = talk(("what is the capital of Oz", "Its capital is Ems."))
    reading = whole("why not Linz?", history)
    assert reading is not None
    assert reading.goal == "why not Linz? (capital Oz)"
