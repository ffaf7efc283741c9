"""A second process on the same data directory gets a clear error at once, naming the first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryInUse
from core.storage.files.lock import DataLock
from tests.storage.files.holder import holder

pytestmark = pytest.mark.F04

OPEN = """
import sys
from pathlib import Path
from core.config import Settings
from core.errors import DataDirectoryInUse
from core.storage.files.lock import DataLock
try:
    DataLock(Settings(data_dir=Path(sys.argv[1]) / "data", chroma_dir=Path(sys.argv[1]) / "chroma"))
except DataDirectoryInUse as error:
    print(error.message)
    sys.exit(3)
"""


def test_the_second_process_is_refused(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        second = subprocess.run(
            [sys.executable, "-c", OPEN, str(tmp_path)], capture_output=True, text=True, timeout=30
        )
        assert second.returncode == 3, second.stderr
        assert f"in use by process {first.pid} on {os.uname().nodename}" in second.stdout
        assert list((tmp_path / "data").glob("*.db")) == []  # nothing was opened


def test_this_process_is_refused_at_once(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", chroma_dir=tmp_path / "chroma")
    with holder(tmp_path) as first, pytest.raises(DataDirectoryInUse, match=str(first.pid)):
        DataLock(settings)


def test_three_start_and_one_wins(tmp_path: Path) -> None:
    """Whoever comes first has it; the others end, and the winner's catalogue is whole."""
    wait = OPEN + "\nprint('mine', flush=True)\nsys.stdin.read()\n"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", wait, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    lines = [racer.stdout.readline() for racer in racers if racer.stdout]
    for racer in racers:
        racer.communicate(timeout=30)
    assert lines.count("mine\n") == 1
    assert sum("in use by process" in line for line in lines) == 2
