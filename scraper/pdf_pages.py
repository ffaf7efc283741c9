"""PDFs that a crawl meets: kept as files, and read in a child process like any other PDF."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from core.config import Settings
from core.errors import IngestionError, NoReadableText
from core.parsing.html.links import PageLinks
from core.parsing.html.web_page import WebPage
from core.parsing.html.worker import ReadPage
from core.types import Block, DocumentKind, Heading, LoadedDocument, Notice
from core.urls import parse_url

_SCANNED = Notice(
    "pages-without-text", "Its pages are pictures: they are read by OCR when it becomes a document."
)


@dataclass(frozen=True, slots=True)
class PdfFolder:
    """The PDFs of one crawl, each under the SHA-256 of its bytes."""

    folder: Path
    settings: Settings

    def read(self, body: bytes, url: str, cancelled: Callable[[], bool]) -> ReadPage:
        """Keep a PDF and read it. Pages without text are not read by OCR here.

        What cannot be read is not kept: the reason is in the result.
        """
        from core.parsing.sandbox import load_in_child  # brings pypdfium2's limits: when needed

        name = hashlib.sha256(body).hexdigest()
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f"{name}.new")
        fresh.write_bytes(body)
        fresh.replace(path)
        try:
            quick = self.settings.model_copy(update={"ocr": False})
            loaded = load_in_child(path, name=f"{name}.pdf", settings=quick, cancelled=cancelled)
        except NoReadableText as error:
            if not self.settings.ocr:
                path.unlink()
                return ReadPage(None, PageLinks(), error.code, error.message, error.cure)
            page = WebPage(_title("", url), url, "", notices=(_SCANNED,), file=name)
            return ReadPage(page, PageLinks())
        except IngestionError as error:
            path.unlink()
            return ReadPage(None, PageLinks(), error.code, error.message, error.cure)
        if loaded.kind is not DocumentKind.PDF:
            path.unlink()
            return ReadPage(None, PageLinks(), "UnsupportedType", "It only looks like a PDF.")
        return ReadPage(_page(loaded, url, name), PageLinks())

    def path(self, name: str) -> Path:
        """Where a PDF is kept, by the SHA-256 of its bytes."""
        return pdf_file(self.folder, name)

    def sweep(self, kept: set[str]) -> None:
        """Remove the PDFs that no page of the crawl is made of any more."""
        for path in (self.folder / "files").glob("*"):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def pdf_file(folder: Path, name: str) -> Path:
    """Where a crawl in this folder keeps a PDF, by the SHA-256 of its bytes."""
    return folder / "files" / name


def is_pdf(body: bytes) -> bool:
    """Whether bytes begin as a PDF does.

    >>> is_pdf(b"%PDF-1.7 and so on"), is_pdf(b"<html>%PDF-")
    (True, False)
    """
    return body.lstrip(b"\x00\t\n\f\r \xef\xbb\xbf").startswith(b"%PDF-")


def _page(loaded: LoadedDocument, url: str, file: str) -> WebPage:
    """The PDF as a page: the text of all its pages, with their headings and blocks."""
    texts: list[str] = []
    headings: list[Heading] = []
    blocks: list[Block] = []
    at = 0
    for page in loaded.pages:
        headings += [replace(h, offset=h.offset + at) for h in page.headings]
        blocks += [replace(b, start=b.start + at, end=b.end + at) for b in page.blocks]
        texts.append(page.text)
        at += len(page.text) + 2
    return WebPage(
        title=_title(loaded.title, url),
        url=url,
        markdown="\n\n".join(texts),
        headings=tuple(headings),
        blocks=tuple(blocks),
        language=loaded.language,
        notices=loaded.notices,
        file=file,
    )


def _title(title: str, url: str) -> str:
    address = parse_url(url)
    last = unquote(address.target.partition("?")[0].rstrip("/").rpartition("/")[2])
    return " ".join(title.split()) or last or address.host
