"""Loaders: one file a format, chosen by content. They run inside the child process."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

from core.errors import NoReadableText, TooLarge
from core.parsing.detect import detect
from core.types import DocumentKind, LoadedDocument, Notice

_MOST_CHARACTERS = 50_000_000  # some 20,000 pages of a book
_BYTES_A_CHARACTER = 4  # at most, in any encoding
_SUFFIXES = {
    ".pdf": DocumentKind.PDF,
    ".docx": DocumentKind.DOCX,
    ".pptx": DocumentKind.PPTX,
    ".html": DocumentKind.HTML,
    ".htm": DocumentKind.HTML,
    ".md": DocumentKind.MARKDOWN,
    ".csv": DocumentKind.CSV,
    ".txt": DocumentKind.TEXT,
}
_SHOWN = {
    DocumentKind.PDF: "a PDF",
    DocumentKind.TEXT: "plain text",
    DocumentKind.MARKDOWN: "Markdown",
    DocumentKind.HTML: "HTML",
    DocumentKind.DOCX: "a Word document (DOCX)",
    DocumentKind.PPTX: "a presentation (PPTX)",
    DocumentKind.CSV: "a table (CSV)",
}


def load(
    path: Path,
    *,
    name: str,
    url: str = "",
    ocr: bool = False,
    progress: Callable[[float], None],
    begin_ocr: Callable[[], float] = lambda: math.inf,
    careful: bool = False,
) -> LoadedDocument:
    """Read a document of any kind; its type is found by its content.

    HTML that was fetched from `url` is read as a web page: its main text, without what surrounds
    it; an uploaded file is read whole. `progress` is told the share done, 0 to 1. `begin_ocr` is
    called before the first page is read by OCR and gives the seconds that all such pages may
    take. `careful` keeps to readers written in Python, after others died. Raises subclasses of
    `IngestionError`.
    """
    with path.open("rb") as stream:
        kind = detect(stream, name)
    if kind is DocumentKind.HTML and url:
        from core.parsing.html.web_page import page, to_loaded

        loaded = to_loaded(page(path.read_bytes(), url))
    elif kind is DocumentKind.PDF and careful:
        from core.parsing.pdf.fallback import load_with_pypdf

        loaded = load_with_pypdf(path, progress)
    else:
        loaded = _read(path, kind, progress, begin_ocr if ocr else None)
    if not any(page.text.strip() for page in loaded.pages):
        raise _nothing(loaded)
    _check_length(sum(len(page.text) for page in loaded.pages))
    mismatch = () if url else _mismatch(kind, name)
    return replace(loaded, notices=(*mismatch, *loaded.notices))


def _read(
    path: Path,
    kind: DocumentKind,
    progress: Callable[[float], None],
    begin_ocr: Callable[[], float] | None,
) -> LoadedDocument:
    """Each loader is imported when it is needed, so that a child starts quickly."""
    if kind is DocumentKind.PDF:
        from core.parsing.pdf.load import load_pdf

        return load_pdf(path, progress, begin_ocr)
    if kind is DocumentKind.DOCX:
        from core.parsing.office.docx import load_docx

        return load_docx(path)
    if kind is DocumentKind.PPTX:
        from core.parsing.office.pptx import load_pptx

        return load_pptx(path, progress)
    _check_length(path.stat().st_size // _BYTES_A_CHARACTER)
    data = path.read_bytes()
    if kind is DocumentKind.HTML:
        from core.parsing.html.load import load_html

        return load_html(data)
    if kind is DocumentKind.MARKDOWN:
        from core.parsing.markdown import load_markdown

        return load_markdown(data)
    if kind is DocumentKind.CSV:
        from core.parsing.csv import load_csv

        return load_csv(data)
    from core.parsing.text import load_text

    return load_text(data)


def _check_length(characters: int) -> None:
    if characters > _MOST_CHARACTERS:
        raise TooLarge(
            f"The file holds more than {_MOST_CHARACTERS // 1_000_000} million characters of text."
        )


def _nothing(loaded: LoadedDocument) -> NoReadableText:
    if loaded.kind is DocumentKind.PDF:
        count = len(loaded.pages)
        return NoReadableText(
            f"No text was found on the {count:,} pages (scanned?)."
            if count > 1
            else "No text was found on the only page (scanned?)."
        )
    return NoReadableText("The file was read, but there is no text in it.", "")


def _mismatch(kind: DocumentKind, name: str) -> tuple[Notice, ...]:
    suffix = PurePosixPath(name.lower()).suffix
    named = _SUFFIXES.get(suffix)
    if named is None or named is kind:
        return ()
    text = f"The name ends in {suffix}, but the content is {_SHOWN[kind]}: it was read as that."
    return (Notice("type-by-content", text, level="info"),)
