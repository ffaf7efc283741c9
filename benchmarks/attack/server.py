"""The server under attack: started, killed with `kill -9`, started again, and watched."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx

from benchmarks.api_load import idle_program
from benchmarks.attack.seen import Seen

ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 300.0
_LOOK_EVERY = 0.2  # at health, and at what the machine takes for a program that does nothing
_WEIGH_EVERY = 1.0
_SLOWEST_HEALTH = 20.0


class Server:
    """`serve.py` in a process of its own, on one port through all its lives."""

    def __init__(self, folder: Path, port: int, environment: dict[str, str], seen: Seen) -> None:
        self.port, self.url, self.seen = port, f"http://127.0.0.1:{port}", seen
        self.log = folder / "serve.log"
        self.life = 0
        """How many times it was started."""
        # Modules compiled once are kept, as `make run` has it.
        compiled = {"PYTHONDONTWRITEBYTECODE": ""}
        self._environment = {**os.environ, **compiled, **environment, "PORT": str(port)}
        self._up = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        began = time.monotonic()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "serve.py"], cwd=ROOT, env=self._environment, stdout=log,
                stderr=log,
            )  # fmt: skip
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() - began > _START_SECONDS:
                raise RuntimeError(f"The server does not start; see {self.log}.")
            time.sleep(0.1)
        self.seen.time("start", time.monotonic() - began)
        self.life += 1
        self._up.set()

    def kill(self) -> None:
        """End it as a power cut does, and look whether it leaves processes behind."""
        assert self._process is not None
        left = tree(self._process.pid)[1:]
        self._up.clear()
        self._process.kill()
        self._process.wait()
        self.seen.count("kills")
        end = time.monotonic() + 10
        while (left := [pid for pid in left if _alive(pid)]) and time.monotonic() < end:
            time.sleep(0.1)
        if left:
            self.seen.finding("processes left after a kill", str(left))

    def stop(self) -> None:
        """End it as an operator does."""
        assert self._process is not None
        self._up.clear()
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self.seen.finding("did not stop when asked to", "SIGTERM, 60 s")
            self._process.kill()
            self._process.wait()

    def ended_by_itself(self) -> bool:
        """Whether the process is gone though nobody killed it."""
        assert self._process is not None
        return self._up.is_set() and self._process.poll() is not None

    def revive(self) -> None:
        """After it ended by itself: a finding, and another start."""
        assert self._process is not None
        self.seen.finding("ended by itself", f"status {self._process.returncode}; {self.said()}")
        self._up.clear()
        self.start()

    @property
    def up(self) -> bool:
        """Whether it answers, as far as is known."""
        return self._up.is_set()

    def wait(self, seconds: float = _START_SECONDS) -> bool:
        """Wait until it is up."""
        return self._up.wait(seconds)

    def pids(self) -> list[int]:
        """The server's process, and those that it started."""
        return tree(self._process.pid) if self._process else []

    def said(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8", "replace")[-1500:]

    def _answers(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/api/health", trust_env=False, timeout=5).is_success
        return False


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError, ValueError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += children.get(one, ())
    return found


def _alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def weigh(server: Server, seen: Seen, over: threading.Event) -> None:
    """Memory of the server and of everything that it started, until it is over."""
    while not over.wait(_WEIGH_EVERY):
        pids = server.pids() if server.up else []
        taken = [memory for pid in pids if (memory := _memory(pid)) is not None]
        if taken:
            seen.highest("server RSS MB", taken[0][0])
            seen.highest("tree RSS MB", sum(rss for rss, _ in taken))
            seen.highest("tree PSS MB", sum(pss for _, pss in taken))
            seen.highest("processes", len(taken))
            with contextlib.suppress(OSError):
                seen.highest("open files", len(os.listdir(f"/proc/{pids[0]}/fd")))


def _memory(pid: int) -> tuple[int, int] | None:
    """Megabytes: resident, and with what is shared counted once."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return None
    kilobytes = {line.partition(":")[0]: int(line.split()[1]) for line in lines}
    return kilobytes.get("Rss", 0) // 1024, kilobytes.get("Pss", 0) // 1024


def watch(server: Server, seen: Seen, over: threading.Event) -> None:
    """How long health takes while the server is up, and a program beside it that does nothing."""
    with idle_program() as idle, httpx.Client(trust_env=False, timeout=_SLOWEST_HEALTH) as client:
        while not over.wait(_LOOK_EVERY):
            seen.time("a program that does nothing", _timed(client, idle))
            if not server.up:
                continue
            life, began = server.life, time.monotonic()
            try:
                answered = _timed(client, f"{server.url}/api/health")
            except httpx.TransportError as error:
                if server.up and server.life == life:
                    seen.finding("health did not answer", repr(error))
                    seen.time("health", time.monotonic() - began)
                continue
            if server.up and server.life == life:
                seen.time("health", answered)


def _timed(client: httpx.Client, address: str) -> float:
    began = time.monotonic()
    client.get(address).raise_for_status()
    return time.monotonic() - began


def keys_of(folder: Path, people: list[str]) -> dict[str, str]:
    """A key for each person, made before the server is started for the first time."""
    from core.access.keys import Keys
    from core.access.owners import Owners
    from core.config import Settings
    from core.storage.catalogue import Catalogue

    catalogue = Catalogue(Settings(data_dir=folder / "data", chroma_dir=folder / "chroma"))
    keys, owners = Keys(catalogue), Owners(catalogue)
    made = {who: keys.create(owners.for_token(who), "attack") for who in people}
    catalogue.close()
    return made
