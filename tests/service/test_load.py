"""Many sessions ask at once while documents come in, one of them greedily.

`SESSIONS` (20,50,100) and `MINUTES` (0; 60 is the soak) in the environment say how many, how long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.J01, pytest.mark.J02, pytest.mark.J05, pytest.mark.J06]

SESSIONS = os.environ.get("SESSIONS", "20,50,100")
MINUTES = os.environ.get("MINUTES", "0")


def load(*options: str) -> list[dict[str, Any]]:
    """What the benchmark saw."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *options],
        capture_output=True, text=True, cwd=ROOT, timeout=7000, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    print(done.stdout)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_all_are_answered_and_nobody_reads_another() -> None:
    for seen in load("--sessions", SESSIONS, "--chunks", "50", "--minutes", MINUTES):
        assert seen["errors"] == 0
        assert seen["of other sessions"] == 0
        assert seen["answers"] >= 2 * seen["sessions"]
        assert seen["documents read meanwhile"] > 0
        assert seen["peak MB"] < 3000
        assert seen["open files"] < 1000


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_greedy_session_waits_for_itself() -> None:
    (seen,) = load("--sessions", "20", "--chunks", "50", "--greedy")
    assert seen["errors"] == 0
    assert seen["its errors"] in (0, ["Busy"])
    assert seen["whole, ms"]["p50"] < seen["the greedy session, whole, ms"]["p50"] * 1.5
