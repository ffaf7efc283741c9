"""Titles and headings without end: what stands before every passage is bounded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.config import Settings
from core.ingestion.chunking import chunk_document
from core.ingestion.worker import collected_bytes, read_collected
from core.models.embedding_text import embedding_text
from core.parsing.sandbox import load_in_child
from core.types import Chunk, DocumentKind, Heading, LoadedDocument, Page
from core.types.documents import MOST_HEADING, MOST_HEADINGS, MOST_PATH, MOST_TITLE

pytestmark = [pytest.mark.C27, pytest.mark.C28]

LONG = "word " * 40_000  # 200 KB
TEXT = "".join(f"<p>Sentence {n} of the text is of some length.</p>" for n in range(2_000))
BEFORE = MOST_TITLE + MOST_PATH + 200  # characters before a passage, marks between them included


def docx(path: Path) -> None:
    from docx import Document

    document = Document()
    document.core_properties.title = "T" * 255
    document.add_heading(LONG, 1)
    for n in range(300):
        document.add_paragraph(f"Sentence {n} of the text is of some length.")
    document.save(str(path))


def pptx(path: Path) -> None:
    from pptx import Presentation

    slides = Presentation()
    for n in range(3):
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text = LONG
        slide.placeholders[1].text = f"Sentence {n} of the text. " * 200
    slides.save(str(path))


def pdf(path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    canvas.setTitle(LONG)
    for line in range(40):
        canvas.drawString(72, 760 - 15 * line, f"Sentence {line} of the text is of some length.")
    canvas.save()


def text(content: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(content, "utf-8")

    return write


def nested_definitions() -> str:
    """130 KB: every definition stands in the one before it, so its path is as long as the file."""
    term = "definition " * 10
    inside = "".join(f"<dl><dt id='d{n}'>{term}{n}</dt><dd>meaning {n}" for n in range(900))
    return f"<html><body>{inside}"


FILES: dict[str, Callable[[Path], None]] = {
    "title.html": text(f"<html><title>{LONG}</title><body>{TEXT}"),
    "headings.html": text("".join(f"<h{n}>{LONG}</h{n}>{TEXT[:9_000]}" for n in range(1, 7))),
    "nested.html": text(nested_definitions()),
    "rule.md": text(f"{LONG}\n---\n\n" + "Some text.\n\n" * 2_000),
    "lines.md": text("some words\n" * 20_000 + "===\n\n" + "Some text.\n\n" * 2_000),
    "heading.md": text(f"# {LONG}\n\n" + "Some text.\n\n" * 2_000),
    "front.md": text(f"---\ntitle: {LONG}\n---\n\n" + "Some text.\n\n" * 2_000),
    "heading.docx": docx,
    "title.pptx": pptx,
    "title.pdf": pdf,
}


def chunks_of(loaded: LoadedDocument) -> list[Chunk]:
    return chunk_document(loaded, "d", size=1_000, overlap=150)


@pytest.mark.parametrize("name", FILES)
def test_what_stands_before_a_passage_is_bounded(
    name: str, tmp_path: Path, settings: Settings
) -> None:
    path = tmp_path / name
    FILES[name](path)
    loaded = load_in_child(path, name=name, settings=settings)
    assert len(loaded.title) <= MOST_TITLE
    assert all(len(h.title) <= MOST_HEADING for page in loaded.pages for h in page.headings)
    chunks = chunks_of(loaded)
    longest = max(len(embedding_text(c, loaded.title or name)) - len(c.text) for c in chunks)
    assert longest <= BEFORE


def test_a_paragraph_above_a_rule_is_no_heading(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "rule.md"
    path.write_text(f"# Title\n\n{LONG}\n---\n\nSome text.\n\nShort\n-----\n\nMore.", "utf-8")
    loaded = load_in_child(path, name=path.name, settings=settings)
    assert [h.title for page in loaded.pages for h in page.headings] == ["Title", "Short"]


def test_a_web_page_a_collected_one_and_an_answer_of_the_child_are_bounded(
    tmp_path: Path, settings: Settings
) -> None:
    path = tmp_path / "page.html"
    body = f"<html><title>{LONG}</title><body><main><h1>{LONG}</h1>{TEXT}</main>"
    path.write_text(body, "utf-8")
    page = load_in_child(path, name=path.name, url="https://example.org/", settings=settings)
    assert len(page.title) <= MOST_TITLE
    stored = collected_bytes(LoadedDocument(DocumentKind.WEB, (Page(0, "x"),), title="t"))
    path.write_bytes(stored.replace(b'"title":"t"', b'"title":"' + LONG.encode() + b'"'))
    assert len(read_collected(path).title) <= MOST_TITLE


def test_the_number_of_headings_is_bounded() -> None:
    headings = tuple(Heading(n, 1, "h") for n in range(MOST_HEADINGS))
    page = Page(0, "x " * MOST_HEADINGS, headings=headings)
    loaded = LoadedDocument(DocumentKind.HTML, (page, page))
    assert sum(len(page.headings) for page in loaded.pages) == MOST_HEADINGS
    assert loaded.pages[1].text == page.text


def test_nested_definitions_cost_no_more_than_their_text(
    tmp_path: Path, settings: Settings
) -> None:
    path = tmp_path / "nested.html"
    path.write_text(nested_definitions(), "utf-8")
    loaded = load_in_child(path, name=path.name, settings=settings)
    stored = sum(len(heading) for chunk in chunks_of(loaded) for heading in chunk.headings)
    assert stored < 5 * path.stat().st_size


def test_an_old_row_with_a_title_without_end_is_bounded() -> None:
    chunk = Chunk("d:0", "d", 0, 0, None, 0, 1, "x", headings=(LONG, "Near"))
    assert len(embedding_text(chunk, LONG)) <= BEFORE
    assert chunk.headings == ("Near",) or len(chunk.headings[0]) <= MOST_HEADING
