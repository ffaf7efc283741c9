"""What every stand-in is: a server on 127.0.0.1 that runs in a thread and can be ended."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class Loopback:
    """A server on a port of this machine (0: a free one), started by `with` or `start()`."""

    def __init__(
        self,
        handler: type[BaseHTTPRequestHandler],
        port: int = 0,
        server: type[ThreadingHTTPServer] = ThreadingHTTPServer,
    ) -> None:
        self._server = server(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self._stop = threading.Event()

    def wait(self, seconds: float) -> None:
        """Do nothing for so long, or until the server is ended."""
        self._stop.wait(seconds)

    def start(self) -> None:
        """Serve in a thread."""
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        """Stop, ending what still hangs."""
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
