"""Sharing places among queries: nothing twice, nothing lost, halves."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from core.retrieval.interleave import alternating, interleave, shares

LISTS = st.lists(st.lists(st.integers(0, 40), max_size=12), max_size=5)
PLACES = st.integers(0, 30)


def same(item: int) -> int:
    return item


@settings(derandomize=True, max_examples=300)
@given(LISTS, PLACES)
def test_nothing_twice_nothing_more_nothing_left_out(lists: list[list[int]], places: int) -> None:
    filled = interleave(lists, places, same)
    every = {item for items in lists for item in items}
    assert len(set(filled)) == len(filled)
    assert set(filled) <= every
    assert len(filled) == min(places, len(every))


@settings(derandomize=True, max_examples=300)
@given(st.integers(1, 6), PLACES)
def test_shares_add_up_and_never_grow(lists: int, places: int) -> None:
    found = shares(lists, places)
    assert sum(found) == places
    assert len(found) == lists
    assert all(a >= b for a, b in itertools.pairwise(found))
    assert lists == 1 or found[0] == (places + 1) // 2


@settings(derandomize=True, max_examples=200)
@given(st.integers(2, 5), st.integers(1, 24))
def test_lists_without_anything_in_common_get_their_shares(lists: int, places: int) -> None:
    apart = [[100 * number + n for n in range(places)] for number in range(lists)]
    filled = interleave(apart, places, same)
    counts = [sum(1 for item in filled if item // 100 == number) for number in range(lists)]
    assert counts == shares(lists, places)


@settings(derandomize=True, max_examples=200)
@given(LISTS, PLACES)
def test_the_order_within_a_list_stays(lists: list[list[int]], places: int) -> None:
    apart = [[100 * number + item for item in items] for number, items in enumerate(lists)]
    filled = interleave(apart, places, same)
    for number, items in enumerate(apart):
        mine = [item for item in filled if item // 100 == number]
        assert mine == list(dict.fromkeys(items))[: len(mine)]


def test_what_a_short_list_leaves_goes_to_the_others() -> None:
    assert interleave([[1], [2, 3, 4, 5, 6]], 4, same) == [1, 2, 3, 4]
    assert interleave([[1, 2, 3, 4], [1, 2], []], 4, same) == [1, 2, 3, 4]


def test_a_repeated_item_is_counted_for_the_first_list() -> None:
    assert interleave([[1, 2], [2, 3, 4]], 4, same) == [1, 2, 3, 4]


@settings(derandomize=True, max_examples=200)
@given(LISTS)
def test_alternating_keeps_everything_once(lists: list[list[int]]) -> None:
    merged = alternating(lists, same)
    assert len(merged) == len(set(merged))
    assert set(merged) == {item for items in lists for item in items}
