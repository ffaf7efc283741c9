"""Load on one process: clients that stream answers while files are read, and others that look in.

    python -m benchmarks.api_load [--clients 20] [--files 20] [--rounds 3] [--model]

Starts `serve.py` with directories of its own, on a free port. With `--model` the answers are
written by a stand-in for an OpenAI-compatible server, slowly; without it they quote the sources.
`/api/health` is asked every 50 ms from the first question to the last answer, and so is a program
that does nothing else than answer: what that one takes is the machine's doing. The machine counts
as free at a moment when it answers within 20 ms just before and just after.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
FREE = 0.02
QUESTIONS = (
    "What does reciprocal rank fusion add?",
    "How is a session deleted?",
    "What is nDCG?",
    "Which formats can be read?",
    "What happens when the disk is full?",
)


@contextmanager
def footnote(folder: Path, model_url: str) -> Iterator[str]:
    """A running program; gives the address of its API."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = os.environ | {
        "DATA_DIR": str(folder / "data"),
        "CHROMA_DIR": str(folder / "chroma"),
        "PORT": str(port),
        "HF_HUB_OFFLINE": "1",
        "OPENAI_URL": model_url,
        "API_REQUESTS_PER_MINUTE": "0",
        "LOG_LEVEL": "WARNING",
    }
    log = (folder / "serve.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "serve.py"], cwd=ROOT, env=environ, stdout=log, stderr=log
    )
    url = f"http://127.0.0.1:{port}/api"
    try:
        until(lambda: _answers(f"{url}/ready"), 180)
        yield url
    finally:
        process.terminate()
        process.wait(60)
        log.close()
        print("log:", (folder / "serve.log").read_text()[-600:].strip() or "empty")


def until(true: Callable[[], object], seconds: float) -> None:
    """Wait until a function gives something true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "too slow"
        time.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False, timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def ask(client: httpx.Client, session: str, question: str, model: bool) -> tuple[float, float]:
    """Stream one answer; seconds to the first event and to the last. Raises if there is none."""
    body = {"session_id": session, "question": question, "stream": True}
    if model:
        body |= {"provider": "openai", "model": "standin"}
    began, first, last = time.monotonic(), 0.0, ""
    with client.stream("POST", "/query", json=body) as response:
        assert response.status_code == 200, response.read()
        for line in response.iter_lines():
            first = first or time.monotonic() - began
            last = line.removeprefix("event: ") if line.startswith("event: ") else last
    assert last == "answer", last
    return first, time.monotonic() - began


@contextmanager
def idle_program() -> Iterator[str]:
    """A server in a process of its own that does nothing but answer."""
    code = (
        "import http.server as h\n"
        "class A(h.BaseHTTPRequestHandler):\n"
        "    protocol_version = 'HTTP/1.1'\n"
        "    def do_GET(self):\n"
        "        self.send_response(200); self.send_header('Content-Length', '0')\n"
        "        self.end_headers()\n"
        "    def log_message(self, *_): pass\n"
        "s = h.ThreadingHTTPServer(('127.0.0.1', 0), A)\n"
        "print(s.server_address[1], flush=True); s.serve_forever()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait(10)


def watch(url: str, idle: str, done: threading.Event) -> list[tuple[float, float]]:
    """Every 50 ms until `done`: seconds of `/api/health`, and of the idle program beside it."""

    def timed(client: httpx.Client, address: str) -> float:
        began = time.monotonic()
        assert client.get(address).status_code == 200
        return time.monotonic() - began

    found = []
    with httpx.Client(trust_env=False, timeout=30) as client:
        while not done.wait(0.05):
            before, health = timed(client, idle), timed(client, f"{url}/health")
            found.append((health, max(before, timed(client, idle))))
    return found


def texts(count: int) -> list[tuple[str, tuple[str, str]]]:
    """Files of about 60 KB, each different."""
    words = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    return [
        ("files", (f"file-{n}.txt", f"File number {n}.\n\n{words}\n" * 2)) for n in range(count)
    ]


def run(url: str, clients: int, files: int, rounds: int, model: bool) -> dict[str, object]:
    """The load, and what it cost."""
    with httpx.Client(base_url=url, trust_env=False, timeout=300) as client:
        session = client.post("/sessions", json={"name": "Load"}).json()["id"]
        client.post(f"/sessions/{session}/samples")
        until(lambda: _ready(client, session), 300)
        ask(client, session, QUESTIONS[0], model)  # what is loaded at the first use is loaded
        done, began = threading.Event(), time.monotonic()
        with idle_program() as idle, ThreadPoolExecutor(clients + 1) as pool:
            health = pool.submit(watch, url, idle, done)
            came = client.post("/ingest-files/", files=texts(files), data={"session_id": session})
            assert came.status_code == 202, came.text
            job = came.json()["job_id"]
            asked = [pool.submit(_client, url, session, n, rounds, model) for n in range(clients)]
            times = [pair for one in asked for pair in one.result()]
            answered = time.monotonic() - began
            until(lambda: client.get(f"/jobs/{job}").json()["done"], 600)
            read = time.monotonic() - began
            done.set()
            watched = health.result()
        states = [r["document"]["state"] for r in client.get(f"/jobs/{job}").json()["results"]]
    return {
        "answers": len(times),
        "files ready": states.count("ready"),
        "seconds until all are answered": round(answered, 1),
        "seconds until all are read": round(read, 1),
        "first event, median and worst ms": _ms([first for first, _ in times]),
        "whole answer, median and worst ms": _ms([whole for _, whole in times]),
        "health": _spread([health for health, _ in watched]),
        "health while the machine was free": _spread([h for h, idle in watched if idle < FREE]),
        "a program that does nothing": _spread([idle for _, idle in watched]),
    }


def _client(
    url: str, session: str, number: int, rounds: int, model: bool
) -> list[tuple[float, float]]:
    with httpx.Client(base_url=url, trust_env=False, timeout=600) as client:
        return [
            ask(client, session, QUESTIONS[(number + turn) % len(QUESTIONS)], model)
            for turn in range(rounds)
        ]


def _ready(client: httpx.Client, session: str) -> bool:
    found = client.get(f"/sessions/{session}/documents").json()["documents"]
    return bool(found) and all(d["state"] in ("ready", "failed") for d in found)


def _ms(seconds: list[float]) -> list[float]:
    return [round(1000 * statistics.median(seconds), 1), round(1000 * max(seconds), 1)]


def _spread(seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100)
    values = {"median ms": cuts[49], "99th percentile ms": cuts[98], "worst ms": max(seconds)}
    return {"asked": len(seconds), **{n: round(1000 * v, 1) for n, v in values.items()}}


def main() -> None:
    """Run it and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--model", action="store_true", help="a stand-in writes the answers")
    given = parser.parse_args()
    standin = _slow_model() if given.model else nullcontext("")
    with (
        tempfile.TemporaryDirectory() as name,
        standin as model_url,
        footnote(Path(name), model_url) as url,
    ):
        found = run(url, given.clients, given.files, given.rounds, given.model)
    print(json.dumps(found, indent=1))


@contextmanager
def _slow_model() -> Iterator[str]:
    from tests.standins.openai_server import OpenAIStandin
    from tests.standins.scripts import Reply

    words = " ".join(["Footnote keeps each passage with its place [Source 1]."] * 8)
    with OpenAIStandin(replies=[Reply(text=words, gap=0.08, times=None)]) as model:
        yield model.url


if __name__ == "__main__":
    main()
