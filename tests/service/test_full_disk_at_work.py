"""A disk that runs full in the middle of each kind of work: said, nothing lost, and all goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.service.full_disk_at_work import KINDS

pytestmark = pytest.mark.F27


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What was said of each kind, and what went wrong."""
    command = ["unshare", "--user", "--map-root-user", "--mount", sys.executable]
    command += ["-m", "tests.service.full_disk_at_work", str(tmp_path_factory.mktemp("full"))]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=1800, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.long
@pytest.mark.parametrize("kind", [*KINDS, "restore"])
def test_each_kind_of_work(seen: dict[str, dict[str, Any]], kind: str) -> None:
    assert seen[kind]["fault"] == ""
    said = " ".join(seen[kind]["said"])
    assert "disk" in said, "what happened is named"
    assert "damaged" not in said, "nothing is"
