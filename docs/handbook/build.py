"""Build the handbook: `python -m docs.handbook.build [--out FILE]`.

The same sources and the same versions of reportlab and matplotlib give the same bytes: the PDF
holds no time and no random identifier.
"""

from __future__ import annotations

import argparse
import sys
from io import BytesIO
from pathlib import Path

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, PageBreak, Paragraph, Spacer
from reportlab.platypus.tableofcontents import TableOfContents

from docs.handbook import figures, layout
from docs.handbook.golden import set_pages
from docs.handbook.markdown import Renderer
from docs.handbook.settings import settings_table

CHAPTERS = Path(__file__).parent / "chapters"
TARGET = Path(__file__).parents[2] / "data_main" / "samples" / "footnote-handbook.pdf"


def build() -> bytes:
    """The bytes of the PDF. Needs the packages of requirements-dev.txt."""
    layout.register_fonts()
    sources = [path.read_text("utf-8") for path in sorted(CHAPTERS.glob("*.md"))]
    renderer = Renderer(figures.FIGURES, settings_table)
    renderer.count(sources)
    story: list[Flowable] = [*_cover(), PageBreak(), *_contents(), PageBreak()]
    for source in sources:
        story += renderer.chapter_flowables(source)
    target = BytesIO()
    layout.Handbook(target).multiBuild(story)
    return target.getvalue()


def _cover() -> list[Flowable]:
    title = ParagraphStyle(
        "cover", fontName="Sans-Bold", fontSize=34, leading=40, textColor=layout.ACCENT_DARK
    )
    line = ParagraphStyle(
        "line", fontName="Text", fontSize=15, leading=21, textColor=layout.INK, spaceAfter=8
    )
    small = ParagraphStyle(
        "small", fontName="Sans", fontSize=8.4, leading=12.5, textColor=layout.QUIET
    )
    return [
        Spacer(1, 70),
        figures.emblem(),
        Spacer(1, 46),
        Paragraph("Footnote", title),
        Paragraph("Handbook", title),
        Spacer(1, 18),
        Paragraph("Answers from your own documents, with citations that can be checked.", line),
        Spacer(1, 120),
        Paragraph(
            "This handbook explains Footnote, which answers questions from your own documents with "
            "citations that can be checked. It is a part of the program's sample library: load "
            "the samples, and ask Footnote about itself.",
            small,
        ),
    ]


def _contents() -> list[Flowable]:
    head = ParagraphStyle(
        "contents", fontName="Sans-Bold", fontSize=19, leading=24, textColor=layout.ACCENT_DARK
    )
    toc = _Chapters(dotsMinLevel=0)
    toc.levelStyles = [ParagraphStyle("toc", fontName="Text", fontSize=11.4, leading=21)]
    return [Paragraph("Contents", head), Spacer(1, 10), toc]


class _Chapters(TableOfContents):
    """A table of contents of the chapters alone; the outline has the sections too."""

    def addEntry(self, level: int, text: str, page: int, key: str | None = None) -> None:
        if level == 0:
            super().addEntry(level, text, page, key)


def main() -> None:
    """Write the PDF and say where."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TARGET)
    target = parser.parse_args().out
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(build())
    print(f"{target} written")
    if target == TARGET:
        try:
            changed = set_pages(TARGET.parent / "golden.jsonl")
        except ValueError as error:
            sys.exit(f"golden.jsonl needs other quotations. {error}")
        print(f"golden.jsonl: {changed} page numbers changed")


if __name__ == "__main__":
    main()
