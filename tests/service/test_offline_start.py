"""Without a network the program starts and works, asks nobody for anything, and listens
on this machine alone. Every packet without a route is counted by the kernel."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.servers import free_port
from tests.conftest import ROOT

pytestmark = [pytest.mark.K03, pytest.mark.K04]

LOOPBACK = {"0100007F", "00000000000000000000000001000000"}


def without_network(folder: Path, *options: str) -> dict[str, Any]:
    """What was seen in a namespace with loopback alone."""
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable]
    command += ["-m", "tests.service.offline", str(folder), str(free_port()), *options]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=600, check=False
    )
    log = folder / "log.txt"
    said = log.read_text("utf-8") if log.exists() else ""
    assert done.returncode == 0, done.stderr[-3000:] + said[-3000:]
    seen: dict[str, Any] = json.loads(done.stdout)
    return {**seen, "log": said}


@pytest.mark.timeout(300)
def test_it_starts_works_and_asks_nobody(tmp_path: Path) -> None:
    seen = without_network(tmp_path)
    assert seen["page"] == 200
    assert "1874" in seen["answer"]
    assert seen["attempts"] == 0
    assert set(seen["listening"]) <= LOOPBACK
    assert "Traceback" not in seen["log"]


@pytest.mark.long
def test_it_reports_to_nobody_in_two_minutes(tmp_path: Path) -> None:
    """Libraries report late; what they would send is left nowhere in the home folder either."""
    seen = without_network(tmp_path, "watch")
    assert seen["watched"] >= 120
    assert seen["attempts"] == 0
    assert seen["left"] == []


@pytest.mark.long
def test_a_whole_visit_in_a_browser_asks_nobody(tmp_path: Path) -> None:
    """Every address that a page asks for is the server's, and every socket of the server local."""
    seen = without_network(tmp_path, "browser")
    hosts = {urlsplit(address).hostname for address in seen["browsed"]}
    assert len(seen["browsed"]) > 30
    assert hosts == {"127.0.0.1"}
    assert seen["outside"] == []
