"""Fetch one web page: the only way in which this program reads what a user or a page names.

Redirects are followed by hand, each hop checked like the first address; bodies are read raw and
unpacked by ourselves, both under a cap, and everything under one deadline. The environment's
proxies are not used. No cookie is kept, no script run, no "refresh" of a page obeyed.
"""

from __future__ import annotations

import re
import ssl
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urljoin

import httpcore

from core.config import Settings
from core.errors import (
    AddressNotAllowed,
    BadStatus,
    FetchFailed,
    FetchTimeout,
    FetchTooLarge,
    InvalidUrl,
)
from core.urls import WebAddress, check_port, parse_allowed, parse_url, shown_url
from scraper.connection import Deadline, GuardedBackend

USER_AGENT = "Footnote/0.1"
MOST_REDIRECTS = 5

_REDIRECTS = {301, 302, 303, 307, 308}
_REASONS = {
    401: "wants a login",
    403: "refuses the page",
    404: "has no page there",
    410: "says that the page is gone",
    429: "asks to come back later: too many requests",
    500: "failed",
    502: "failed",
    503: "is not available for now",
    504: "failed",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server sent for one address.

    `url` and `final_url` (after redirects) are as they may be shown and cited: without
    credentials and secret parameters. `content_type` is the bare type in lower case, as the
    server claims it; `charset` what it claims of the text. `body` is unpacked, complete, and
    empty with `not_modified` (status 304). `received` counts what came over the wire and
    `requests` how many were made, redirects included.
    """

    url: str
    final_url: str
    status: int
    content_type: str
    body: bytes
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    not_modified: bool = False
    received: int = 0
    requests: int = 1


def fetch(
    url: str,
    settings: Settings,
    *,
    deadline: float | None = None,
    max_bytes: int | None = None,
    headers: Mapping[str, str] | None = None,
    follow: bool = True,
) -> Fetched:
    """Fetch a page that came complete with status 200 or, to a conditional request, 304.

    `deadline` is an instant of `time.monotonic()`, by default `fetch_seconds` from now;
    `max_bytes` caps the unpacked body, by default `fetch_max_mb`. `headers` go to the host of
    `url` alone. Without `follow`, a redirect is a `BadStatus`. Raises a `FetchError`:
    `InvalidUrl`, `AddressNotAllowed`, `FetchFailed`,
    `FetchTooLarge`, `FetchTimeout` or `BadStatus`.
    """
    allowed = parse_allowed(settings.allowed_private_hosts)
    address = first = parse_url(url)
    limit = max_bytes if max_bytes is not None else settings.fetch_max_mb * 1024 * 1024
    until = Deadline(
        deadline if deadline is not None else time.monotonic() + settings.fetch_seconds,
        first.host,
    )
    for hop in range(MOST_REDIRECTS + 1):
        own = dict(headers or {}) if address.host == first.host else {}
        with _named_if_redirected(hop):
            check_port(address, allowed)
            backend = GuardedBackend(allowed, until)
            result = _request(address, backend, own, limit)
        if isinstance(result, Fetched):
            return _about(result, first, address, hop + 1)
        if not follow:
            raise BadStatus(f"{first.host} redirects to another address.", status=302)
        with _named_if_redirected(hop + 1):
            address = parse_url(urljoin(address.url, result))
    raise FetchFailed(
        f"{first.host} redirects too often (more than {MOST_REDIRECTS} times).",
        "Open the address in a browser and add the one that it ends at.",
    )


def _request(
    address: WebAddress, backend: GuardedBackend, headers: Mapping[str, str], limit: int
) -> Fetched | str:
    """One request: what came, or the address that it redirects to (its body is left unread)."""
    url = httpcore.URL(
        scheme=address.scheme, host=address.host, port=address.port, target=address.target
    )
    asked = {
        "Host": address.authority,
        "User-Agent": USER_AGENT,
        "Accept": "text/html, application/xhtml+xml, application/pdf;q=0.9, */*;q=0.5",
        "Accept-Encoding": "gzip, identity",
        "Connection": "close",
        **headers,
    }
    try:
        with (
            httpcore.ConnectionPool(ssl_context=_tls(), network_backend=backend) as pool,
            pool.stream("GET", url, headers=list(asked.items())) as response,
        ):
            return _read(response, backend, address, limit)
    except httpcore.TimeoutException:
        raise FetchTimeout(f"{address.host} did not send the whole page in time.") from None
    except _FAILURES:
        raise FetchFailed(f"{address.host} broke off before the page was complete.") from None


_FAILURES = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    httpcore.ConnectionNotAvailable,
)


def _read(
    response: httpcore.Response, backend: GuardedBackend, address: WebAddress, limit: int
) -> Fetched | str:
    headers = {
        name.decode("latin-1").lower(): value.decode("latin-1").strip()
        for name, value in response.headers
    }
    if response.status in _REDIRECTS and headers.get("location"):
        return headers["location"]
    body = b""
    if response.status != 304:
        _check_status(response.status, headers, address.host)
        length = _announced(headers)
        if length is not None and length > limit:
            raise _too_large(limit)
        pieces = _capped(response.iter_stream(), limit)
        body = b"".join(unpacked(pieces, headers.get("content-encoding", ""), limit))
        if length is not None and length != backend.streams[-1].body_received:
            raise FetchFailed(f"{address.host} sent another length than it announced.")
    kind, charset = _content_type(headers.get("content-type", ""))
    return Fetched(
        url="",
        final_url="",
        status=response.status,
        content_type=kind,
        body=body,
        charset=charset,
        etag=headers.get("etag", ""),
        last_modified=headers.get("last-modified", ""),
        not_modified=response.status == 304,
        received=backend.streams[-1].received,
    )


def _check_status(status: int, headers: Mapping[str, str], host: str) -> None:
    if status == 200:
        return
    if status in (204, 205, 206):
        raise BadStatus(f"{host} sent no whole page (status {status}).", status=status)
    after = headers.get("retry-after", "")
    wait = int(after) if re.fullmatch("[0-9]{1,6}", after) else None
    reason = _REASONS.get(status, "gives no page")
    again = f" It can be tried again in {wait:,} seconds." if wait else ""
    raise BadStatus(f"{host} {reason} (status {status}).{again}", status=status, retry_after=wait)


def _announced(headers: Mapping[str, str]) -> int | None:
    """The Content-Length, where it counts: chunked transfer makes it void."""
    length = headers.get("content-length", "")
    counts = re.fullmatch("[0-9]{1,20}", length) and "transfer-encoding" not in headers
    return int(length) if counts else None


def _content_type(header: str) -> tuple[str, str]:
    kind, _, parameters = header.partition(";")
    match = re.search(r"(?i)charset\s*=\s*[\"']?([\w.:-]+)", parameters)
    return kind.strip().lower(), match[1].lower() if match else ""


def _too_large(limit: int) -> FetchTooLarge:
    return FetchTooLarge(f"The page is too large: more than {limit / 1024 / 1024:,.1f} MB.")


def _capped(pieces: Iterator[bytes], limit: int) -> Iterator[bytes]:
    """The pieces as they come; raises `FetchTooLarge` once they are more than `limit` bytes."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            raise _too_large(limit)
        yield piece


def unpacked(pieces: Iterator[bytes], encoding: str, limit: int) -> Iterator[bytes]:
    """Undo a Content-Encoding without ever holding more than `limit` unpacked bytes.

    Only "identity" and "gzip" are asked for; everything else, and several at once, is refused.
    Raises `FetchTooLarge` and `FetchFailed`.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return pieces
    if encoding not in ("gzip", "x-gzip"):
        raise FetchFailed("The page is packed in a way that was not asked for.")
    return gunzipped(pieces, limit)


def gunzipped(pieces: Iterator[bytes], limit: int) -> Iterator[bytes]:
    """Unpack gzip data piece by piece, several members included.

    Raises `FetchTooLarge` as soon as more than `limit` bytes have come out, `FetchFailed` when
    the data is damaged or cut off.
    """
    total = 0
    unpacker = None
    for piece in pieces:
        while piece:
            unpacker = unpacker or zlib.decompressobj(31)
            try:
                text = unpacker.decompress(piece, min(65_536, limit - total + 1))
            except zlib.error:
                raise FetchFailed("The packed page is damaged.") from None
            total += len(text)
            if total > limit:
                raise _too_large(limit)
            yield text
            piece = unpacker.unconsumed_tail
            if unpacker.eof:
                piece, unpacker = unpacker.unused_data.lstrip(b"\0"), None
    if unpacker is not None:
        yield from _rest(unpacker, limit - total)


def _rest(unpacker: zlib._Decompress, room: int) -> Iterator[bytes]:
    """What the unpacker still holds back when all input is in; it must come to its end."""
    while text := unpacker.decompress(unpacker.unconsumed_tail, min(65_536, room + 1)):
        room -= len(text)
        if room < 0:
            raise FetchTooLarge("The page is too large once it is unpacked.")
        yield text
    if not unpacker.eof:
        raise FetchFailed("The packed page was cut off.")


def _about(result: Fetched, first: WebAddress, last: WebAddress, requests: int) -> Fetched:
    return replace(
        result, url=shown_url(first.url), final_url=shown_url(last.url), requests=requests
    )


@contextmanager
def _named_if_redirected(hop: int) -> Iterator[None]:
    """Add to an error after a redirect that the address given is not the cause."""
    try:
        yield
    except (AddressNotAllowed, InvalidUrl) as error:
        if not hop:
            raise
        raise type(error)(
            f"The page redirects to an address that is refused. {error.message}"
        ) from None


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """One TLS context for all: certificates are verified against the usual authorities."""
    return httpcore.default_ssl_context()
