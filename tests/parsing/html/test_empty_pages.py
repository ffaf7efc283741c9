"""A page without text to read is an error that says so."""

from __future__ import annotations

import pytest

from core.errors import NoReadableText
from core.parsing.html import web_page

pytestmark = pytest.mark.A16

WALL = """<html><head><title>News</title></head><body><div class="cookie-consent">
<p>We use cookies.</p><button>Accept all</button></div></body></html>"""


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \n\t ",
        b"\xef\xbb\xbf",
        b"<html></html>",
        b'<html><body><div id="root"></div><script src="app.js"></script></body></html>',
        b"<html><body><noscript>You need to enable JavaScript to run this app.</noscript>"
        b'<div id="root"></div></body></html>',
        WALL.encode(),
    ],
    ids=["none", "spaces", "bom", "bare", "script", "noscript", "cookies"],
)
def test_no_readable_text(body: bytes) -> None:
    with pytest.raises(NoReadableText, match=r"no readable text|asks for cookies") as caught:
        web_page.page(body, "http://example.com/", "text/html")
    assert caught.value.cure
