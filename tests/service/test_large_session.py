"""A session of very many chunks: searched quickly, in bounded memory.

`CHUNKS` (100000) in the environment says how many.
"""

from __future__ import annotations

import os

import pytest

from tests.service.test_load import load

pytestmark = pytest.mark.J03

CHUNKS = os.environ.get("CHUNKS", "100000")


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_chunks() -> None:
    (seen,) = load("--big", CHUNKS)
    assert seen["errors"] == 0
    assert seen["peak MB"] < 3000
    assert seen["search, ms"]["p50"] < 2000  # on a busy machine
