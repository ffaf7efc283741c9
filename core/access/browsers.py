"""The ASGI middleware around all faces: what is let in, who the browser is, what pages may load."""

from __future__ import annotations

import re
import secrets
from http.cookies import SimpleCookie
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.access.origins import (
    FORWARDED,
    PublicAddress,
    is_foreign,
    is_loopback,
    origin_of,
    public_address,
)
from core.access.uploads import Held, Uploads, nothing_held
from core.config import Settings

COOKIE = "footnote_owner"
"""The cookie as the faces read it. A browser has it by the name that `cookie_name` gives; under
this one until November 2026, which is still recognised where there is no other."""
_YEAR = 365 * 24 * 3600
_TOKEN_BYTES = 32
_OUR_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_OUR_COOKIE = re.compile(rf"(?:__Host-)?{COOKIE}(?:_\d+)?")
_FACES = ("/api", "/mcp")
_OWN_PATHS = ("/api", "/_stcore", "/static", "/media", "/component")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
_CLOSED = re.compile(r"/_stcore/(?:metrics|script-health-check|agent)(?:/|$)")
"""Routes of Streamlit's own that nobody needs: figures, for those with a key, are in /api."""

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


def middleware(settings: Settings, held: Held = nothing_held) -> list[Middleware]:
    """The middleware of a server with these settings, outermost first.

    `held` gives what the pages hold of uploads, in bytes by page.
    """
    return [
        Middleware(Entrance, settings=settings),
        Middleware(OwnerCookie),
        Middleware(Uploads, settings=settings, held=held),
    ]


class Entrance:
    """Refuses what no own page and no program sends, before any other part sees it.

    On loopback only loopback names and the public address are answered: a foreign page that rebinds
    its name to 127.0.0.1 gets nothing. A request of the public address goes on with the scheme, the
    `Host` and the path that the browser sees, whatever the proxy made of them.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._public = public_address(settings)
        self._names: set[str] = set()
        if is_loopback(settings.bind_address):
            self._names = {"localhost", "127.0.0.1", "::1", settings.bind_address}
            self._names |= {self._public.origin[1]} if self._public else set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = origin_of(scope["scheme"], headers.get("host", ""))
        if self._names and (origin is None or origin[1] not in self._names):
            await _refuse(scope, receive, send, 400, _UNKNOWN_HOST)
            return
        scope = self._as_seen({**scope, "path": _printable(scope["path"])}, headers)
        path = _inner_path(scope["path"], self._public)
        method = scope.get("method", "")
        seen = Headers(scope=scope)
        answers_itself = path.startswith(_FACES)  # with a problem, by the same verdict
        if not answers_itself and is_foreign(method, seen, scope["scheme"]):
            await _refuse(scope, receive, send, 403, "A page of another web site cannot use this.")
        elif _CLOSED.match(path):
            await _refuse(scope, receive, send, 404, "Not Found")
        else:
            host = seen.get("origin", "").partition("://")[2]
            if host and not answers_itself:
                scope = _with_host(scope, host)  # Streamlit compares the two as texts
            await self.app({**scope, "footnote.path": path}, receive, send)

    def _as_seen(self, scope: Scope, headers: Headers) -> Scope:
        """The request with the address that the browser has in its address bar."""
        public = self._public
        if public is None:
            return scope
        path = public.prefix + _inner_path(scope["path"], public)
        seen = {**scope, "path": path, "raw_path": path.encode("utf-8")}
        if path.removeprefix(public.prefix).startswith(_FACES):
            seen["root_path"] = public.prefix  # Streamlit has the prefix in its routes
        if not _is_public(public, headers):
            return seen
        secure = public.origin[0] == "https"
        plain = "ws" if scope["type"] == "websocket" else "http"
        return _with_host({**seen, "scheme": plain + "s" * secure}, public.host)


_UNKNOWN_HOST = (
    "This name is not one of this server's. Behind a reverse proxy, set PUBLIC_URL to the address "
    "that people type: docs/operations.md, Behind a reverse proxy."
)


def _is_public(public: PublicAddress, headers: Headers) -> bool:
    """Whether a request came by the public address and not directly from this machine."""
    if any(name in headers for name in FORWARDED):
        return True
    named, _, host = headers.get("origin", "").partition("://")
    shown = origin_of(public.origin[0], headers.get("host", ""))
    return public.origin in (origin_of(named, host), shown)


def _inner_path(path: str, public: PublicAddress | None) -> str:
    """The path without the prefix of the public address, which a proxy may have taken off."""
    if public and (path == public.prefix or path.startswith(f"{public.prefix}/")):
        return path[len(public.prefix) :]
    return path


def _printable(path: str) -> str:
    """The path with control characters escaped, as they came.

    A line break ends the patterns of routes: such a path would be answered by another face.
    """
    return _CONTROL.sub(lambda found: quote(found[0]), path)


def _with_host(scope: Scope, host: str) -> Scope:
    others = [pair for pair in scope["headers"] if pair[0] != b"host"]
    return {**scope, "headers": [(b"host", host.encode("latin-1")), *others]}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()  # the handshake, which is answered with 403
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    await PlainTextResponse(text, status, headers=_HEADERS)(scope, receive, send)


class OwnerCookie:
    """Gives every browser a random token of 256 bits in an HttpOnly, SameSite cookie.

    The token is the only thing by which a browser is recognised; it never stands in a URL.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the one cookie that counts, under the name `COOKIE`.

        Adds the headers to every answer, and the cookie to every page (for a year more).
        """
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        name = cookie_name(scope["scheme"], Headers(scope=scope).get("host", ""))
        token, inner = _recognised(scope, name)
        page = not scope.get("footnote.path", scope["path"]).startswith(_OWN_PATHS)
        secure = scope["scheme"] == "https"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for header, value in _HEADERS.items():
                    headers.setdefault(header, value)
                if page and headers.get("content-type", "").startswith("text/html"):
                    given = token or secrets.token_urlsafe(_TOKEN_BYTES)
                    headers.append("Set-Cookie", _cookie(name, given, secure))
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self.app(inner, receive, send_with_headers)


def cookie_name(scheme: str, host: str) -> str:
    """Return the name under which a browser keeps the token of this server.

    Browsers send cookies to every port of a host: the port is in the name, so that two servers do
    not overwrite each other's. `__Host-` over TLS: no other host and no plain page can set it.

    >>> cookie_name("https", "docs.example.org"), cookie_name("http", "127.0.0.1:8501")
    ('__Host-footnote_owner_443', 'footnote_owner_8501')
    """
    scheme, _, port = origin_of(scheme, host) or (scheme, "", 0)
    return f"{'__Host-' if scheme == 'https' else ''}{COOKIE}_{port}"


def _cookie(name: str, token: str, secure: bool) -> str:
    cookie: SimpleCookie = SimpleCookie()
    cookie[name] = token
    attributes = {"path": "/", "max-age": _YEAR, "httponly": True, "samesite": "Lax"}
    for attribute, value in {**attributes, "secure": secure}.items():
        cookie[name][attribute] = value
    return cookie[name].OutputString()


def _recognised(scope: Scope, name: str) -> tuple[str, Scope]:
    """The token that the browser shows, "" if none that we could have given it; and the request
    with that cookie alone of ours."""
    sent = [value.decode("latin-1") for key, value in scope["headers"] if key == b"cookie"]
    pairs = [pair.strip() for pair in ";".join(sent).split(";") if pair.strip()]
    tokens: dict[str, str] = {}
    others = []
    for pair in pairs:
        key, _, value = pair.partition("=")
        if not _OUR_COOKIE.fullmatch(key.strip()):
            others.append(pair)
        elif _OUR_TOKEN.fullmatch(value.strip()):
            tokens.setdefault(key.strip(), value.strip())
    token = tokens.get(name) or tokens.get(COOKIE, "")
    kept = "; ".join([*others, *([f"{COOKIE}={token}"] if token else [])])
    headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
    if kept:
        headers.append((b"cookie", kept.encode("latin-1")))
    return token, {**scope, "headers": headers}
