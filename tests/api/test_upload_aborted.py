"""An upload that breaks off half-way leaves no document and no file."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from tests.api.server import Person, World
from tests.api.test_upload_limits import on_disk

pytestmark = pytest.mark.C21


def unnamed_files() -> int:
    """Open files of this process that have no name any more."""
    links = (Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd"))
    return sum("(deleted)" in os.readlink(link) for link in links if link.is_symlink())


def test_half_an_upload_is_no_upload(world: World, ida: Person) -> None:
    listed = f"/sessions/{ida.session_id}/documents"
    before, files, opened = ida.client.get(listed).json(), on_disk(world), unnamed_files()
    host, port = world.url.removeprefix("http://").split(":")
    form = (
        f'--b\r\nContent-Disposition: form-data; name="session_id"\r\n\r\n{ida.session_id}\r\n'
        '--b\r\nContent-Disposition: form-data; name="files"; filename="half.txt"\r\n\r\n'
    )
    with socket.create_connection((host, int(port)), timeout=20) as sock:
        sock.sendall(
            f"POST /api/ingest-files/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {ida.key}\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n"
            f"{form}{'Half of it. ' * 40_000}".encode()
        )
        end = time.monotonic() + 20
        while unnamed_files() <= opened:  # until it has begun to arrive
            assert time.monotonic() < end
            time.sleep(0.02)
    end = time.monotonic() + 20
    while unnamed_files() > opened:
        assert time.monotonic() < end, "the unfinished file is still open"
        time.sleep(0.02)
    assert ida.client.get(listed).json() == before
    assert on_disk(world) == files
