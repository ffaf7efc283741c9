"""PDF: text with a box for each character, by pdfium; by pypdf if pdfium fails."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import DamagedFile, PasswordProtected
from core.parsing.boxes import pack_boxes
from core.parsing.notices import hidden_notice, notices
from core.parsing.pdf.fallback import MOST_PAGES, failed_notice, load_with_pypdf
from core.parsing.pdf.headings import Bookmark, find_headings, is_numbered, printed_title
from core.parsing.pdf.legible import is_better, needs_ocr
from core.parsing.pdf.margins import without_running_lines
from core.parsing.pdf.page import read_page
from core.parsing.pdf.raw import RawPage, empty_page
from core.parsing.pdf.tables import find_tables
from core.parsing.pdf.text import joined, laid_out, vocabulary, with_ligatures
from core.parsing.source import Source
from core.text.invisible import clean
from core.types import Block, DocumentKind, Heading, LoadedDocument, Notice, Page

Progress = Callable[[float], None]

_TEXT_SHARE = 0.3  # of the progress, if pages may need OCR
_SAMPLE = 20_000  # characters by which the script of a document is determined
_NO_TITLE = (
    "untitled", "(anonymous)", "microsoft word -", "microsoft powerpoint -",
    "powerpoint presentation",
)  # fmt: skip
_FILE_NAME = re.compile(
    r"\.(?:docx?|xls[xmb]?|pptx?|odt|rtf|txt|indd|qxd|pages|tex|dvi|pdf)$", re.I
)


def load(source: Source) -> LoadedDocument:
    """Read a PDF by `load_pdf`, or by `load_with_pypdf` if `source.careful` is set."""
    if source.careful:
        return load_with_pypdf(source.path, source.progress, source.password)
    return load_pdf(
        source.path, source.progress, source.begin_ocr, source.ocr_languages, source.password
    )


def load_pdf(
    path: Path,
    progress: Progress,
    begin_ocr: Callable[[], float] | None = None,
    ocr_languages: tuple[str, ...] = (),
    password: str = "",
) -> LoadedDocument:
    """Read a PDF; pages without text are read by OCR, or stay empty and are counted.

    `begin_ocr` is called when the first page needs OCR and returns the seconds that it may take;
    None turns OCR off. Raises `PasswordProtected` and `DamagedFile`.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path, password or None)
    except pypdfium2.PdfiumError:
        # Damaged, or protected: pypdf opens some of either, and says what hinders it.
        return load_with_pypdf(path, progress, password)
    with document:
        return _load(document, progress, begin_ocr, ocr_languages)


def _password_needed() -> int:
    import pypdfium2.raw as pdfium

    return int(pdfium.FPDF_ERR_PASSWORD)


def _load(
    document: Any,
    progress: Progress,
    begin_ocr: Callable[[], float] | None,
    ocr_languages: tuple[str, ...],
) -> LoadedDocument:
    share = _TEXT_SHARE if begin_ocr else 1.0
    raws, failed = _read_pages(document, lambda done: progress(done * share))
    wanting = [index for index, raw in enumerate(raws) if needs_ocr(raw)]
    unread: Notice | None = None
    if wanting and begin_ocr:
        raws, unread = _by_ocr(
            document,
            raws,
            wanting,
            begin_ocr(),
            ocr_languages,
            lambda done: progress(share + done * (1 - share)),
        )
    words = vocabulary(raws)
    empty = sum(raw.drawn and not raw.text.strip() for raw in raws)
    raws = without_running_lines([joined(with_ligatures(raw, words), words) for raw in raws])
    raws = [laid_out(raw) for raw in raws]
    headings = find_headings(raws, list(_outline(document)))
    pages = tuple(_page(i, raw, headings[i]) for i, raw in enumerate(raws))
    hidden = sum(raw.hidden for raw in raws)
    return LoadedDocument(
        DocumentKind.PDF,
        pages,
        title=_title(document) or printed_title(raws),
        notices=notices(
            _empty_notice(empty, len(pages)), unread, failed_notice(failed), hidden_notice(hidden)
        ),
        pages_without_text=empty + len(failed),
    )


def _read_pages(document: Any, progress: Progress) -> tuple[list[RawPage], list[int]]:
    """Return every page, and the numbers of those that are damaged."""
    import pypdfium2

    raws: list[RawPage] = []
    failed: list[int] = []
    total = min(len(document), MOST_PAGES)
    for index in range(total):
        try:
            raws.append(read_page(document, index))
        except pypdfium2.PdfiumError:
            failed.append(index + 1)
            raws.append(empty_page())
        progress((index + 1) / total)
    return raws, failed


def _by_ocr(
    document: Any,
    raws: list[RawPage],
    wanting: list[int],
    seconds: float,
    languages: tuple[str, ...],
    progress: Progress,
) -> tuple[list[RawPage], Notice | None]:
    """Return the pages with OCR results in place of empty ones, within a time limit."""
    try:
        from core.parsing.pdf.ocr import Reader, faults

        reader = Reader(languages)
    except ImportError:
        return raws, _no_ocr_notice()
    legible = (raw.text for raw in raws if raw.unknown == 0)
    if script := reader.unread_script("".join(legible)[:_SAMPLE]):
        return raws, _script_notice(script)
    deadline = time.monotonic() + seconds
    raws, unread = list(raws), 0
    for done, index in enumerate(wanting):
        if time.monotonic() > deadline:
            unread = len(wanting) - done
            break
        try:
            found = reader.read(document[index])
        except faults():
            continue
        if is_better(found, raws[index]):
            raws[index] = found
        progress((done + 1) / len(wanting))
    return raws, _unread_notice(unread, len(wanting)) if unread else None


def _page(ordinal: int, raw: RawPage, headings: tuple[Heading, ...]) -> Page:
    tables = find_tables(raw)
    return Page(
        ordinal,
        raw.text,
        number=ordinal + 1,
        headings=tuple(one for one in headings if not _is_in_row(one, tables)),
        blocks=tables,
        boxes=pack_boxes(raw.boxes),
        width=raw.width,
        height=raw.height,
        ocr=raw.ocr_layer,
    )


def _is_in_row(heading: Heading, tables: Sequence[Block]) -> bool:
    """Whether it is the bold line of a form or a table, with its figures: "TOTAL 5,738"."""
    figures = any(ch.isdigit() for ch in heading.title) and not is_numbered(heading.title)
    return figures and any(one.start <= heading.offset < one.end for one in tables)


def _outline(document: Any) -> Iterator[Bookmark]:
    for entry in document.get_toc(max_depth=8):
        destination = entry.get_dest()
        page = destination.get_index() if destination else None
        if page is not None and (title := clean(entry.get_title()).text.strip()):
            yield Bookmark(title, entry.level + 1, page)


def _title(document: Any) -> str:
    title = " ".join(clean(document.get_metadata_value("Title")).text.split())
    named = title.lower().startswith(_NO_TITLE) or _FILE_NAME.search(title)
    return "" if named or len(title) < 3 else title[:300]


def _empty_notice(empty: int, total: int) -> Notice | None:
    if not empty:
        return None
    have = "has" if empty == 1 else "have"
    return Notice(
        "pages-without-text",
        f"{empty:,} of {total:,} pages {have} no text (scanned?).",
        "Turn OCR on (OCR=true) if it is off; pictures without writing have none to find.",
    )


def _unread_notice(unread: int, total: int) -> Notice:
    return Notice(
        "ocr-out-of-time",
        f"{unread:,} of {total:,} scanned pages were not read: OCR took too long.",
        "Raise OCR_SECONDS and press Retry, or split the file.",
    )


def _script_notice(script: str) -> Notice:
    return Notice(
        "ocr-script",
        f"Scanned pages were not read: the document is in {script} script, "
        "which the models of OCR do not know.",
        "Make them searchable with another program (OCRmyPDF, for example) and add the result.",
    )


def _no_ocr_notice() -> Notice:
    return Notice(
        "ocr-unavailable",
        "Pages without text could not be read: OCR is not installed.",
        "Install rapidocr and press Retry.",
    )


def render(path: Path, ordinal: int, scale: float) -> bytes:
    """Return a page as PNG; the longer side has at most 4,000 pixels.

    Raises `PasswordProtected` and `DamagedFile`.
    """
    import io

    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as document:
            document.init_forms()
            page = document[ordinal]
            scale = min(scale, 4_000 / max(*page.get_size(), 1.0))
            picture = page.render(scale=scale).to_pil()
    except pypdfium2.PdfiumError as error:
        if error.err_code == _password_needed():
            raise PasswordProtected("The PDF is protected by a password.") from None
        raise DamagedFile("The page cannot be drawn.") from None
    except IndexError:
        raise DamagedFile("The PDF has no such page.") from None
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()
