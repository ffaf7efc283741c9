"""What is refused before anybody looks at it: other sites, no JSON, too much of it."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.access.callers import check_site
from core.api.problems import MEDIA_TYPE, Problem, problem_of, problem_with
from core.errors import ForeignSite

OPEN = ("/health", "/ready")
_FORMS = ("/ingest-files", "/ingest-files/")
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_LARGEST_JSON = 4_000_000
_LONGEST_WAIT = 30.0
"""Seconds for a body of JSON to arrive."""


class Gate:
    """ASGI middleware. A form of another site could send neither JSON nor a foreign method.

    `POST /ingest-files/` is the one route that takes a form: its `Origin` is checked, and its
    bytes are counted where they are stored.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        refused = _refused(scope["method"], path, Headers(scope=scope), scope["scheme"])
        if refused is None:
            taken = receive if path in _FORMS else _counted(receive)
            await self.app(scope, taken, _uncached(send))
            return
        body = refused.model_dump(exclude_none=True)
        response = JSONResponse(body, refused.status, media_type=MEDIA_TYPE)
        await response(scope, receive, send)


def _refused(method: str, path: str, headers: Headers, scheme: str) -> Problem | None:
    if path in OPEN:
        return None
    try:
        check_site(method, headers, scheme)
    except ForeignSite as error:
        return problem_of(error)
    if path in _FORMS or method not in _CHANGING:
        return None
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > _LARGEST_JSON:
        return problem_with(413, _too_large())
    if length == "0" and "transfer-encoding" not in headers:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return problem_with(415, "The body of the request is not JSON.")
    return None


def _uncached(send: Send) -> Send:
    """What is somebody's own stays in no cache."""

    async def uncached(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).setdefault("Cache-Control", "no-store")
        await send(message)

    return uncached


def _counted(receive: Receive) -> Receive:
    """The body as it comes, until it is too much or takes too long."""
    taken = 0
    whole = False

    async def counted() -> Message:
        nonlocal taken, whole
        if whole:  # nothing more comes but the news that the client has left
            return await receive()
        try:
            async with asyncio.timeout(_LONGEST_WAIT):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "The request took too long to arrive.") from None
        taken += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if taken > _LARGEST_JSON:
            raise HTTPException(413, _too_large())
        return message

    return counted


def _too_large() -> str:
    return f"The request is larger than the limit of {_LARGEST_JSON // 1_000_000} MB."
