"""docs/api.md: its commands, run from top to bottom against a running server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.api import create_api
from tests.api.server import World
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
SAMPLES = ROOT / "data_main" / "samples"


@pytest.fixture
def printed(world: World, tmp_path: Path) -> str:
    """What the commands print, one after the other; one that fails ends it."""
    service = world.service
    key = service.keys.create(service.owners.for_token("reader of the docs"), "docs")
    script = "\n".join(re.findall(r"^```bash\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    script = script.replace("http://127.0.0.1:8501", world.url).replace("fn_your_key", key)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    cited = json.loads((tmp_path / "answer.json").read_text())["citations"][0]["document"]
    added = next(one / cited for one in (tmp_path, SAMPLES) if (one / cited).is_file())
    assert (tmp_path / "original.txt").read_text() == added.read_text()
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    return done.stdout


def test_the_commands_do_what_the_page_says(printed: str) -> None:
    for expected in (
        '{"status":"ok"}',
        '"state": "ready"',
        "Only http and https links can be added",
        "Reciprocal rank fusion adds 1 / (60 + rank) over all lists",
        "'support': 'verbatim'",
        "1 event: answer",
        "A pour-over needs water of 94 degrees",
        "read_page",
        '"code": "SessionNotFound"',
        "204\n204",
    ):
        assert expected in printed


def test_every_limit_that_is_named_exists() -> None:
    fields = set(create_api().openapi()["components"]["schemas"]["SearchSettings"]["properties"])
    named = PAGE[PAGE.index("`options` are") : PAGE.index("`preset` names")]
    assert set(re.findall(r"`(\w+)`", named)) - {"options"} == fields
