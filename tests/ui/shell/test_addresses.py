"""Web addresses as people type them."""

from __future__ import annotations

import pytest

from core.ui.shell.addresses import addresses_in


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("", []),
        ("  \n \n", []),
        ("https://e.org/a b\n", ["https://e.org/a b"]),
        ("https://e.org/a\r\nhttp://e.net", ["https://e.org/a", "http://e.net"]),
        ("https://e.org http://e.net", ["https://e.org", "http://e.net"]),
        ("example.com", ["https://example.com"]),
        (" www.example.co.uk/a?b=c#d ", ["https://www.example.co.uk/a?b=c#d"]),
        ("example.com:8080/a", ["https://example.com:8080/a"]),
        ("münchen.de", ["https://münchen.de"]),
        ("not a url", ["not a url"]),
        ("see example.com", ["see example.com"]),
        ("javascript:alert(1)", ["javascript:alert(1)"]),
        ("mailto:a@e.org", ["mailto:a@e.org"]),
        ("ftp://e.org/a", ["ftp://e.org/a"]),
        ("localhost:8000", ["localhost:8000"]),
    ],
)
def test_addresses(text: str, addresses: list[str]) -> None:
    assert addresses_in(text) == addresses
