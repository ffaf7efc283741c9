"""Web addresses as people type and paste them (pure)."""

from __future__ import annotations

import re

_HOST = re.compile(r"(?:[\w-]+\.)+\w[\w-]+(?::\d+)?(?:[/?#]|$)")
"""A name with a dot at the start of a line: `example.com/report` without its scheme."""


def addresses_in(text: str) -> list[str]:
    """Return the addresses in `text`, one for each line; "https://" is added where it is missing.

    A line with several addresses gives each of them. Any other line is returned as it is, so that
    one message can be shown about it.

    >>> addresses_in("example.com/report\\nhttp://e.org e.net\\nnot a url")
    ['https://example.com/report', 'http://e.org', 'https://e.net', 'not a url']
    """
    addresses: list[str] = []
    for line in text.splitlines():
        parts = [_with_scheme(part) for part in line.split()]
        whole = all("://" in part for part in parts)
        addresses += parts if whole else [" ".join(line.split())]
    return addresses


def _with_scheme(address: str) -> str:
    return f"https://{address}" if _HOST.match(address) else address
