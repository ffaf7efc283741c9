"""Chromium, and servers for it: the real one, and the pages with the fake service behind them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Server:
    """A server that answers, with the file that it logs to."""

    url: str
    log: Path

    def said(self) -> str:
        return self.log.read_text("utf-8")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], port: int, log: Path, **environment: str) -> Iterator[Server]:
    """Start a server, wait until it answers, and end it with everything it started."""
    with log.open("wb") as sink:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, "HF_HUB_OFFLINE": "1", **environment},
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process, log)
            yield Server(url, log)
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def footnote_in(folder: Path, port: int = 0, **environment: str) -> Iterator[Server]:
    """The real program with folders of its own within `folder`, on `port` or any free one."""
    port = port or free_port()
    own = {
        "DATA_DIR": str(folder / "data"),
        "CHROMA_DIR": str(folder / "chroma"),
        "MODELS_DIR": str(ROOT / ".cache" / "models"),
        "RERANKER_MODEL": "",
        "PORT": str(port),
    }
    command = [sys.executable, str(ROOT / "serve.py")]
    with running(command, port, folder / "log.txt", **{**own, **environment}) as server:
        yield server


@contextmanager
def launched() -> Iterator[Browser]:
    """The system's Chromium, without its sandbox where the user is root (as in a container)."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield browser
        browser.close()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 180
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{url}/_stcore/health", timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not come up:\n{log.read_text('utf-8')}")
