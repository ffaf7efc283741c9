"""When the owner is killed, the next start takes over: the kernel frees the lock."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.storage.files.lock import LOCK_NAME, DataLock
from tests.storage.files.holder import holder

pytestmark = pytest.mark.F06


def settings(folder: Path) -> Settings:
    return Settings(data_dir=folder / "data", chroma_dir=folder / "chroma")


def test_the_next_start_takes_over(tmp_path: Path) -> None:
    with holder(tmp_path, "catalogue") as first:
        first.kill()
        first.wait()
        left = json.loads((tmp_path / "data" / LOCK_NAME).read_text())
        assert left["pid"] == first.pid  # the file is still there, and means nothing
        with DataLock(settings(tmp_path)):
            owner = json.loads((tmp_path / "data" / LOCK_NAME).read_text())
            assert owner["pid"] == os.getpid()
            catalogue = Catalogue(settings(tmp_path))
            (session,) = catalogue.sessions.list(catalogue.owners.find("a" * 64) or "")
            assert session.name == "acknowledged"
            catalogue.close()


def test_a_child_that_lives_on_does_not_keep_it(tmp_path: Path) -> None:
    with holder(tmp_path, "child") as first:
        deadline = time.monotonic() + 10
        while not (tmp_path / "child").is_file() or not (tmp_path / "child").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        child = int((tmp_path / "child").read_text())
        first.kill()
        first.wait()
        try:
            os.kill(child, 0)  # it is alive
            DataLock(settings(tmp_path)).release()
        finally:
            os.kill(child, signal.SIGKILL)
