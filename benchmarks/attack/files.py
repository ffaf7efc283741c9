"""Hostile files: small ones that are large work, bombs, and what is no document at all."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

from pypdf import PdfReader, PdfWriter

from tests.parsing.bombs import pdf_with_stream

_WORD_XML = (
    b'<?xml version="1.0"?>%s<w:document xmlns:w="http://schemas.openxmlformats.org/'
    b'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:body></w:document>'
)
_TYPES = (
    b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    b'content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.'
    b'openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def _package(parts: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _docx(document: bytes, **more: bytes) -> bytes:
    return _package({"[Content_Types].xml": _TYPES, "word/document.xml": document, **more})


def _encrypted() -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_with_stream(b"BT (a) Tj ET"))))
    writer.encrypt("secret", "owner", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def _shows(times: int) -> bytes:
    return b"BT /F1 12 Tf 10 10 Td " + b"(a) Tj " * times + b"ET"


def _drawing() -> bytes:
    """A page that takes long to draw: very many curves, one over the other."""
    return b"0.5 g " + b"10 10 m 500 700 600 20 30 790 c b* " * 60_000


_LAUGHS = b"<!DOCTYPE a [<!ENTITY a0 'ha'>%s]>" % b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)
)

HOSTILE: dict[str, Callable[[random.Random], bytes]] = {
    "deep.json": lambda _: b"[" * 200_000,
    "title.html": lambda _: b"<html><title>%s</title><p>Body" % (b"title " * 400_000),
    "heading.md": lambda _: b"word " * 40_000 + b"\n---\n\ntext\n",
    "definitions.html": lambda _: b"<dl><dd>" * 16_000 + b"text",
    "divs.html": lambda _: b"<div>" * 100_000 + b"text",
    "attribute.html": lambda _: b"<p title='" + b"x" * 5_000_000 + b"'>text",
    "operators.pdf": lambda _: pdf_with_stream(_shows(500_000)),
    "pages.pdf": lambda _: pdf_with_stream(_shows(200_000), pages=40),
    "drawing.pdf": lambda _: pdf_with_stream(_drawing(), pages=3),
    "flate.pdf": lambda _: pdf_with_stream(b" " * 110_000_000),
    "encrypted.pdf": lambda _: _encrypted(),
    "half.pdf": lambda _: pdf_with_stream(_shows(50))[:-200],
    "noise.pdf": lambda chance: b"%PDF-1.7\n" + chance.randbytes(50_000),
    "bomb.docx": lambda _: _docx(_WORD_XML % (b"", b"x" * 200_000_000)),
    "laughs.docx": lambda _: _docx(_WORD_XML % (_LAUGHS, b"&a9;")),
    "entries.docx": lambda _: _docx(
        _WORD_XML % (b"", b"text"), **{f"x/{n}": b"" for n in range(10_000)}
    ),
    "columns.csv": lambda _: b",".join(b"c%d" % n for n in range(200_000)) + b"\n1,2,3\n",
    "line.txt": lambda _: b"x" * 8_000_000,
    "marks.txt": lambda _: "a\u0301".encode() * 10 + "\u0301".encode() * 1_000_000,
    "program.pdf": lambda chance: b"\x7fELF" + chance.randbytes(10_000),
    "../../etc/passwd": lambda _: b"root:x:0:0",
    "\u202efdp.exe": lambda _: b"MZ" + b"\0" * 1000,
    "empty.txt": lambda _: b"",
}
"""By name: what makes the bytes. `nonce` makes each of them new."""


def nonce(data: bytes, chance: random.Random) -> bytes:
    """The same file with other bytes at its end, so that it is not known already."""
    return data and data + b"\n%%%032x" % chance.getrandbits(128)
