"""Many sessions, and sessions that come and go: files, memory and disk stay bounded.

`SESSIONS` (1000) and `CYCLES` (500) in the environment say how many.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.storage.vectors.chroma.client import OPEN_INDEXES
from tests.conftest import ROOT

pytestmark = [pytest.mark.F14, pytest.mark.F15]

SESSIONS = int(os.environ.get("SESSIONS", "1000"))
CYCLES = int(os.environ.get("CYCLES", "500"))


def in_its_own_process(*arguments: object) -> dict[str, Any]:
    """What it costs."""
    command = [sys.executable, "-m", "tests.service.many", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=3000, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    print(done.stdout)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_thousand_on_disk_a_fifth_in_use(tmp_path: Path) -> None:
    seen = in_its_own_process(tmp_path, SESSIONS, SESSIONS // 5)
    assert seen["found"] == seen["asked"] >= SESSIONS // 5
    for when in ("made", "start", "used"):
        assert seen[when]["files"] < 900, when
        assert seen[when]["MB"] < 1500, when


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_sessions_that_come_and_go(tmp_path: Path) -> None:
    first, *_, last = in_its_own_process(tmp_path, "churn", CYCLES)["seen"][1:]
    assert last["disk MB"] <= first["disk MB"] * 1.1 + 1
    assert last["threads"] <= first["threads"] + 5
    # Chroma remembers 128 indexes, deleted ones too, until others take their place.
    assert last["files"] <= first["files"] + 3 * OPEN_INDEXES
    assert last["MB"] <= first["MB"] * 1.1 + 3 * OPEN_INDEXES
