"""The whole server on a machine without a network, with every attempt to reach one counted.

`unshare --map-root-user --net python -m tests.service.offline FOLDER PORT [browser|watch]` prints
JSON.
In that namespace there is loopback alone; the kernel counts each packet that finds no route,
whoever sends it: Python, Rust or a C library, a connection or a question to a name server.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.conftest import MODELS, ROOT

QUESTION = "What does Footnote keep with each passage?"

WATCHED_SECONDS = 120


def attempts() -> int:
    """How many packets found no route."""
    lines = [line.split() for line in Path("/proc/net/snmp").read_text().splitlines()]
    names, values = (line for line in lines if line[0] == "Ip:")
    found = int(values[names.index("OutNoRoutes")])
    for line in Path("/proc/net/snmp6").read_text().splitlines():
        name, value = line.split()
        found += int(value) if name == "Ip6OutNoRoutes" else 0
    return found


def listening() -> list[str]:
    """The addresses of all sockets that listen in this namespace."""
    found = []
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                found.append(fields[1].partition(":")[0])
    return sorted(found)


@contextmanager
def server(folder: Path, port: int, *, traced: bool = False, **environment: str) -> Iterator[str]:
    """`serve.py`, as anybody would start it; its log lies in the folder."""
    values = {
        "PORT": str(port),
        "DATA_DIR": str(folder / "data"),
        "CHROMA_DIR": str(folder / "chroma"),
        "MODELS_DIR": str(MODELS),
        "MIN_FREE_MB": "1",
        "RERANKER_MODEL": "",  # the one part that is fetched from elsewhere where it is set
        **environment,
    }
    with (folder / "log.txt").open("wb") as log:
        trace = [
            "strace",
            "-D",
            "-f",
            "-qq",
            "-e",
            "trace=connect,sendto",
            "-o",
            str(folder / "trace"),
        ]
        process = subprocess.Popen(
            [*(trace if traced else []), sys.executable, "serve.py"],
            cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **values},
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            _until(lambda: httpx.get(f"{url}/api/ready", trust_env=False).status_code == 200, 300)
            yield url
        finally:
            process.terminate()
            process.wait(30)


def _until(true: object, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if true():
                return
        except httpx.TransportError:
            pass
        time.sleep(0.2)
    raise AssertionError("it did not come to that in time")


def use(url: str) -> dict[str, object]:
    """What a program does: a session, documents, a question."""
    with httpx.Client(base_url=f"{url}/api", trust_env=False, timeout=120) as client:
        page = client.get(url)
        session = client.post("/sessions", json={"name": "Offline"}).json()["id"]
        files = {"files": ("a.txt", "The lighthouse of Port Amber was built in 1874.")}
        client.post("/ingest-files/", files=files, data={"session_id": session})

        def ready() -> bool:
            found = client.get(f"/sessions/{session}/documents").json()["documents"]
            return [d["state"] for d in found] == ["ready"]

        _until(ready, 90)
        body = {"session_id": session, "question": "When was the lighthouse built?"}
        answer = client.post("/query", json=body).json()
        client.get("/status")
    return {"page": page.status_code, "answer": answer["answer"]}


def outside(trace: Path) -> list[str]:
    """The system calls of the server that reach for another machine."""
    lines = trace.read_text("utf-8", "replace").splitlines()
    inet = [line for line in lines if "sin_addr" in line or "sin6_addr" in line]
    own = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"')
    return [line for line in inet if not own.search(line)]


def browse(url: str) -> list[str]:
    """What a person does in a browser; gives the addresses that the pages asked for."""
    asked: list[str] = []
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox"],
        )
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.set_default_timeout(90_000)
        page.goto(url)
        page.get_by_role("button", name="Load the sample library").first.click()
        page.get_by_test_id("stChatInputTextArea").wait_for()
        page.goto(f"{url}/Status")
        page.get_by_text("Embedding model").first.wait_for()
        page.goto(f"{url}/Documents")
        page.get_by_text("ready").first.wait_for()
        browser.close()
    return [address for address in asked if not address.startswith(("data:", "blob:"))]


def main(folder: Path, port: int, *options: str) -> dict[str, object]:
    """Start, use, stop; what was tried meanwhile."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    before = attempts()
    seen: dict[str, object] = {}
    started = time.monotonic()
    with server(folder, port, traced="browser" in options, HOME=str(folder / "home")) as url:
        if "browser" in options:  # which asks others for things of its own: not counted here
            seen["browsed"] = browse(url)
        else:
            seen |= use(url)
            seen["listening"] = listening()
        if "watch" in options:  # reports are sent late: ONNX Runtime's came after 40 seconds
            time.sleep(max(0.0, WATCHED_SECONDS - (time.monotonic() - started)))
            seen["watched"] = time.monotonic() - started
    home = folder / "home"
    seen["left"] = sorted(path.relative_to(home).as_posix() for path in home.rglob("*"))
    if "browser" in options:
        return {**seen, "outside": outside(folder / "trace")}
    return {**seen, "attempts": attempts() - before}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])))
