"""What the tests of part B share: a crawl of a site on loopback without waiting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scraper.crawl import crawl
from scraper.crawl_plan import Limits, Observer, Plan, Report
from tests.scraper.site import Site

FAST = Limits(delay=0.0, pages=30, depth=1_000)


def text_page(title: str, *links: str, text: str = "") -> str:
    """A page with a text of its own and links."""
    anchors = "".join(f'<li><a href="{link}">more</a></li>' for link in links)
    body = text or f"The {title} tells of {title} and of nothing else."
    return (
        f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p>{body}</p></main><ul>{anchors}</ul></body></html>"
    )


def crawled(
    site: Site,
    folder: Path,
    *,
    limits: Limits = FAST,
    cancelled: Callable[[], bool] = lambda: False,
    sitemaps: bool = False,
    **changes: object,
) -> Report:
    """Crawl a site from its first page."""
    limits = replace(limits, **changes)
    plan = Plan((f"{site.url}/",), limits, sitemaps=sitemaps)
    return crawl(plan, folder, site.settings(), Observer(cancelled=cancelled))
