"""Detect the format of a file from its content; its name only distinguishes formats of text.

PDF and HTML, whose signatures need not come first, have rules of their own here. All other
formats are detected as their entry in `core.types.formats` says.
"""

from __future__ import annotations

import re
import zipfile
from typing import BinaryIO

from core.errors import DamagedFile, EmptyFile, PasswordProtected, UnsupportedType
from core.parsing.data import is_json
from core.parsing.encodings import decode, looks_like_text
from core.types import DocumentKind

_HEAD = 4096
READABLE = f"Add {DocumentKind.files()}; save other formats as one of these."
"""The cure for a file of a format that cannot be read."""

_MAGIC: tuple[tuple[bytes, str, str | None], ...] = (
    (b"MZ", "a Windows program", None),
    (b"\x7fELF", "a program", None),
    (b"\xcf\xfa\xed\xfe", "a program", None),
    (b"\x89PNG", "a picture (PNG)", "Print it to a PDF; pages without text are read by OCR."),
    (b"\xff\xd8\xff", "a picture (JPEG)", "Print it to a PDF; pages without text are read by OCR."),
    (b"GIF8", "a picture (GIF)", "Print it to a PDF; pages without text are read by OCR."),
    (b"II*\0", "a picture (TIFF)", "Print it to a PDF; pages without text are read by OCR."),
    (b"MM\0*", "a picture (TIFF)", "Print it to a PDF; pages without text are read by OCR."),
    (b"\x1f\x8b", "a compressed file (gzip)", "Unpack it and add what is in it."),
    (b"BZh", "a compressed file (bzip2)", "Unpack it and add what is in it."),
    (b"\xfd7zXZ", "a compressed file (xz)", "Unpack it and add what is in it."),
    (b"7z\xbc\xaf", "an archive (7z)", "Unpack it and add what is in it."),
    (b"Rar!", "an archive (RAR)", "Unpack it and add what is in it."),
    (b"{\\rtf", "a Rich Text file (RTF)", "Open it in a word processor and save it as DOCX."),
    (b"%!PS", "PostScript", "Convert it to PDF."),
    (b"ID3", "a sound recording", None),
    (b"OggS", "a sound recording", None),
    (b"RIFF", "a picture, sound or video file", None),
    (b"SQLite format 3\0", "a database (SQLite)", "Export its tables as CSV."),
    (b"PAR1", "a table in Parquet form", "Export it as CSV."),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE = (b"word/", b"ppt/", b"xl/")
_OBJECT = re.compile(rb"^\d+ \d+ obj\b", re.MULTILINE)
_HTML_ROOT = re.compile(rb"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_HTML_TAG = re.compile(
    rb"</(?:p|div|a|h[1-6]|table|td|li|ul|ol|span|pre|section|article)\s*>", re.IGNORECASE
)
_ZIPS: tuple[tuple[str, str, str], ...] = (
    ("xl/workbook.bin", "an Excel workbook of the binary form (.xlsb)", "Save it as XLSX."),
    ("META-INF/container.xml", "an e-book (EPUB)", "Convert it to PDF or HTML."),
    ("META-INF/manifest.xml", "an OpenDocument file", "Save it as DOCX, PPTX, XLSX or PDF."),
    ("AndroidManifest.xml", "a program (APK)", ""),
    ("META-INF/MANIFEST.MF", "a program (JAR)", ""),
    ("visio/", "a Visio drawing", "Print it to a PDF."),
    ("word/", "a damaged Word file", "Open it in Word and save it again."),
    ("xl/", "a damaged Excel file", "Open it in Excel and save it again."),
    ("ppt/", "a damaged PowerPoint file", "Open it in PowerPoint and save it again."),
)


def detect(stream: BinaryIO, name: str) -> DocumentKind:
    """Return the format of the document in `stream`, whose position changes.

    Raises `EmptyFile`, `UnsupportedType` (its message names the format if it is a common one),
    `PasswordProtected` (encrypted office files) and `DamagedFile` (a broken ZIP).
    """
    stream.seek(0)
    head = stream.read(_HEAD)
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return _zip_kind(stream, head)
    for kind in DocumentKind:
        if kind.spec.magic and head.startswith(kind.spec.magic):
            return kind
    if _is_late_pdf(stream, head):
        return DocumentKind.PDF
    if head.startswith(_OLE):
        raise _old_office(stream)
    stream.seek(0)
    data = stream.read()
    _refuse_empty(data)
    if not (text := looks_like_text(data)) or head.startswith((b"{\\rtf", b"%!PS")):
        raise _unsupported(head, text)
    return _text_kind(data, name)


def _refuse_empty(data: bytes) -> None:
    if not data:
        raise EmptyFile("The file is empty (0 bytes).")
    if len(data) == 1:
        raise EmptyFile("The file is empty (1 byte).")
    if len(data) < 1_000_000 and not decode(data).text.strip().strip("\ufeff\0").strip():
        raise EmptyFile("The file is empty: it holds nothing but white space.")


def _is_late_pdf(stream: BinaryIO, head: bytes) -> bool:
    """Whether a PDF begins after other bytes; PDF readers accept up to 1,024 of them."""
    if b"%PDF-" not in head[:1024] and not _OBJECT.search(head[:1024]):
        return False
    stream.seek(0)
    rest = stream.read()
    return b"endobj" in rest and (b"startxref" in rest or b"trailer" in rest)


def _unsupported(head: bytes, text: bool) -> UnsupportedType:
    for magic, what, cure in _MAGIC:
        if head.startswith(magic):
            return UnsupportedType(
                f"This seems to be {what}, which cannot be read.", cure or READABLE
            )
    what = "no kind of document that is known" if text else "binary data, not a document"
    return UnsupportedType(f"This seems to be {what}.", READABLE)


def _old_office(stream: BinaryIO) -> UnsupportedType | PasswordProtected:
    stream.seek(0)
    data = stream.read()

    def named(name: str) -> bool:
        return name.encode("utf-16-le") in data

    if named("EncryptedPackage"):
        return PasswordProtected("The file is protected by a password.")
    for stream_name, what, cure in (
        ("WordDocument", "a Word file of the old form (.doc)", "Save it as DOCX."),
        ("PowerPoint Document", "a PowerPoint file of the old form (.ppt)", "Save it as PPTX."),
        ("Workbook", "an Excel file of the old form (.xls)", "Save it as XLSX."),
        ("__substg1.0_", "a message of Outlook (.msg)", "Save it as text or HTML."),
    ):
        if named(stream_name):
            return UnsupportedType(f"This seems to be {what}, which cannot be read.", cure)
    return UnsupportedType("This seems to be an old office file, which cannot be read.", READABLE)


def _zip_kind(stream: BinaryIO, head: bytes) -> DocumentKind:
    try:
        with zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
    # zipfile raises `NotImplementedError` for a ZIP version that it does not support.
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        if any(part in head for part in _OFFICE) or b"[Content_Types].xml" in head:
            raise DamagedFile("This seems to be an office file that was cut short.") from None
        raise DamagedFile("This is a damaged ZIP archive.") from None
    for kind in DocumentKind:
        if kind.spec.part in names:
            return kind
    for start, what, cure in _ZIPS:
        if any(name.startswith(start) for name in names):
            raise UnsupportedType(
                f"This seems to be {what}, which cannot be read.", cure or READABLE
            )
    raise UnsupportedType(
        "This is a ZIP archive, which cannot be read.", "Unpack it and add the files in it."
    )


def _text_kind(data: bytes, name: str) -> DocumentKind:
    start = data[:_HEAD] if b"\0" not in data[:_HEAD] else decode(data).text[:_HEAD].encode()
    if _begins_as_html(start):
        return DocumentKind.HTML
    kind = DocumentKind.of_name(name)
    if kind is None or kind is DocumentKind.TEXT or not kind.spec.is_text:
        of_data = start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
        return DocumentKind.DATA if of_data and is_json(decode(data).text) else DocumentKind.TEXT
    if kind is DocumentKind.HTML and not _HTML_TAG.search(data):
        return DocumentKind.TEXT
    return kind


_BEFORE_ROOT = re.compile(rb"(?:\s|\xef\xbb\xbf|<\?xml[^>]*\?>|<!--.*?-->)*", re.DOTALL)


def _begins_as_html(start: bytes) -> bool:
    before = _BEFORE_ROOT.match(start)
    return bool(_HTML_ROOT.match(start, before.end() if before else 0))
