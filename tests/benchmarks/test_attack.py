"""The mixed attack notices what it looks for: a loss, a leak, what came back, an odd status."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from benchmarks.attack.__main__ import report, table
from benchmarks.attack.files import HOSTILE, nonce
from benchmarks.attack.parties import Asker, Stranger, text_with
from benchmarks.attack.seen import Seen, planted, spread
from benchmarks.attack.server import tree


def server() -> Any:
    """A server that is up, at an address that nobody asks."""
    return SimpleNamespace(url="http://127.0.0.1:1", life=1, up=True, wait=lambda: True)


def asker(answer: httpx.Response) -> Asker:
    """Somebody who is always given this answer."""
    made = Asker("ada", "key", server(), Seen(), random.Random(1), session="s")
    made.__dict__["client"] = httpx.Client(
        base_url="http://test", transport=httpx.MockTransport(lambda _: answer)
    )
    return made


def test_a_word_of_somebody_else_is_a_leak() -> None:
    person = asker(httpx.Response(200, text=f"{planted('ada', 1)} {planted('bob', 2)}"))
    person.send("GET", "/sessions")
    assert person.seen.found("leaks") == 1
    assert person.seen.findings["leaks"] == ["ada was told Zbob000002Z by GET /sessions"]


@pytest.mark.parametrize(
    ("status", "headers", "found"),
    [(200, {}, 0), (404, {}, 0), (500, {}, 1), (503, {}, 1), (503, {"Retry-After": "5"}, 0)],
)
def test_what_is_neither_2xx_nor_4xx_is_told(
    status: int, headers: dict[str, str], found: int
) -> None:
    person = asker(httpx.Response(status, headers=headers))
    person.send("GET", "/sessions")
    assert person.seen.found("neither 2xx nor 4xx") == found


def test_what_is_lost_and_what_comes_back() -> None:
    person = asker(httpx.Response(200))
    person.kept, person.removed = {"a": "x", "b": "y"}, {"c", "d"}
    person.compare([{"name": "a"}, {"name": "c"}])
    assert (person.seen.found("lost"), person.seen.found("came back")) == (1, 1)
    person.compare([{"name": "a"}, {"name": "c"}])  # each is told once
    assert (person.seen.found("lost"), person.seen.found("came back")) == (1, 1)


def test_a_request_that_a_kill_cuts_is_no_finding() -> None:
    person = asker(httpx.Response(200))
    person.__dict__["client"] = httpx.Client(base_url="http://test", transport=Broken(person))
    person.send("GET", "/sessions")
    assert person.seen.counts["cut by a kill"] == 1
    assert not person.seen.findings
    person.__dict__["client"] = httpx.Client(base_url="http://test", transport=Broken(None))
    person.send("GET", "/sessions")
    assert person.seen.found("no answer") == 1


class Broken(httpx.BaseTransport):
    """A connection that breaks, perhaps as the server of somebody is killed."""

    def __init__(self, killed: Asker | None) -> None:
        self.killed = killed

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.killed is not None:
            self.killed.server.life += 1
        raise httpx.ReadError("closed")


def test_a_door_that_opens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = Stranger("x", "", server(), Seen(), random.Random(3))
    stranger.__dict__["client"] = httpx.Client(
        transport=httpx.MockTransport(lambda _: httpx.Response(200))
    )
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr(stranger, "_handshake", lambda: None)
    for _ in range(10):
        stranger.act()
    assert stranger.seen.found("strangers let in") == stranger.seen.counts["tries of strangers"] > 0


def test_every_hostile_file_is_made_and_is_new_each_time() -> None:
    chance = random.Random(1)
    small = [name for name in HOSTILE if name not in ("bomb.docx", "flate.pdf")]
    for name in small:
        data = HOSTILE[name](chance)
        assert nonce(data, chance) != nonce(data, chance) or name == "empty.txt"


def test_the_figures(tmp_path: Path) -> None:
    seen = Seen()
    for number in range(200):
        seen.time("health", number / 1000)
        seen.time("a program that does nothing", 0.001)
    seen.count("status 200", 7)
    seen.finding("lost", "a")
    found = report(seen, 1.0, "Traceback (most recent call last)")
    assert (found["lost"], found["leaks"], found["tracebacks in the log"]) == (1, 0, 1)
    assert cast(Any, found["milliseconds"])["health"]["worst"] == 199
    head, line, row = table(found, seen).splitlines()
    assert head.count("|") == line.count("|") == row.count("|")
    assert spread([1.0]) == {"count": 1}


def test_the_tree_of_a_process_has_itself_first() -> None:
    import os

    assert tree(os.getpid())[0] == os.getpid()


def test_a_text_says_its_word_first() -> None:
    assert planted("ada", 7) in text_with(planted("ada", 7), "ada-7", 3).splitlines()[0]
