"""Named settings of a search."""

from __future__ import annotations

import pytest

from core.retrieval.presets import PRESETS, Preset
from core.types import Cutting, SearchOptions


@pytest.mark.parametrize("name", PRESETS)
def test_each_keeps_fewer_than_it_takes(name: str) -> None:
    options = PRESETS[name].search
    sides = 2 if options.mode == "hybrid" else 1
    assert 1 <= options.top_k <= options.fetch_k <= sides * options.candidates


def test_the_balanced_one_is_the_default() -> None:
    assert PRESETS["balanced"] == Preset(SearchOptions())


def test_every_other_system_says_how_it_cuts() -> None:
    cuttings = {name: preset.cutting for name, preset in PRESETS.items()}
    assert cuttings.pop("balanced") == Cutting()
    assert all(0 <= (one.overlap or 0) < (one.size or 0) for one in cuttings.values())
    assert len(set(cuttings.values())) == len(cuttings)


def test_what_the_systems_are_described_with() -> None:
    documents = PRESETS["documents"].search
    assert (documents.top_k, documents.fetch_k, documents.mmr_lambda) == (7, 30, 0.5)
    assert documents.mmr == "plain"
    assert {name for name, one in PRESETS.items() if one.search.rerank_weight == 1.0} == {
        "stack-overflow",
        "live-web",
    }
    assert PRESETS["python-docs"].search.min_similarity == "by-model"  # 0.7 by its own
    assert not any(p.search.join_neighbours for n, p in PRESETS.items() if n != "balanced")
