"""The ASGI middleware around both faces: who the browser is, and what a page may load."""

from __future__ import annotations

import ipaddress
import re
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "footnote_owner"
_YEAR = 365 * 24 * 3600
_TOKEN_BYTES = 32
_OUR_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_OWN_PATHS = ("/api", "/_stcore", "/static", "/media", "/component")

# Nothing is loaded from or sent to another host, whatever an answer or a document says.
# Streamlit builds functions and inline styles at run time, hence 'unsafe-eval' and 'unsafe-inline'.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' blob:",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline' blob:",
        "connect-src 'self' ws: wss: blob: data:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def middleware(bind_address: str) -> list[Middleware]:
    """The middleware for a server that listens on `bind_address`.

    On loopback only loopback names are answered: a foreign page that rebinds its name to
    127.0.0.1 gets nothing.
    """
    layers = [Middleware(OwnerCookie)]
    if is_loopback(bind_address):
        hosts = ["localhost", "127.0.0.1", "[::1]", bind_address]
        layers.insert(0, Middleware(TrustedHostMiddleware, allowed_hosts=hosts))
    return layers


def is_loopback(bind_address: str) -> bool:
    """Whether a server that listens on this address is reached from this machine alone."""
    return bind_address == "localhost" or ipaddress.ip_address(bind_address).is_loopback


class OwnerCookie:
    """Gives every browser a random token of 256 bits in an HttpOnly, SameSite cookie.

    The token is the only thing by which a browser is recognised; it never stands in a URL.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add the headers, and the cookie to every page (for a year more)."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        page = not scope["path"].startswith(_OWN_PATHS)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if page and headers.get("content-type", "").startswith("text/html"):
                    token = _token(scope) or secrets.token_urlsafe(_TOKEN_BYTES)
                    headers.append("Set-Cookie", _cookie(token, scope["scheme"] == "https"))
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _cookie(token: str, secure: bool) -> str:
    cookie: SimpleCookie = SimpleCookie()
    cookie[COOKIE] = token
    attributes = {"path": "/", "max-age": _YEAR, "httponly": True, "samesite": "Lax"}
    for name, value in {**attributes, "secure": secure}.items():
        cookie[COOKIE][name] = value
    return cookie[COOKIE].OutputString()


def _token(scope: Scope) -> str:
    """The token that the browser shows, "" if none that we could have given it."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                morsel = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                return ""
            return morsel.value if morsel and _OUR_TOKEN.fullmatch(morsel.value) else ""
    return ""
