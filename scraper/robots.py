"""What a site asks of robots (RFC 9309), and what is done when it cannot be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.config import Settings
from core.errors import BadStatus, FetchError
from scraper.fetch import fetch

FORBIDDEN = "The site asks robots not to read it (robots.txt)."
_AGENT = "Footnote"
_LARGEST = 512 * 1024
_LONGEST_DELAY = 30.0  # seconds; a site that asks for more would never be finished


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one host. `delay` is in seconds between requests, 0 when it asks for none.

    `closed` says in words why nothing of the site may be read, "" when some may.
    """

    rules: Any = None
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()
    closed: str = ""

    def allows(self, url: str) -> bool:
        """Whether a page may be read."""
        if self.closed:
            return False
        return self.rules is None or bool(self.rules.can_fetch(url, _AGENT))


def read_robots(origin: str, settings: Settings) -> Robots:
    """Ask a site (`http://host:port`) for its rules.

    No rules (a status of 4xx) allow everything. A site that fails to answer (5xx, no connection,
    a file of more than 512 KB) is not read at all: its rules are unknown.
    """
    try:
        fetched = fetch(f"{origin}/robots.txt", settings, max_bytes=_LARGEST)
    except BadStatus as error:
        if 400 <= error.status < 500 and error.status != 429:
            return Robots()
        return Robots(closed=_closed(error))
    except FetchError as error:
        return Robots(closed=_closed(error))
    return parse_robots(fetched.body.decode("utf-8", "replace"))


def parse_robots(text: str) -> Robots:
    """The rules in the text of a robots.txt.

    >>> parse_robots("User-agent: *\\nDisallow: /private").allows("http://e.org/private/a")
    False
    """
    from protego import Protego

    rules = Protego.parse(text)
    delay = rules.crawl_delay(_AGENT) or 0.0
    return Robots(rules, min(max(float(delay), 0.0), _LONGEST_DELAY), tuple(rules.sitemaps)[:50])


def _closed(error: FetchError) -> str:
    return f"The rules of the site (robots.txt) could not be read: {error.message}"
