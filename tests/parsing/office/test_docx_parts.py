"""What of a Word document is read, and that nothing it points to is fetched."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.parsing.files import docx, package, read

pytestmark = pytest.mark.C15

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def test_headers_footers_and_comments_are_not_read(tmp_path: Path) -> None:
    def build(made: Any) -> None:
        made.sections[0].header.paragraphs[0].text = "Confidential header"
        made.sections[0].footer.paragraphs[0].text = "Page footer"
        run = made.add_paragraph().add_run("Body")
        made.add_comment(run, "a remark of the editor")

    assert read(docx(tmp_path / "a.docx", build)).pages[0].text == "Body"


def test_a_picture_from_elsewhere_is_not_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    image = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    links = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{image}" Target="http://127.0.0.1:9/x.png"'
        ' TargetMode="External"/></Relationships>'
    )
    body = (
        f'<w:document xmlns:w="{W}" xmlns:r="{R}"><w:body><w:p><w:r><w:t>Text</w:t></w:r>'
        '<w:r><w:drawing><a:blip xmlns:a="a" r:link="r1"/></w:drawing></w:r></w:p>'
        "</w:body></w:document>"
    )
    parts = {"word/document.xml": body, "word/_rels/document.xml.rels": links}
    assert read(package(tmp_path / "a.docx", dict(parts))).pages[0].text == "Text"


def test_tables_in_tables_are_read(tmp_path: Path) -> None:
    def build(made: Any) -> None:
        table = made.add_table(rows=1, cols=2)
        table.cell(0, 0).text = "outer"
        inner = table.cell(0, 1).add_table(rows=1, cols=2)
        inner.cell(0, 0).text = "inner left"
        inner.cell(0, 1).text = "inner right"

    text = read(docx(tmp_path / "a.docx", build)).pages[0].text
    assert text == "outer | inner left inner right"
