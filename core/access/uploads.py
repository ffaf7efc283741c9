"""Uploads from pages: who may send them, and how much may be in memory at a time.

Streamlit takes a file by a route of its own and holds it in memory until the page gives it back.
It asks for a token that everybody gets, and bounds each file but not their number.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.config import Settings

Held = Callable[[], Mapping[str, int]]
"""Gives what pages hold in memory of uploads: bytes by page."""
_ROUTE = re.compile(r"/_stcore/upload_file/([^/]+)/")
_MB = 1024 * 1024
_MOST_PAGES = 10_000


def nothing_held() -> Mapping[str, int]:
    """What pages hold where there are none."""
    return {}


class AdmittedPages:
    """The open pages whose run has let somebody in, by Streamlit's id. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: dict[str, None] = {}

    def admit(self, page: str) -> None:
        """Let a page upload; the oldest of very many pages has to run once more for it."""
        with self._lock:
            self._pages.pop(page, None)
            self._pages[page] = None
            while len(self._pages) > _MOST_PAGES:
                del self._pages[next(iter(self._pages))]

    def dismiss(self, page: str) -> None:
        """Let a page upload no more."""
        with self._lock:
            self._pages.pop(page, None)

    def __contains__(self, page: str) -> bool:
        with self._lock:
            return page in self._pages


admitted_pages = AdmittedPages()
"""Those of this process."""


class Uploads:
    """ASGI middleware before Streamlit's upload route: refuses, and counts bytes as they come."""

    def __init__(self, app: ASGIApp, settings: Settings, held: Held) -> None:
        self.app = app
        self._needs_person = settings.login != "off"
        whole_file = settings.max_file_mb + 1
        self._most_of_page = max(settings.max_page_uploads_mb, whole_file) * _MB
        self._most = max(settings.max_uploads_mb, whole_file) * _MB
        self._held = held
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; an upload only from an admitted page, while there is room."""
        found = _ROUTE.match(scope.get("footnote.path", scope.get("path", "")))
        if scope["type"] != "http" or not found or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self.app(scope, receive, send)
            return
        page = found[1]
        if self._needs_person and page not in admitted_pages:
            await PlainTextResponse("Sign in first.", 403)(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        announced = int(length[:20]) if length.isdecimal() else 0
        if self._is_full(page, announced):
            await PlainTextResponse(_FULL, 413)(scope, receive, send)
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            size = len(message.get("body", b""))
            came += size
            self._coming[page] += size
            if self._is_full(page):
                raise HTTPException(413, _FULL)
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            self._coming[page] -= came
            if not self._coming[page]:
                del self._coming[page]

    def _is_full(self, page: str, more: int = 0) -> bool:
        held = self._held()
        of_page = held.get(page, 0) + self._coming[page] + more
        of_all = sum(held.values()) + self._coming.total() + more
        return of_page > self._most_of_page or of_all > self._most


_FULL = "Too many uploads at once. Wait until those before it are taken in."
