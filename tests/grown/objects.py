"""An object store of its own, moto's server, on a free port of 127.0.0.1."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx

from tests.browser.servers import free_port

BUCKET = "library"
_SIGNED = {"Authorization": "AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request"}


@dataclass
class Objects:
    """The server. What is in it is lost with its process."""

    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What leads a program to it."""
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }

    def start(self) -> None:
        """Run the server with one empty bucket."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
        for _ in range(600):
            assert self.process.poll() is None, "moto's server ended."
            try:
                self.made(BUCKET)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError("moto's server does not answer.")

    def made(self, bucket: str) -> str:
        """Make a bucket; the value of ORIGINALS_URL for it is returned."""
        url = f"http://127.0.0.1:{self.port}/{bucket}"
        httpx.put(url, headers=_SIGNED, trust_env=False).raise_for_status()
        return f"s3://{bucket}"

    def pause(self) -> None:
        """Answer nothing any more, until `go_on`."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Answer again."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the server with all that is in it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)
            self.process = None


@contextmanager
def objects() -> Iterator[Objects]:
    """A server of its own during the block."""
    server = Objects(free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
