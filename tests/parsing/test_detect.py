"""The kind of a file is found in its bytes."""

from __future__ import annotations

import io

import pytest

from core.errors import DamagedFile, EmptyFile, PasswordProtected, UnsupportedType
from core.parsing.detect import detect
from core.types import DocumentKind

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512


def kind(data: bytes, name: str = "x") -> DocumentKind:
    return detect(io.BytesIO(data), name)


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"plain words", "a.txt", DocumentKind.TEXT),
        (b"# Title\n\ntext", "README.md", DocumentKind.MARKDOWN),
        (b"a,b\n1,2", "t.csv", DocumentKind.CSV),
        (b"a\tb\n1\t2", "t.TSV", DocumentKind.CSV),
        (b"<!DOCTYPE html><p>x", "a.txt", DocumentKind.HTML),
        (b"\xef\xbb\xbf<?xml version='1.0'?><!-- c --><html>", "a", DocumentKind.HTML),
        ("<html><p>wide".encode("utf-16"), "a", DocumentKind.HTML),
        (b"<p>fragment</p>", "a.html", DocumentKind.HTML),
        (b"<p>fragment</p>", "a.txt", DocumentKind.TEXT),
        (b"no tags at all", "a.html", DocumentKind.TEXT),
        (b"print('<html>')", "a.py", DocumentKind.TEXT),
        (b"%PDF-1.4\n...", "a.docx", DocumentKind.PDF),
        (b"\n\njunk%PDF-1.4 1 0 obj endobj startxref", "a", DocumentKind.PDF),
        (b"A PDF begins with %PDF- and a version.", "notes.txt", DocumentKind.TEXT),
        ("grüße".encode("utf-16-le"), "a.txt", DocumentKind.TEXT),
    ],
)
def test_by_content(data: bytes, name: str, expected: DocumentKind) -> None:
    assert kind(data, name) is expected


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"MZ\x90\0\x03" + b"\0" * 64, "Windows program"),
        (b"\x7fELF\x02" + b"\0" * 64, "a program"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "picture"),
        (b"{\\rtf1 hello}", "Rich Text"),
        (OLE + "WordDocument".encode("utf-16-le"), ".doc"),
        (OLE + "Workbook".encode("utf-16-le"), ".xls"),
        (bytes(range(256)) * 20, "binary data"),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, words: str) -> None:
    with pytest.raises(UnsupportedType) as caught:
        kind(data, "report.pdf")
    assert words in caught.value.message
    assert caught.value.cure


def test_an_encrypted_office_file_is_protected() -> None:
    with pytest.raises(PasswordProtected):
        kind(OLE + "EncryptedPackage".encode("utf-16-le"), "a.docx")


@pytest.mark.parametrize("data", [b"", b"x", b" \r\n\t ", b"\xef\xbb\xbf", b"\xff\xfe", b"\0\0\0"])
def test_empty_files(data: bytes) -> None:
    with pytest.raises(EmptyFile):
        kind(data, "a.pdf")


def test_a_cut_office_file_is_damaged() -> None:
    with pytest.raises(DamagedFile, match="cut short"):
        kind(b"PK\x03\x04" + b"\0" * 30 + b"[Content_Types].xml", "a.docx")
