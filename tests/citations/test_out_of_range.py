"""Numbers that name no source are removed, whatever their spelling; nothing crashes."""

from __future__ import annotations

import re

import pytest

from core.citations.stream import CitationStream
from tests.support.hits import renumber

pytestmark = pytest.mark.D07

ROW = "[Source 99] [0] [-1] [1][1][1] [1, 2; 9] 【3】 [source: x.pdf]"


@pytest.mark.parametrize("count", [0, 1, 2, 3, 12])
def test_only_given_sources_are_cited(count: int) -> None:
    result = renumber(f"So it is {ROW} in the end.", count)
    shown = [int(n) for n in re.findall(r"\[(\d+)\]", result.text)]
    assert set(result.cited) == {n for n in (1, 2, 3, 9) if n <= count}
    assert set(shown) == set(range(1, len(result.cited) + 1))
    assert result.text.startswith("So it is")
    assert result.text.endswith("in the end.")
    assert "99" not in result.text
    assert "x.pdf" not in result.text


def test_also_while_it_streams() -> None:
    stream = CitationStream.of(2)
    shown = "".join(stream.feed(ch) for ch in ROW) + stream.finish()
    assert shown == renumber(ROW, 2).text
    assert stream.removed == 5
