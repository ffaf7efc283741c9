"""Single web addresses: fetched by the worker and kept as the original of their document."""

from __future__ import annotations

from core.config import Settings
from core.errors import BadStatus
from core.storage.files.originals import Originals
from core.types import Document
from core.urls import canonical_url
from scraper.fetch import fetch

__all__ = ["canonical_url", "fetch_original"]


def fetch_original(document: Document, originals: Originals, settings: Settings) -> None:
    """Fetch `document.url` and keep its bytes as the document's original.

    Raises a `FetchError` when the address may not or cannot be read; nothing of an error page is
    kept.
    """
    page = fetch(document.url, settings)
    if page.status != 200 or not page.body:
        raise BadStatus(f"The server answered {page.status} without a page.")
    originals.write(document.session_id, document.id, page.body)
