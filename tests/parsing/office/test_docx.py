"""DOCX: paragraphs, headings, lists, tables, notes and boxes in their order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.types import ChunkKind, DocumentKind
from tests.parsing.files import docx, package, read, with_part

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def document(body: str) -> str:
    return f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'


def paragraph(text: str, style: str = "", extra: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{extra}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def made(path: Path, body: str, **parts: str) -> str:
    named = {f"word/{name}.xml": xml for name, xml in parts.items()}
    source = package(path / "a.docx", {"word/document.xml": document(body), **named})
    return read(source).pages[0].text


def test_a_document_of_words_own_making(tmp_path: Path) -> None:
    def build(made: Any) -> None:
        made.core_properties.title = "Report"
        made.add_heading("Results", level=1)
        made.add_paragraph("It went well.")
        table = made.add_table(rows=2, cols=2)
        for cell, text in zip(table._cells, ["Year", "Sum", "2024", "7"], strict=True):
            cell.text = text
        made.add_heading("Details", level=2)
        made.add_paragraph("first", style="List Bullet")
        made.add_paragraph("second", style="List Bullet")

    loaded = read(docx(tmp_path / "a.docx", build))
    page = loaded.pages[0]
    assert loaded.kind is DocumentKind.DOCX
    assert loaded.title == "Report"
    assert page.text == (
        "Results\n\nIt went well.\n\nYear | Sum\n2024 | 7\n\nDetails\n\n- first\n- second"
    )
    assert [(h.level, h.title) for h in page.headings] == [(1, "Results"), (2, "Details")]
    assert [block.kind for block in page.blocks] == [ChunkKind.TABLE]


def test_numbers_that_word_draws_are_read(tmp_path: Path) -> None:
    def level(depth: int, form: str, text: str) -> str:
        return (
            f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
            f'<w:lvlText w:val="{text}"/></w:lvl>'
        )

    numbering = (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0">'
        f"{level(0, 'decimal', '%1.')}{level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>"
        '<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
    )

    def item(text: str, depth: int) -> str:
        return paragraph(
            text, extra=f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="5"/></w:numPr>'
        )

    body = item("one", 0) + item("sub", 1) + item("sub", 1) + item("two", 0) + item("sub", 1)
    text = made(tmp_path, body, numbering=numbering)
    assert text == "1. one\n  1.a) sub\n  1.b) sub\n2. two\n  2.a) sub"


def test_insertions_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>The price is </w:t></w:r>"
        "<w:del><w:r><w:delText>10</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>12</w:t></w:r></w:ins></w:p>"
    )
    assert made(tmp_path, body) == "The price is 12"


def test_notes_follow_the_paragraph_that_refers_to_them(tmp_path: Path) -> None:
    body = '<w:p><w:r><w:t>Claim</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    note = f'<w:footnote w:id="2">{paragraph("Proof")}</w:footnote>'
    notes = f'<w:footnotes xmlns:w="{W}">{note}</w:footnotes>'
    assert made(tmp_path, body, footnotes=notes) == "Claim[2]\n[2] Proof"


def test_text_boxes_are_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('Boxed')}</w:txbxContent>"
    body = (
        '<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<w:r><w:t>Around</w:t></w:r><w:r><mc:AlternateContent>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )
    assert made(tmp_path, body) == "Around\n\nBoxed"


def test_hidden_text_is_left_out_and_counted(tmp_path: Path) -> None:
    body = paragraph("Seen") + ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>")
    source = package(tmp_path / "a.docx", {"word/document.xml": document(body)})
    loaded = read(source)
    assert loaded.pages[0].text == "Seen"
    assert [notice.code for notice in loaded.notices] == ["hidden-text"]


def test_code_styles_are_listings(tmp_path: Path) -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:styleId="SC"><w:name w:val="Source Code"/></w:style>'
        '<w:style w:styleId="H"><w:name w:val="My heading"/>'
        '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
        "</w:styles>"
    )
    body = paragraph("Use", "H") + paragraph("import os", "SC") + paragraph("os.getcwd()", "SC")
    source = package(
        tmp_path / "a.docx", {"word/document.xml": document(body), "word/styles.xml": styles}
    )
    page = read(source).pages[0]
    assert [(h.level, h.title) for h in page.headings] == [(2, "Use")]
    block = page.blocks[0]
    assert page.text[block.start : block.end] == "import os\nos.getcwd()"
    assert block.kind is ChunkKind.CODE


def test_strict_files_are_read_like_others(tmp_path: Path) -> None:
    source = docx(tmp_path / "a.docx", lambda made: made.add_heading("Strict", level=1))
    strict = with_part(
        source,
        tmp_path / "b.docx",
        "word/document.xml",
        lambda xml: xml.replace(W, "http://purl.oclc.org/ooxml/wordprocessingml/main"),
    )
    assert [h.title for h in read(strict).pages[0].headings] == ["Strict"]
