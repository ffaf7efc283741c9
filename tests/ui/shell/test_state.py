"""What a tab remembers of the source that is open: the search in its document."""

from __future__ import annotations

import pytest
import streamlit as st

from core.types import Match, Matches
from core.ui.shell import state

CITED = 4
PLACES = Matches((Match(1, 0, 3), Match(4, 0, 3), Match(4, 9, 12), Match(7, 0, 3)))


@pytest.fixture(autouse=True)
def tab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    state.open_evidence("sheet", "cited", 0, use=2)


def shown() -> tuple[int, int]:
    """The page that is open and the match that is shown; -1 where there is none."""
    now = state.opened("sheet")
    assert now
    return CITED + now.turned, now.search.at if now.search else -1


def test_a_search_begins_at_the_page_that_is_open_and_goes_round() -> None:
    state.find_in_document("sheet", "word", PLACES, CITED)
    seen = [shown()]
    for _ in range(4):
        state.next_match("sheet", 1, CITED)
        seen.append(shown())
    assert seen == [(4, 1), (4, 2), (7, 3), (1, 0), (4, 1)]
    for _ in range(2):
        state.next_match("sheet", -1, CITED)
    assert shown() == (7, 3)


def test_a_search_begins_anew_where_nothing_follows() -> None:
    state.turn_page("sheet", 4)
    state.find_in_document("sheet", "word", PLACES, CITED)
    assert shown() == (1, 0)


def test_without_a_match_the_page_stays() -> None:
    state.turn_page("sheet", 2)
    state.find_in_document("sheet", "word", Matches(), CITED)
    state.next_match("sheet", 1, CITED)
    assert shown() == (6, 0)


def test_the_end_of_a_search_goes_back_to_the_citation() -> None:
    state.find_in_document("sheet", "word", PLACES, CITED)
    state.next_match("sheet", -1, CITED)
    state.close_search("sheet")
    assert shown() == (CITED, -1)


def test_another_source_has_no_search() -> None:
    state.find_in_document("sheet", "word", PLACES, CITED)
    state.open_evidence("sheet", "cited", 0, use=2)
    assert shown() == (CITED, -1)
