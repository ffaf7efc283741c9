"""Replicas of the real program on one database and one shared folder, to be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx

from core.access.keys import Keys
from core.access.owners import Owners
from core.config import Settings
from core.maintenance.checking import check
from core.storage.catalogue import Catalogue
from core.storage.stores import open_stores
from tests.browser.servers import ROOT, free_port
from tests.conftest import eventually, settings_in

_STARTING = 600  # seconds; on an idle machine it is 5


@dataclass
class Replica:
    """One process; its port stays the same when it is started again."""

    name: str
    folder: Path
    database_url: str
    values: dict[str, str]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin; it does not wait until the process answers."""
        assert self.process is None
        own = {
            "DATA_DIR": str(self.folder / self.name),
            "DATABASE_URL": self.database_url,
            "ORIGINALS_URL": str(self.folder / "shared"),
            "MODELS_DIR": str(ROOT / ".cache" / "models"),
            "RERANKER_MODEL": "",
            "MIN_FREE_MB": "1",
            "API_REQUESTS_PER_MINUTE": "0",
            "PORT": str(self.port),
            "HF_HUB_OFFLINE": "1",
            "PYTHONFAULTHANDLER": "1",
            **self.values,
        }
        with (self.folder / f"{self.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "serve.py"],
                cwd=ROOT,
                env={**os.environ, **own},
                stdout=log,
                stderr=log,
            )

    def is_ready(self) -> bool:
        """Whether it answers, and all of it is there."""
        assert self.process is not None
        assert self.process.poll() is None, self.said()
        try:
            return httpx.get(f"{self.url}/api/ready", trust_env=False, timeout=5).is_success
        except httpx.TransportError:
            return False

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process; nothing happens where it does not run."""
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(how)
            process.wait(60)

    def said(self) -> str:
        return (self.folder / f"{self.name}.log").read_text("utf-8")


@contextmanager
def replicas(
    folder: Path, database_url: str, names: Sequence[str] = ("first", "second"), **values: str
) -> Iterator[list[Replica]]:
    """Processes that begin together, once all are ready; all of them end with the block."""
    (folder / "shared").mkdir(exist_ok=True)
    with ExitStack() as ended:
        made = [Replica(name, folder, database_url, values) for name in names]
        for one in made:
            ended.callback(one.end)
            one.start()
        wait_ready(made)
        yield made


def wait_ready(these: Sequence[Replica]) -> None:
    """Wait until all are ready."""
    for one in these:
        if not eventually(one.is_ready, _STARTING):
            one.end(signal.SIGABRT)  # its threads are in its log then
            raise AssertionError(one.said())


def settings_beside(folder: Path, url: str, originals: str = "") -> Settings:
    """Settings with which this process works beside the replicas."""
    shared = originals or str(folder / "shared")
    return settings_in(folder / "beside", database_url=url, originals_url=shared)


def key_of_somebody(folder: Path, url: str) -> str:
    """A key to the API, of one and the same person."""
    with closing(Catalogue(settings_beside(folder, url))) as catalogue:
        return Keys(catalogue).create(Owners(catalogue).for_token("somebody"), "Test")


class Client:
    """A program that uses the API at an address, with a key."""

    def __init__(self, url: str, key: str, **options: Any) -> None:
        self.http = httpx.Client(
            base_url=f"{url}/api",
            headers={"Authorization": f"Bearer {key}"},
            **{"trust_env": False, "timeout": 60, **options},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def session(self, name: str = "Shared") -> str:
        made = self.http.post("/sessions", json={"name": name})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def add(self, session: str, files: dict[str, str]) -> set[str]:
        """Upload files in one request; the names of those that were acknowledged."""
        given = [("files", (name, text)) for name, text in files.items()]
        came = self.http.post("/ingest-files/", files=given, data={"session_id": session})
        assert came.status_code == 202, came.text
        return {one["name"] for one in came.json()["results"]}

    def states(self, session: str) -> dict[str, str]:
        return {one["label"]: one["state"] for one in self.documents(session)}

    def documents(self, session: str) -> list[dict[str, Any]]:
        """All of them; a request gives some."""
        found: list[dict[str, Any]] = []
        while True:
            asked = {"offset": len(found), "limit": 5000}
            came = self.http.get(f"/sessions/{session}/documents", params=asked)
            assert came.status_code == 200, came.text
            found += came.json()["documents"]
            if len(found) >= came.json()["total"]:
                return found

    def settled(self, session: str, seconds: float = 120) -> dict[str, str]:
        """The states once nothing waits or is read."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            states = self.states(session)
            if set(states.values()) <= {"ready", "failed", "stopped"}:
                return states
            time.sleep(0.2)
        raise AssertionError(states)

    def answer(self, session: str, question: str) -> str:
        asked = self.http.post("/query", json={"session_id": session, "question": question})
        assert asked.status_code == 200, asked.text
        return str(asked.json()["answer"])


def disagreements(folder: Path, url: str, originals: str = "") -> list[str]:
    """What a check of everything finds."""
    with closing(open_stores(settings_beside(folder, url, originals))) as stores:
        return [str(found) for found in check(stores)]
