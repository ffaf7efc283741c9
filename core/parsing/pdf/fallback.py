"""PDFs that pdfium cannot open: pypdf reads their text, without boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import DamagedFile, PasswordProtected
from core.parsing.notices import hidden_notice, notices
from core.text.invisible import clean
from core.types import DocumentKind, LoadedDocument, Notice, Page

MOST_PAGES = 20_000
"""Pages of one PDF that are read."""

_PYPDF_FAULTS: tuple[type[Exception], ...] = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OSError,
    AssertionError,
    ArithmeticError,
    NotImplementedError,  # an encryption or a filter that pypdf does not support
    RecursionError,
)
"""Exceptions that pypdf raises for damaged files besides its own errors."""


def load_with_pypdf(
    path: Path, progress: Callable[[float], None], password: str = ""
) -> LoadedDocument:
    """Read a PDF that pdfium cannot: text alone, no boxes.

    Raises `PasswordProtected` and `DamagedFile`.
    """
    from pypdf import PdfReader
    from pypdf.errors import DeprecationError, PyPdfError

    faults: tuple[type[Exception], ...] = (*_PYPDF_FAULTS, PyPdfError, DeprecationError)
    failed: list[int] = []
    pages: list[Page] = []
    hidden = 0
    try:
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted and not reader.decrypt(password):
            raise PasswordProtected(
                "The password does not open the PDF."
                if password
                else "The PDF is protected by a password.",
                PasswordProtected.cure_of_pdf,
            )
        total = len(reader.pages)
    except faults:
        raise DamagedFile("The PDF is damaged: its structure cannot be read.") from None
    if not total:
        raise DamagedFile("The PDF is damaged: it has no pages.")
    for index in range(min(total, MOST_PAGES)):
        try:
            cleaned = clean(reader.pages[index].extract_text())
        except faults:
            failed.append(index + 1)
            cleaned = clean("")
        hidden += cleaned.dropped
        pages.append(Page(index, cleaned.text.strip(), number=index + 1))
        progress((index + 1) / total)
    return LoadedDocument(
        DocumentKind.PDF,
        tuple(pages),
        notices=notices(_simple_notice(), failed_notice(failed), hidden_notice(hidden)),
        pages_without_text=sum(not page.text for page in pages),
    )


def failed_notice(failed: list[int]) -> Notice | None:
    if not failed:
        return None
    shown = ", ".join(map(str, failed[:10])) + (" and more" if len(failed) > 10 else "")
    return Notice(
        "pages-unreadable",
        f"{len(failed):,} pages are damaged and could not be read: {shown}.",
        DamagedFile.cure,
    )


def _simple_notice() -> Notice:
    return Notice(
        "pdf-text-only",
        "The PDF is damaged; only its text was read, so passages cannot be marked on its pages.",
        DamagedFile.cure,
    )
