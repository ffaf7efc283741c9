"""Questions that say only what is new."""

from __future__ import annotations

from core.planning.follow_ups.ellipsis import ellipsis


def test_the_new_part_alone() -> None:
    assert ellipsis("ok, and what about whales?") == "whales"
    assert ellipsis("and when somebody leaves?") == "when somebody leaves"
    assert ellipsis("and when does it leave?") == ""
    assert ellipsis("what about it") == ""
    assert ellipsis("ok thanks a lot. what is a mast") == ""
    assert ellipsis("und wofür wird der Mast gebraucht?") == ""


def test_what_stands_for_a_preposition_and_a_question_is_whole() -> None:
    assert ellipsis("bei wieviel grad") == ""
    assert ellipsis("and in may?") == "in may"
