"""The estimate of tokens: careful, monotonous, and never below what a text takes at least."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.token_estimate import estimate, least


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [  # counts of six vocabularies: the thriftiest and the costliest
        ("The quick brown fox jumps over the lazy dog.", 10, 12),
        ("Die Donaudampfschifffahrtsgesellschaft wurde 1829 in Wien gegründet.", 18, 24),
        ("12345678", 1, 9),
        ("数字化图书馆", 2, 7),
        ("Москва является столицей России", 5, 17),
    ],
)
def test_the_true_counts_lie_between(text: str, fewest: int, most: int) -> None:
    assert least(text) <= fewest
    assert most <= estimate(text)


@settings(max_examples=200, derandomize=True)
@given(st.text(max_size=300), st.text(max_size=50))
def test_more_text_is_never_fewer_tokens(text: str, more: str) -> None:
    assert 0 <= least(text) <= 2 * estimate(text) + 1
    assert estimate(text) <= estimate(text + more)
    assert estimate(text) + estimate(more) >= estimate(text + more)
