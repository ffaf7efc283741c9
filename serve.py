"""One process for all faces: the Streamlit pages, the REST API under `/api`, MCP at `/mcp`.

Start it with `make run`, `python serve.py` or `streamlit run serve.py`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
import uvicorn
from starlette.routing import Mount, Route
from streamlit import config as pages_config
from streamlit.web.bootstrap import load_config_options

from core.access.browsers import middleware
from core.access.connections import limited, raise_file_limit
from core.access.origins import is_loopback, public_address
from core.api import api
from core.config import Settings, load_settings
from core.errors import AppError
from core.mcp.server import McpFace
from core.service import close_default_service, default_service
from core.supervision import in_background
from core.telemetry.tracing import set_up_logging
from core.ui.shell import state
from core.ui.shell.errors import on_script_error
from core.ui.shell.login import check_login
from core.ui.web.components import load_what_draws

ROOT = Path(__file__).resolve().parent
_GIVE_WAY_SECONDS = 0.0005
"""A thread that computes gives way ten times as often as usual: the one that answers everybody
waits for each of them in turn."""
assistants = McpFace(api)


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Open the service before the first page, close it after the last."""
    default_service()
    in_background("loading what pages draw with", load_what_draws)
    gc.freeze()  # what is there now stays: no later collection goes through it
    sys.setswitchinterval(_GIVE_WAY_SECONDS)
    try:
        async with assistants.running():
            yield {}
    finally:
        close_default_service()


def build() -> st.App:
    """The ASGI application for the settings of this environment.

    Raises `SettingsError` where people shall sign in and cannot.
    """
    settings = load_settings()
    check_login(settings)
    return st.App(
        ROOT / "app.py",
        routes=[Mount("/api", app=api), Route("/mcp", assistants)],
        middleware=middleware(settings, state.held_uploads),
        lifespan=lifespan,
        on_script_error=on_script_error,
    )


def page_options(settings: Settings) -> dict[str, Any]:
    """Streamlit's options for these settings, by their names in its configuration."""
    public = public_address(settings)
    return {
        "browser.gatherUsageStats": False,
        # Where this is set, it asks no other host for the address of this machine.
        "browser.serverAddress": public.origin[1] if public else settings.bind_address,
        # A run of the whole page would end the one before together with what waits for it: what
        # was chosen in a part of the page, while that was still being drawn, would be lost.
        "runner.fastReruns": False,
        # After each run of a page, and of each part of one, everything would stand still while
        # all of the memory is gone through (0.17 s); Python does it by itself when it is due.
        "runner.postScriptGC": False,
        "server.baseUrlPath": public.prefix.strip("/") if public else "",
        "server.fileWatcherType": "none",
        "server.headless": True,
        "server.maxUploadSize": settings.max_file_mb,
    }


def openness(settings: Settings) -> list[str]:
    """Warnings of what others on the network can reach, or what goes out to another machine."""
    warnings = []
    if not is_loopback(settings.bind_address):
        warnings.append(
            f"Others can connect (BIND_ADDRESS is {settings.bind_address}): read "
            "docs/operations.md, Opening it to others."
        )
    if settings.public_url and settings.login == "off":
        warnings.append(
            f"Whoever reaches {settings.public_url} is let in: read docs/operations.md, Opening it "
            "to others."
        )
    return warnings


def main() -> int:
    """Run the server until it is stopped; 1 when it cannot start, with the reason."""
    try:
        settings = load_settings()
        set_up_logging(settings.log_level, settings.log_format)
        application = build()
        default_service()
    except AppError as error:
        print(f"Footnote cannot start. {error.message}\n{error.cure}", file=sys.stderr)
        return 1
    for warning in openness(settings):
        print(warning, file=sys.stderr, flush=True)
    print(f"Footnote: {settings.public_url or _local_url(settings)}", flush=True)
    listening = {"server.port": settings.port, "server.address": settings.bind_address}
    load_config_options({**page_options(settings), **listening})
    server = uvicorn.Server(server_config(application, settings))
    server.run(sockets=[server.config.bind_socket()])
    return 0 if server.started else 1


def _local_url(settings: Settings) -> str:
    host = settings.bind_address
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def server_config(application: st.App, settings: Settings) -> uvicorn.Config:
    """uvicorn as Streamlit sets it up, with limits on connections."""
    return uvicorn.Config(
        application,
        host=settings.bind_address,
        port=settings.port,
        http=limited(settings.connections_per_address, raise_file_limit()),
        ws="websockets-sansio",
        ws_max_size=pages_config.get_option("server.maxMessageSize") * 1_000_000,
        ws_per_message_deflate=pages_config.get_option("server.enableWebsocketCompression"),
        use_colors=False,
        access_log=False,
    )


if __name__ == "__main__":
    sys.exit(main())
else:
    app = build()  # for `streamlit run serve.py`, which has its own limits on connections: none
    for option, value in page_options(load_settings()).items():
        pages_config.set_option(option, value)
