"""The pages that a site lists in its sitemaps, nested and packed ones included."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from core.errors import FetchError, FetchFailed, InvalidUrl
from core.urls import canonical_url, parse_url
from scraper.fetch import Fetched, gunzipped

MOST_SITEMAPS = 50
MOST_PAGES = 50_000
DEEPEST = 3
"""How far sitemaps may nest."""

_LARGEST = 50 * 1024 * 1024  # unpacked, the limit of the sitemap protocol


@dataclass(frozen=True, slots=True)
class Listed:
    """Canonical addresses of pages, and (address, reason) of each sitemap that was left out."""

    pages: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def read_sitemaps(
    start: Iterable[str],
    host: str,
    get: Callable[[str], Fetched],
    cancelled: Callable[[], bool],
    *,
    most: int = MOST_SITEMAPS,
) -> Listed:
    """Read sitemaps and those that they name; only those of `host` (host and port) are asked for.

    `get` fetches an address or raises a `FetchError`, which is noted and passed over.
    """
    queue = deque((url, 0) for url in dict.fromkeys(start))
    seen: set[str] = set()
    pages: dict[str, None] = {}
    skipped: list[tuple[str, str]] = []
    while queue and len(pages) < MOST_PAGES and not cancelled():
        url, depth = queue.popleft()
        if url in seen:
            continue
        seen.add(url)
        if reason := _refused(url, host, depth, len(seen), most):
            skipped.append((url, reason))
            continue
        try:
            nested, listed = parse_sitemap(get(url).body)
        except FetchError as error:
            skipped.append((url, error.message))
            continue
        queue.extend((inner, depth + 1) for inner in nested)
        pages.update(dict.fromkeys(listed[: MOST_PAGES - len(pages)]))
    return Listed(tuple(pages), tuple(skipped))


def parse_sitemap(data: bytes) -> tuple[list[str], list[str]]:
    """The sitemaps and the pages that a sitemap names (XML, text, either of them gzipped).

    Raises `FetchFailed` when it is none, `FetchTooLarge` when it unpacks to more than 50 MB.
    """
    if data.startswith(b"\x1f\x8b"):
        data = b"".join(gunzipped(iter([data]), _LARGEST))
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return [], _canonical(data.decode("utf-8-sig", "replace").split("\n"))
    root = _parsed(data)
    kind = _name(root)
    if kind not in ("urlset", "sitemapindex"):
        raise FetchFailed("This is no sitemap.")
    places = [inner.text or "" for outer in root for inner in outer if _name(inner) == "loc"]
    found = _canonical(places)
    return (found, []) if kind == "sitemapindex" else ([], found)


def _parsed(data: bytes) -> Any:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        raise FetchFailed("The sitemap is damaged or holds what no sitemap may hold.") from None


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _canonical(places: Iterable[str]) -> list[str]:
    found = []
    for place in places:
        try:
            found.append(canonical_url(place))
        except InvalidUrl:
            continue
        if len(found) == MOST_PAGES:
            break
    return found


def _refused(url: str, host: str, depth: int, count: int, most: int) -> str:
    if parse_url(url).authority != host:
        return "The sitemap is on another host."
    if depth > DEEPEST:
        return f"Sitemaps nest deeper than {DEEPEST}."
    if count > most:
        return f"There are more than {most} sitemaps."
    return ""
