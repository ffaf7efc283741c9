"""What came is judged by its content, and what is no page is refused in plain words."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest

from core.errors import BadStatus, UnsupportedType
from core.parsing.html import web_page
from scraper.fetch import fetch
from tests.scraper.site import Reply, serving

pytestmark = pytest.mark.A14


def packed() -> bytes:
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.txt", "text")
    return data.getvalue()


@pytest.mark.parametrize(
    ("body", "claimed"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "text/html"),
        (b"\n\n%PDF-1.4\n1 0 obj\nendobj\ntrailer\n%%EOF", "text/html"),
        (packed(), "application/pdf"),
        (packed(), "text/html"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "text/html"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png"),
        (b"GIF89a" + bytes(64), "text/plain"),
        (b"\x7fELF" + bytes(64), "text/html"),
    ],
)
def test_what_is_no_page_is_not_read_as_one(body: bytes, claimed: str) -> None:
    with serving({"/": Reply(body, content_type=claimed)}) as site:
        fetched = fetch(f"{site.url}/", site.settings())
    assert fetched.body == body
    with pytest.raises(UnsupportedType) as caught:
        web_page.page(fetched.body, fetched.final_url, fetched.content_type)
    assert caught.value.cure


def test_a_page_that_claims_to_be_a_pdf_is_read_as_a_page() -> None:
    html = "<html><title>T</title><body><p>" + "A sentence of a page. " * 20 + "</p></body></html>"
    page = web_page.page(html.encode(), "http://example.com/", "application/pdf")
    assert "A sentence of a page." in page.markdown


@pytest.mark.parametrize("status", [204, 205, 206])
def test_no_whole_page(status: int) -> None:
    with (
        serving({"/": Reply(status=status)}) as site,
        pytest.raises(BadStatus, match=str(status)),
    ):
        fetch(f"{site.url}/", site.settings())
