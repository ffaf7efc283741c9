"""Keep the page numbers of the sample library's golden set in step with the handbook."""

from __future__ import annotations

import json
from pathlib import Path


def page_texts(pdf: Path) -> list[str]:
    """The text of every page as pypdfium2 extracts it, with white space normalised."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]
    finally:
        document.close()


def set_pages(golden: Path) -> int:
    """Write the page of every quotation into `golden`; gives how many lines changed.

    Raises `ValueError` naming the quotations that stand on no page of their PDF.
    """
    texts: dict[str, list[str]] = {}
    missing: list[str] = []
    before = golden.read_text("utf-8").splitlines()
    after = []
    for line in before:
        item = json.loads(line)
        for source in item["sources"]:
            name = source["document"]
            if name.endswith(".pdf"):
                pages = texts.setdefault(name, page_texts(golden.parent / name))
                page = _page_of(source["quote"], source["page"], pages)
                if page is None:
                    missing.append(f"{item['id']}: {source['quote']}")
                source["page"] = page or source["page"]
        after.append(json.dumps(item, ensure_ascii=False))
    if missing:
        raise ValueError("On no page of the handbook:\n" + "\n".join(missing))
    golden.write_text("\n".join(after) + "\n", "utf-8")
    return sum(old != new for old, new in zip(before, after, strict=True))


def _page_of(quote: str, page: int | None, pages: list[str]) -> int | None:
    """The page (from 1) that holds the quotation; the old one if it still does; None: no page."""
    if page is not None and page <= len(pages) and quote in pages[page - 1]:
        return page
    for number, text in enumerate(pages, 1):
        if quote in text:
            return number
    return None
