"""Whatever a small model says at random, what reaches the person is well-formed."""

from __future__ import annotations

import pytest

from benchmarks.learn_extractive import Remembering
from benchmarks.small_models import measured
from core.config import Settings
from tests.support.hits import embedder


def test_a_hundred_answers_of_a_small_model(settings: Settings) -> None:
    assert measured(100, 11, Remembering(embedder()), settings) == {}


@pytest.mark.long
def test_two_thousand_answers_of_a_small_model(settings: Settings) -> None:
    assert measured(2_000, 7, Remembering(embedder()), settings) == {}
