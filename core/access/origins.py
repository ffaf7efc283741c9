"""The addresses under which this server is reached, and whether a request is of its own pages.

An origin is scheme, host and port. Every door (pages, WebSocket, uploads, REST, MCP) asks
`is_foreign`, on a request whose scheme and `Host` the middleware of core/access/browsers.py has
made those that the browser sees.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.config import Settings

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers by which a request says that it came through a proxy, in lower case."""
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_SECURE = {"https": "https", "wss": "https"}

Origin = tuple[str, str, int]
"""Scheme (http or https), host in lower case, port."""


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """What stands in the browser's address bar, where a reverse proxy is in front."""

    origin: Origin
    prefix: str = ""

    @property
    def host(self) -> str:
        """The `Host` that browsers send for it."""
        scheme, host, port = self.origin
        name = f"[{host}]" if ":" in host else host
        return name if port == _PORTS[scheme] else f"{name}:{port}"


def public_address(settings: Settings) -> PublicAddress | None:
    """Return the address of PUBLIC_URL, None where it is not set.

    >>> public_address(Settings(public_url="https://docs.example.org/footnote")).prefix
    '/footnote'
    """
    if not settings.public_url:
        return None
    parts = urlsplit(settings.public_url)
    found = origin_of(parts.scheme, parts.netloc)
    return PublicAddress(found, parts.path.rstrip("/")) if found else None


def origin_of(scheme: str, host: str) -> Origin | None:
    """Return the origin of a scheme and a `Host`, None where they name none.

    >>> origin_of("wss", "Docs.example.org")
    ('https', 'docs.example.org', 443)
    """
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port or _PORTS.get(scheme)
    except ValueError:
        return None
    if not name or not port or parts.username is not None or parts.path or parts.query:
        return None
    return _SECURE.get(scheme, "http"), name, port


def is_foreign(method: str, headers: Mapping[str, str], scheme: str) -> bool:
    """Whether a page of another origin made a browser send this; following a link is not that.

    `headers` are found by lower-case names. Programs send neither of the headers that are read.
    """
    if method in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate":
        return False
    origin = headers.get("origin")
    if origin is not None:
        named, _, host = origin.partition("://")
        sent = origin_of(named, host) if named in ("http", "https") else None
        if sent is None or sent != origin_of(scheme, headers.get("host", "")):
            return True
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def is_loopback(bind_address: str) -> bool:
    """Whether a server that listens on this address is reached from this machine alone."""
    return bind_address == "localhost" or ipaddress.ip_address(bind_address).is_loopback


def is_private(settings: Settings) -> bool:
    """Whether this machine alone reaches the server, directly or through a proxy."""
    return is_loopback(settings.bind_address) and not settings.public_url
