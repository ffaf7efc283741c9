"""Two processes killed in turn while documents are added, removed and asked about.

`KILLS` in the environment says how often (10), `SEED` which of them and when.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from tests.conftest import ENDED_TWICE
from tests.grown.replicas import (
    Client,
    Replica,
    disagreements,
    key_of_somebody,
    replicas,
    wait_ready,
)

pytestmark = [
    pytest.mark.grown,
    pytest.mark.long,
    pytest.mark.F01,
    pytest.mark.F28,
    pytest.mark.timeout(3600),
]

KILLS = int(os.environ.get("KILLS", "10"))
SEED = int(os.environ.get("SEED", "7"))
BUSY = (429, 503)


def text_of(number: int) -> str:
    lines = "\n\n".join(f"Line {line} of pier {number} says little." for line in range(40))
    return f"The code of pier {number} is K{number:05}.\n\n{lines}"


@dataclass
class Load:
    """What some programs do at once, and what was acknowledged to them."""

    clients: list[Client]
    session: str
    added: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)
    answered: int = 0
    wrong: list[str] = field(default_factory=list)
    ending: Event = field(default_factory=Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [Thread(target=work) for work in (self.add, self.add_and_remove, self.ask)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.ending.set()
            for thread in threads:
                thread.join()

    def add(self) -> None:
        chance, number = random.Random(1), 0
        while not self.ending.wait(0.3):
            number += 1
            if self._taken_in(self._asked(chance, "POST", "/ingest-files/", **self._file(number))):
                self.added.add(number)

    def add_and_remove(self) -> None:
        chance, number = random.Random(2), 50_000
        while not self.ending.wait(0.5):
            number += 1
            document = self._taken_in(
                self._asked(chance, "POST", "/ingest-files/", **self._file(number))
            )
            if not document:
                continue
            place = f"/sessions/{self.session}/documents/{document}"
            if self._acknowledged(chance, "DELETE", place) == 204:  # or nobody knows
                self.removed.add(number)

    def ask(self) -> None:
        chance = random.Random(3)
        while not self.ending.wait(0.2):
            known = sorted(self.added)
            if not known:
                continue
            asked = {
                "session_id": self.session,
                "question": f"What is the code of pier {chance.choice(known)}?",
            }
            if self._acknowledged(chance, "POST", "/query", json=asked) == 200:
                self.answered += 1

    def _file(self, number: int) -> dict[str, object]:
        files = [("files", (f"{number}.txt", text_of(number)))]
        return {"files": files, "data": {"session_id": self.session}}

    def _taken_in(self, came: httpx.Response | None) -> str:
        """The id of the document that an upload became, "" where it was not acknowledged."""
        if came is None or came.status_code != 202:
            return ""
        (result,) = came.json()["results"]
        if result["outcome"] == "failed":
            self.wrong.append(f"{result['name']}: {result['reason']}")
            return ""
        return str(result["document"]["id"])

    def _acknowledged(self, chance: random.Random, how: str, path: str, **sent: object) -> int:
        came = self._asked(chance, how, path, **sent)
        return 0 if came is None else came.status_code

    def _asked(
        self, chance: random.Random, how: str, path: str, **sent: object
    ) -> httpx.Response | None:
        """An answer of one of the processes, None where it is away."""
        try:
            came = chance.choice(self.clients).http.request(how, path, **sent)
        except httpx.TransportError:
            return None
        if came.is_error and came.status_code not in BUSY:
            self.wrong.append(f"{how} {path}: {came.text}")
        return came


@pytest.mark.parametrize("place", ["folder", "bucket"])
def test_killed_again_and_again(
    place: str, tmp_path: Path, database: str, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(SEED)
    own = {"ORIGINALS_URL": request.getfixturevalue("bucket")} if place == "bucket" else {}
    with replicas(tmp_path, database, MAX_FILES="100000", **own) as both:
        key = key_of_somebody(tmp_path, database)
        with Client(both[0].url, key) as one, Client(both[1].url, key) as other:
            load = Load([one, other], one.session())
            with load.running():
                for _ in range(KILLS):
                    kill_one(chance, both)
            wait_ready(both)
            states = settled(one, load.session)
            assert load.wrong == []
            assert load.answered > 0
            names = {f"{number}.txt" for number in load.added}
            assert names <= states.keys()
            assert states.keys().isdisjoint({f"{number}.txt" for number in load.removed})
            assert set(states.values()) == {"ready"}
            last = max(load.added)
            assert f"K{last:05}" in other.answer(load.session, f"What is the code of pier {last}?")
        assert disagreements(tmp_path, database, own.get("ORIGINALS_URL", "")) == []
    done = f"{len(load.added)} added, {len(load.removed)} removed, {load.answered} answered"
    print(f"{KILLS} kills: {done}")


def kill_one(chance: random.Random, both: list[Replica]) -> None:
    """Kill one that works beside another one, or both, and begin it again."""
    time.sleep(chance.uniform(0.0, 3.0))
    killed = both if chance.random() < 0.1 else [chance.choice(both)]
    for one in killed:
        one.end()
    time.sleep(chance.uniform(0.0, 2.0))
    for one in killed:
        one.start()
    wait_ready(killed)


def settled(client: Client, session: str) -> dict[str, str]:
    """The states at the end; what was in work at two kills is tried again, as its cure says."""
    client.settled(session, 600)
    for one in client.documents(session):
        if one["state"] == "failed" and one["reason"].startswith(ENDED_TWICE):
            client.http.post(f"/sessions/{session}/documents/{one['id']}/retry")
    return client.settled(session, 600)
