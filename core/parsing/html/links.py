"""The links of a page in canonical form, and those that make up a documentation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from core.errors import InvalidUrl
from core.urls import canonical_url

MOST_LINKS = 5_000
"""Links of one page that are followed; the rest is ignored."""


@dataclass(frozen=True, slots=True)
class TitledLink:
    """A link of a table of contents: canonical address and link text."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page in canonical form, in order, without duplicates.

    `contents` are those in the tables of a start page of Sphinx, `toctree` those in its lists of
    sub-pages; `next` is the next page in reading order. `unusable` counts links that are not web
    addresses (mail, scripts). `index` and `follow` are what the page allows robots to do.
    """

    every: tuple[str, ...] = ()
    contents: tuple[TitledLink, ...] = ()
    toctree: tuple[TitledLink, ...] = ()
    next: tuple[TitledLink, ...] = ()
    unusable: int = 0
    index: bool = True
    follow: bool = True


def page_links(root: Any, url: str) -> PageLinks:
    """Return the links of a parsed page that was fetched from `url`."""
    base = _base(root, url)
    every, unusable = _canonical(root.xpath("//a/@href | //area/@href"), base)
    robots = ",".join(root.xpath("//meta[translate(@name, 'ROBTS', 'robts') = 'robots']/@content"))
    words = {word.strip().lower() for word in robots.split(",")}
    return PageLinks(
        every=every,
        contents=_titled(root.xpath(_within("contentstable")), base),
        toctree=_titled(root.xpath(_within("toctree-wrapper")), base),
        next=_titled(root.xpath("//head/link[@rel='next'][@href]")[:1], base),
        unusable=unusable,
        index=not words & {"noindex", "none"},
        follow=not words & {"nofollow", "none"},
    )


def _within(name: str) -> str:
    return f"//*[contains(concat(' ', @class, ' '), ' {name} ')]//a[@href]"


def _base(root: Any, url: str) -> str:
    for base in root.xpath("//head/base/@href")[:1]:
        try:
            return urljoin(url, str(base))
        except ValueError:
            return url
    return url


def _canonical(links: list[Any], base: str) -> tuple[tuple[str, ...], int]:
    found: dict[str, None] = {}
    unusable = 0
    for link in links[:MOST_LINKS]:
        try:
            found[canonical_url(urljoin(base, str(link).strip()))] = None
        except (InvalidUrl, ValueError):
            unusable += 1
    return tuple(found), unusable


def _titled(elements: list[Any], base: str) -> tuple[TitledLink, ...]:
    found: dict[str, TitledLink] = {}
    for element in elements[:MOST_LINKS]:
        title = " ".join((element.get("title") or "".join(element.itertext())).split())
        for url in _canonical([element.get("href")], base)[0]:
            found.setdefault(url, TitledLink(url, title))
    return tuple(found.values())
