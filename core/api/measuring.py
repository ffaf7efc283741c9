"""Around every request of the API: its id, its time, how it ended."""

from __future__ import annotations

import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.telemetry import prometheus, tracing

HEADER = "X-Request-Id"


class Measured:
    """ASGI middleware. The id in the response header is in the log as well."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note what became of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number, began, status = tracing.begin(), time.perf_counter(), 500

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = number
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        finally:
            route = getattr(scope.get("route"), "path", "none")
            prometheus.requested(scope["method"], route, status, time.perf_counter() - began)
