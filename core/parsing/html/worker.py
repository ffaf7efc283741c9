"""Read pages in a child process, so that one that hangs or takes too much memory can be ended.

`python -m core.parsing.html.worker` takes one job after another on standard input and answers each
on standard output. A frame is two lengths (4 bytes each, big-endian), a JSON header and bytes.
"""

from __future__ import annotations

import json
import os
import selectors
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from core import REPORTS_OFF
from core.config import Settings
from core.errors import IngestionError, NoReadableText, ParserDied, TooComplex, UnsupportedType
from core.parsing.html.links import PageLinks, page_links
from core.parsing.html.load import decode_html, parse_html
from core.parsing.html.web_page import WebPage
from core.parsing.html.web_page import page as read_text
from core.parsing.wire import LARGEST_RESULT

_ROOT = Path(__file__).resolve().parents[3]
_COMMAND = (
    sys.executable,
    "-P",
    "-s",
    "-X",
    "utf8",
    "-W",
    "ignore",
    "-m",
    "core.parsing.html.worker",
)
_ERRORS = {error.__name__: error for error in (NoReadableText, UnsupportedType, TooComplex)}


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What was read of one page: its text or the reason why there is none, and its links."""

    page: WebPage | None
    links: PageLinks
    error: str = ""
    message: str = ""
    cure: str = ""

    def text(self) -> WebPage:
        """Return the page, or raise the `IngestionError` for which there is none."""
        if self.page is None:
            raise _ERRORS.get(self.error, NoReadableText)(self.message, self.cure)
        return self.page


READ_PAGE: TypeAdapter[ReadPage] = TypeAdapter(ReadPage)


class Reader:
    """Reads pages in a child process that is started when needed and restarted when it ended.

    Thread-safe: pages are read one at a time.
    """

    def __init__(self, settings: Settings, *, seconds: float = 20.0) -> None:
        self._memory_mb = settings.parse_memory_mb
        self._seconds = seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def read(
        self,
        body: bytes,
        url: str,
        content_type: str,
        charset: str,
        *,
        seconds: float | None = None,
    ) -> ReadPage:
        """Read the page that was fetched from `url`, within `seconds` if that is less than usual.

        Raises `TooComplex` if it takes too long, and `ParserDied` if the child ends.
        """
        job = {"url": url, "content_type": content_type, "charset": charset}
        seconds = self._seconds if seconds is None else min(seconds, self._seconds)
        with self._lock:
            process = self._started()
            try:
                _send(process.stdin, job, body)
                _, answer = _receive(_Pipe(process.stdout, time.monotonic() + seconds).take)
                return READ_PAGE.validate_json(answer)
            except TimeoutError:
                self._end()
                raise TooComplex(
                    f"The page is too complex: reading took more than {seconds:.0f} seconds."
                ) from None
            except (EOFError, OSError, ValueError):  # ended, or answered with what is no page
                self._end()
                raise ParserDied("The process that read the page ended abruptly.") from None

    def close(self) -> None:
        """End the child, also while it reads a page; nothing can be read afterwards."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()  # a thread that waits for it releases the lock
        with self._lock:
            self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise ParserDied("Reading was stopped.")
        if self._process is None:
            environment = {"PATH": os.defpath, "PYTHONPATH": str(_ROOT), "LC_ALL": "C.UTF-8"}
            self._process = subprocess.Popen(
                (*_COMMAND, str(self._memory_mb)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=REPORTS_OFF
                | environment
                | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


class _Pipe:
    """Reads from a pipe until a deadline."""

    def __init__(self, pipe: Any, deadline: float) -> None:
        self._pipe = pipe
        self._deadline = deadline

    def take(self, length: int) -> bytes:
        if length > LARGEST_RESULT:
            raise ValueError("The answer is too large.")
        pieces = []
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while length:
                if not selector.select(max(0.0, self._deadline - time.monotonic())):
                    raise TimeoutError
                piece = os.read(self._pipe.fileno(), min(length, 1 << 20))
                if not piece:
                    raise EOFError
                pieces.append(piece)
                length -= len(piece)
        return b"".join(pieces)


def _send(pipe: Any, header: dict[str, str], body: bytes) -> None:
    head = json.dumps(header).encode()
    pipe.write(struct.pack(">II", len(head), len(body)) + head + body)
    pipe.flush()


def _receive(take: Callable[[int], bytes]) -> tuple[bytes, bytes]:
    head, body = struct.unpack(">II", take(8))
    return take(head), take(body)


def read_page(body: bytes, url: str, content_type: str, charset: str) -> ReadPage:
    """Read a page in this process."""
    links = PageLinks()
    try:
        tree = parse_html(decode_html(body, charset).text)
        links = PageLinks() if tree is None else page_links(tree, url)
        page = read_text(body, url, content_type, charset=charset)
    except IngestionError as error:
        return ReadPage(None, links, error.code, error.message, error.cure)
    except (MemoryError, RecursionError):
        return ReadPage(None, PageLinks(), "TooComplex", "The page is too complex to read.")
    return ReadPage(page, links)


def main(memory_mb: int) -> None:
    """Answer jobs until standard input closes."""
    from core.parsing.child import limit_process
    from core.parsing.confinement import confine

    limit_process(memory_mb, cpu_seconds=86_400)
    confine()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries must not print between the answers
    while True:
        try:
            head, body = _receive(_exactly(sys.stdin.buffer))
        except EOFError:
            return
        job = json.loads(head)
        found = read_page(body, job["url"], job["content_type"], job["charset"])
        _send(answers, {}, READ_PAGE.dump_json(found))


def _exactly(stream: BinaryIO) -> Callable[[int], bytes]:
    def take(length: int) -> bytes:
        data = stream.read(length)
        if len(data) != length:
            raise EOFError
        return data

    return take


if __name__ == "__main__":
    main(int(sys.argv[1]))
