"""Killed at random moments of mixed work: nothing acknowledged is lost or half there.

`KILLS` in the environment says how often (50).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.scraper.crawling import text_page
from tests.scraper.site import Reply, serving

pytestmark = [pytest.mark.F01, pytest.mark.J06]

KILLS = int(os.environ.get("KILLS", "50"))


def numbered(path: str, _: Mapping[str, str]) -> Reply:
    """A page that links to the next ones."""
    number = int(path.strip("/") or 0)
    return Reply(text_page(f"Page {number}", *(f"/{n}" for n in range(number + 1, 30)[:3])))


class Life:
    """One process from its start until it is killed, and what it said."""

    def __init__(self, folder: Path, seed: int, site: str, host: str, known: Known) -> None:
        expected = json.dumps({"added": sorted(known.added), "removed": sorted(known.removed)})
        arguments = [str(folder / "data"), str(folder / "chroma"), str(seed), site, host, expected]
        self.errors = folder / f"errors-{seed}.txt"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.service.mixer", *arguments],
                cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in iter(self.process.stdout.readline, ""):
            if line.endswith("\n"):  # the last one may have been cut by the kill
                self.lines.append(line.strip())

    def until(self, word: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if any(line.startswith(word) for line in self.lines):
                return True
            time.sleep(0.02)
        return any(line.startswith(word) for line in self.lines)

    def goes_on(self, lines: int, seconds: float) -> None:
        """Wait until it has said so many lines more: on a busy machine that takes longer."""
        wanted, end = len(self.lines) + lines, time.monotonic() + seconds
        while len(self.lines) < wanted and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.02)

    def kill(self) -> list[str]:
        self.process.kill()
        self.process.wait()
        self._reader.join(10)
        assert self.process.stdout
        self.process.stdout.close()
        return self.lines


class Known:
    """What has been acknowledged in all lives."""

    def __init__(self) -> None:
        self.added: set[str] = set()
        self.removed: set[str] = set()

    def learn(self, lines: list[str]) -> None:
        for line in lines:
            word, _, name = line.partition(" ")
            if word == "added":
                self.added.add(name)
            elif word == "removing":  # whether it is done is not known until "removed"
                self.added.discard(name)
            elif word == "removed":
                self.removed.add(name)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_killed_again_and_again(tmp_path: Path) -> None:
    chance, known, proofs = random.Random(7), Known(), 0
    with serving({"/robots.txt": ""}, rest=numbered) as site:
        for number in range(KILLS + 1):
            life = Life(tmp_path, number, site.url, site.host, known)
            proved = life.until("proved", 400)
            if proved and number < KILLS:
                life.goes_on(chance.randrange(40), 30.0)
                time.sleep(chance.uniform(0.0, 0.3))
            elif number % 5 == 4:  # in the middle of the start, too
                time.sleep(chance.uniform(0.0, 2.0))
            known.learn(life.kill())
            assert proved, f"life {number}: {life.errors.read_text()[-3000:]}"
            proofs += 1
    assert proofs == KILLS + 1
    assert known.added
    assert known.removed
