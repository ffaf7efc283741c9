"""A full disk: said, everything stays readable, deleting works, and with space all goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.config import Settings
from core.service import Service
from core.types import AddOutcome, Session
from tests.conftest import ROOT

pytestmark = pytest.mark.F07


@pytest.mark.long
@pytest.mark.parametrize("megabytes", [24, 28, 32, 36, 40, 48, 56, 64])
def test_filled_to_the_last_byte(tmp_path: Path, megabytes: int) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount", sys.executable]
    command += ["-m", "tests.storage.files.full_disk", str(tmp_path), str(megabytes)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    seen = json.loads(done.stdout)
    said = " ".join(seen["said"])
    assert "space" in said or "full" in said
    assert seen["found while full"] == 3
    assert seen["listed while full"]
    assert seen["removed while full"] == ""
    assert seen["states with space"] == ["ready"]
    assert seen["found with space"] == 3
    assert seen["troubles"] == []
    assert not seen["still there"]
    assert seen["session removed"] == ""


def test_too_little_space_is_said_before_anything_is_stored(
    service: Service, session: Session, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.stores.originals, "_min_free", 10**18)
    result = service.documents.add_file(session, "a.txt", b"Some text.")
    assert result.outcome is AddOutcome.FAILED
    assert "MB needed" in result.reason
    assert "MB free" in result.reason
    assert "Free some space" in result.cure
    assert service.stores.originals.ids(session.id) == set()
    assert service.documents.list(session) == []
