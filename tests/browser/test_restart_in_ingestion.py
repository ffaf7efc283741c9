"""The server restarts while documents are read, or the connection drops: all goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.conftest import chromium as chromium
from tests.browser.conftest import open_browser as open_browser
from tests.browser.servers import free_port
from tests.conftest import MODELS, ROOT

pytestmark = [pytest.mark.I03, pytest.mark.I05]

FILES = 30


@contextmanager
def server(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The real server on this data, once it answers."""
    values = {
        "PORT": str(port), "DATA_DIR": str(folder / "data"), "CHROMA_DIR": str(folder / "chroma"),
        "MODELS_DIR": str(MODELS), "MIN_FREE_MB": "1", "RERANKER_MODEL": "",
        "API_REQUESTS_PER_MINUTE": "0",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "serve.py"], cwd=ROOT, env={**os.environ, **values},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                url = f"http://127.0.0.1:{port}/api/health"
                if httpx.get(url, trust_env=False, timeout=5).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.2)
        yield process
    finally:
        process.kill()
        process.wait()


def states(client: httpx.Client, session: str) -> list[str]:
    """The states of all documents."""
    found = client.get(f"/sessions/{session}/documents").json()["documents"]
    return [document["state"] for document in found]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_nothing_is_uploaded_twice(tmp_path: Path, end: signal.Signals) -> None:
    port = free_port()
    address = {"base_url": f"http://127.0.0.1:{port}/api", "trust_env": False, "timeout": 60}
    text = "\n\n".join(f"Paragraph {n} says something about the harbour." for n in range(60))
    with server(tmp_path, port) as process, httpx.Client(**address) as client:
        session = client.post("/sessions", json={"name": "Restart"}).json()["id"]
        files = [("files", (f"{n}.txt", f"File {n}.\n\n{text}")) for n in range(FILES)]
        came = client.post("/ingest-files/", files=files, data={"session_id": session})
        assert came.status_code == 202
        time.sleep(1.0)
        assert set(states(client, session)) - {"ready"}  # in the middle of it
        process.send_signal(end)
        process.wait(60)
    with server(tmp_path, port), httpx.Client(**address) as client:
        until = time.monotonic() + 240
        while set(states(client, session)) != {"ready"} and time.monotonic() < until:
            time.sleep(0.5)
        assert states(client, session) == ["ready"] * FILES
        body = {"session_id": session, "question": "What does paragraph 7 speak about?"}
        assert "harbour" in client.post("/query", json=body).json()["answer"]


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(600)
def test_the_connection_drops_and_comes_back(tmp_path: Path, open_browser: OpenBrowser) -> None:
    port = free_port()
    with server(tmp_path, port):
        page = open_browser()
        page.goto(f"http://127.0.0.1:{port}")
        page.get_by_role("button", name="Load the sample library").first.click()
        box = page.get_by_test_id("stChatInputTextArea")
        box.fill("What does Footnote keep with each passage?")
        box.press("Enter")
        expect(page.get_by_text("What does Footnote keep").first).to_be_visible(timeout=90_000)
        page.wait_for_timeout(3_000)
        address = page.url
        page.context.set_offline(True)
        page.wait_for_timeout(6_000)
        page.context.set_offline(False)
        page.reload()
        expect(page.get_by_text("What does Footnote keep").first).to_be_visible(timeout=90_000)
        assert page.url.partition("conversation=")[2] == address.partition("conversation=")[2]
