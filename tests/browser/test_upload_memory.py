"""Twenty large uploads one after another: the server's memory comes back."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.browser.servers import free_port
from tests.browser.test_restart_in_ingestion import server

pytestmark = pytest.mark.I07

MEGABYTES, UPLOADS = 40, 20


def memory(pid: int) -> float:
    """Megabytes that a process takes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("utf-8"))
    assert found
    return int(found[1]) / 1024


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_twenty_uploads(tmp_path: Path) -> None:
    """Through the API. Streamlit itself keeps what a tab has uploaded for as long as it is open."""
    port, line = free_port(), b"\0\1\2 not a text "
    address = {"base_url": f"http://127.0.0.1:{port}/api", "trust_env": False, "timeout": 120}
    with server(tmp_path, port) as process, httpx.Client(**address) as client:
        session = client.post("/sessions", json={"name": "Large"}).json()["id"]
        seen = []
        for number in range(UPLOADS):
            data = str(number).encode() + line * (MEGABYTES * 1_000_000 // len(line))
            came = client.post(
                "/ingest-files/",
                files={"files": (f"{number}.txt", data)},
                data={"session_id": session},
            )
            assert came.status_code == 202
            document = came.json()["results"][0]["document"]["id"]
            client.delete(f"/sessions/{session}/documents/{document}")
            seen.append(memory(process.pid))
        print([round(one) for one in seen])
        assert seen[-1] < seen[1] * 1.2
