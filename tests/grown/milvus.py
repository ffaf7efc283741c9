"""The tests of vectors and words over Milvus: `pytest -p tests.grown.milvus`.

Its embedded edition runs as a server of its own on a free port of 127.0.0.1; left alone it would
listen on all addresses. The program reaches it as it would a cluster. Each test has an empty
database of it, which is the default of `index_url`, and what `INDEX_URL` names for processes that a
test starts.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest

from core.config import Settings

_numbers = count(1)


class Server:
    """One server. `start` and `stop` as often as wanted; `remove` at the end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="footnote-milvus-"))
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.port = int(listening.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run the server until it takes connections."""
        given = ["server", "--data-dir", self.folder / "data", "--host", "127.0.0.1"]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [Path(sys.executable).with_name("milvus-lite"), *given, "--port", str(self.port)],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        for _ in range(1200):
            assert self._process.poll() is None, (self.folder / "log").read_text("utf-8")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("Milvus does not take connections.")

    def stop(self) -> None:
        """End the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        """End the server and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def database(self, name: str) -> str:
        """Make an empty database; the value of INDEX_URL for it is returned."""
        from pymilvus import MilvusClient  # here: only `make test-milvus` has it

        with closing(MilvusClient(f"http://127.0.0.1:{self.port}")) as client:
            client.create_database(name)
        return f"milvus://127.0.0.1:{self.port}/{name}"


@contextmanager
def running() -> Iterator[Server]:
    """A server of its own during the block; nothing is left of it."""
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def milvus() -> Iterator[Server]:
    """A server for all tests of a process."""
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def index_url(milvus: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty database of the server, in `INDEX_URL`."""
    url = milvus.database(f"test_{next(_numbers)}")
    monkeypatch.setenv("INDEX_URL", url)
    _lead_to(url)
    yield url
    _lead_to("")


def _lead_to(url: str) -> None:
    Settings.model_fields["index_url"].default = url
    Settings.model_rebuild(force=True)
