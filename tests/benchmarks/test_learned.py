"""The benches of trees and of repeated passages, on data made by hand."""

from __future__ import annotations

import random

import numpy as np

from benchmarks import learn_trees, repeated


def asked(query: str, chance: np.random.Generator) -> learn_trees.Asked:
    """Twenty candidates, of which those whose first feature is high are right."""
    features = chance.normal(size=(20, 3)).astype(np.float32)
    units = [f"{query}-{n}" for n in range(20)]
    fused = np.linspace(1, 0, 20, dtype=np.float32)
    return learn_trees.Asked(query, units, features, fused, features[:, 0] > 1)


def test_trees_learn_what_is_right_and_order_by_it() -> None:
    chance = np.random.default_rng(1)
    sets = [[asked(f"{name}{n}", chance) for n in range(20)] for name in "ab"]
    trees = learn_trees.learn(sets)
    one = next(found for found in sets[0] if found.right.any())
    program, told, both = learn_trees.orders([one], trees)
    assert program[one.query] == one.units[:10]
    assert one.units.index(told[one.query][0]) in np.flatnonzero(one.right)
    assert set(both[one.query]) <= set(one.units)


def test_the_plain_rule_wants_the_same_numbers() -> None:
    text = "In the year 2022 the sales of the company rose by a large part to new heights again."
    assert repeated.alike([text, text.upper(), text.replace("2022", "2023")]) == [None, 0, None]


def test_the_second_version_differs_as_it_says() -> None:
    text, chance = (
        "Sales were 4,512 in the year 2022, which is rather more than before. " * 9,
        random,
    )
    for name, (first, second) in repeated.CHANGES.items():
        made = [change(text, 3, chance.Random(2)) for change in (first, second)]
        assert (made[0] == made[1]) == (name == "copied")
    assert "page 6" in repeated.edges(text, 3, random.Random(1))
