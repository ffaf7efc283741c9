"""Named settings of a search."""

from __future__ import annotations

import pytest

from core.retrieval.presets import CHUNKS, PRESETS
from core.types import SearchOptions


@pytest.mark.parametrize("name", PRESETS)
def test_each_keeps_fewer_than_it_takes(name: str) -> None:
    options = PRESETS[name]
    sides = 2 if options.mode == "hybrid" else 1
    assert 1 <= options.top_k <= options.fetch_k <= sides * options.candidates


def test_the_balanced_one_is_the_default() -> None:
    assert PRESETS["balanced"] == SearchOptions()


def test_every_other_system_says_how_it_cuts() -> None:
    assert set(CHUNKS) == set(PRESETS) - {"balanced"}
    assert all(0 <= overlap < size for size, overlap in CHUNKS.values())
