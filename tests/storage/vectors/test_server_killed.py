"""The server of the vector store is killed under load and comes back: nothing is lost."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from core.config import Settings
from core.errors import StorageError
from core.types import AskRequest, DocumentState
from tests.browser.servers import free_port
from tests.conftest import settled
from tests.support.small_library import (
    QUESTIONS,
    HashEmbedder,
    all_found,
    dense,
    fill,
    opened,
    troubles,
)

pytestmark = pytest.mark.F03

MODEL = HashEmbedder("model")


@contextmanager
def chroma(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`chroma run` on loopback, once it answers; killed at the end."""
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(folder)]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 90
        while time.monotonic() < end:
            try:
                url = f"http://127.0.0.1:{port}/api/v2/heartbeat"
                if httpx.get(url, timeout=5, trust_env=False).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.2)
        yield process
    finally:
        process.kill()
        process.wait()


# Chroma's client drops connections that the server broke off without closing them.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
@pytest.mark.timeout(900)
def test_killed_and_back(settings: Settings, tmp_path: Path) -> None:
    port = free_port()
    there = settings.model_copy(update={"chroma_url": f"http://127.0.0.1:{port}"})
    with chroma(tmp_path / "server", port) as server:
        manager = opened(there, MODEL)
        service = manager.__enter__()
        session = fill(service)
        assert all_found(service, session)
        for number in range(10):
            service.documents.add_file(
                session, f"more-{number}.txt", f"More of number {number}.".encode()
            )
        server.kill()
        server.wait()
        with pytest.raises(StorageError) as caught:
            dense(service, session, QUESTIONS["bread.txt"])
        assert "restarting" in caught.value.message
        result = service.search(AskRequest(session, QUESTIONS["bread.txt"]))
        assert result.hits[0].document.name == "bread.txt"
        assert "dense-failed" in {notice.code for notice in result.notices}
        documents = settled(service, session, 120)
        failed = [d for d in documents if d.state is DocumentState.FAILED]
        assert all("restarting" in d.reason for d in failed)
    with chroma(tmp_path / "server", port):
        for document in failed:
            service.documents.retry(session, document.id)
        assert {d.state for d in settled(service, session, 120)} == {DocumentState.READY}
        assert all_found(service, session)
        assert troubles(service) == []
        manager.__exit__(None, None, None)
    del manager, service
    gc.collect()  # here, where what is not closed is known
