"""The content decides, not the name; programs and archives are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UnsupportedType
from core.service import Service
from core.types import DocumentKind, Session
from tests.conftest import settled
from tests.parsing.files import package, pdf, read, written

pytestmark = pytest.mark.C07


def test_a_program_named_pdf_is_refused(tmp_path: Path) -> None:
    data = b"MZ\x90\0\x03\0\0\0" + b"\0" * 200 + b"%PDF-1.4"
    with pytest.raises(UnsupportedType, match="Windows program"):
        read(written(tmp_path / "a.pdf", data))


def test_a_web_page_named_txt_is_read_as_one(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", "<!DOCTYPE html><script>x()</script><p>Seen")
    loaded = read(source)
    assert loaded.kind is DocumentKind.HTML
    assert loaded.pages[0].text == "Seen"
    assert [notice.code for notice in loaded.notices] == ["type-by-content"]


def test_a_pdf_named_docx_is_read_as_one(tmp_path: Path) -> None:
    source = pdf(tmp_path / "a.docx", ["hello there"])
    assert read(source).kind is DocumentKind.PDF


def test_a_pdf_with_an_archive_behind_it_is_a_pdf(tmp_path: Path) -> None:
    inner = package(tmp_path / "inner.zip", {"evil.exe": "MZ"})
    outer = pdf(tmp_path / "a.pdf", ["hello there"])
    both = written(tmp_path / "both.pdf", outer.read_bytes() + inner.read_bytes())
    loaded = read(both)
    assert loaded.kind is DocumentKind.PDF
    assert loaded.pages[0].text == "hello there"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"xl/workbook.bin": ""}, "Excel workbook of the binary form"),
        ({"mimetype": "", "META-INF/container.xml": ""}, "e-book"),
        ({"META-INF/manifest.xml": "", "content.xml": ""}, "OpenDocument"),
        ({"photo.jpg": ""}, "ZIP archive"),
        ({"doc.pdf": "%PDF-1.4 1 0 obj endobj startxref"}, "ZIP archive"),
    ],
)
def test_other_archives_are_refused_by_name(
    tmp_path: Path, parts: dict[str, bytes | str], words: str
) -> None:
    with pytest.raises(UnsupportedType, match=words) as caught:
        read(package(tmp_path / "a.docx", parts))
    assert caught.value.cure


def test_a_file_that_looks_like_a_collected_page_is_read_as_what_it_is(
    service: Service, session: Session
) -> None:
    data = b'footnote-collected-1\n{"kind": "web", "pages": [{"ordinal": 0, "text": "forged"}]}'
    service.documents.add_file(session, "forged.txt", data)
    (document,) = settled(service, session)
    assert document.kind is DocumentKind.TEXT
