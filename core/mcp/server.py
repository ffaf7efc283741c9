"""An MCP server: assistants search, ask and read a person's library with tools.

Over HTTP at `/mcp` of the one process, and over stdin and stdout by `python -m core.mcp.server`.
That starts the service, or, where a running Footnote has the data, asks that one.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx
from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from core.access.callers import Authenticator, check_site
from core.access.origins import is_loopback
from core.api import create_api
from core.api.problems import MEDIA_TYPE, status_of
from core.config import Settings, hide_secrets, load_settings
from core.errors import AppError, DataDirectoryInUse
from core.mcp.tools import Rest, create_mcp
from core.service import close_default_service, default_service

_LARGEST_REQUEST = 1_000_000
_NO_TIMEOUT = httpx.Timeout(None)
"""For requests to the API: an answer may take long, and the API ends it after REQUEST_SECONDS."""


class McpFace:
    """The server over HTTP, as an ASGI application; answers while `running()`."""

    def __init__(self, api: FastAPI) -> None:
        self._api = api
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve within the block."""
        logging.getLogger("mcp").setLevel(logging.WARNING)  # otherwise it logs every request
        async with _in_process(self._api) as client:
            server = create_mcp(Rest(client))
            server.streamable_http_app(
                json_response=True,
                stateless_http=True,  # each request is authenticated by itself
                max_request_body_size=_LARGEST_REQUEST,
                transport_security=TransportSecuritySettings(
                    enable_dns_rebinding_protection=False  # checked for both faces in one place
                ),
            )
            self._manager = server.session_manager
            async with self._manager.run():
                yield
            self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Authenticate the caller and pass the request on."""
        headers = Headers(scope=scope)
        authenticator: Authenticator = self._api.state.authenticator
        address = (scope.get("client") or ("",))[0]
        try:
            check_site(scope["method"], headers, scope["scheme"])
            await run_in_threadpool(authenticator.admit, headers, address)
        except AppError as error:
            body = {"detail": error.message, "cure": error.cure, "code": error.code}
            shown = {"WWW-Authenticate": "Bearer"} if status_of(error) == 401 else None
            refused = JSONResponse(body, status_of(error), headers=shown, media_type=MEDIA_TYPE)
            await refused(scope, receive, send)
            return
        if self._manager is None:
            await JSONResponse({"detail": "Not running."}, 503)(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)


def _in_process(api: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(api, root_path="/api")
    base = "http://127.0.0.1/api"
    return httpx.AsyncClient(transport=transport, base_url=base, timeout=_NO_TIMEOUT)


# ---------------------------------------------------------------------- stdin and stdout


def _client(settings: Settings) -> httpx.AsyncClient:
    """The API of this process, or of the one that has the data already."""
    try:
        default_service()
        client = _in_process(create_api())
    except DataDirectoryInUse:
        host = settings.bind_address if is_loopback(settings.bind_address) else "127.0.0.1"
        base = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/api"
        client = httpx.AsyncClient(base_url=base, timeout=_NO_TIMEOUT, trust_env=False)
    if key := settings.mcp_api_key.get_secret_value():
        client.headers["Authorization"] = f"Bearer {key}"
    return client


def main() -> int:
    """Serve over stdin and stdout until they close; 1 when it cannot start, with the reason."""
    try:
        settings = load_settings()
        hide_secrets()
        logging.basicConfig(level=settings.log_level, stream=sys.stderr)
        client = _client(settings)
    except AppError as error:
        print(f"Footnote cannot start. {error.message}\n{error.cure}", file=sys.stderr)
        return 1
    try:
        anyio.run(create_mcp(Rest(client), settings.log_level).run_stdio_async)
    finally:
        close_default_service()
    return 0


if __name__ == "__main__":
    sys.exit(main())
