"""Ten thousand marks in a row: linear time, no memory, and nothing of them is shown."""

from __future__ import annotations

import time

import pytest

from core.citations.stream import CitationStream

pytestmark = pytest.mark.D08


def test_ten_thousand_marks() -> None:
    stream = CitationStream.of(3)
    began = time.thread_time()
    shown = "".join(stream.feed("[Source 99]") for _ in range(10_000)) + stream.finish()
    assert time.thread_time() - began < 10
    assert shown == ""
    assert stream.removed == 10_000


def test_the_same_known_mark_for_ever_is_one() -> None:
    stream = CitationStream.of(3)
    shown = "".join(stream.feed("[Source 2] ") for _ in range(10_000)) + stream.finish()
    assert shown.strip() == "[1]"
