"""PPTX: a page for each slide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import DamagedFile
from core.types import ChunkKind, DocumentKind
from tests.parsing.files import package, read, with_part


@pytest.fixture
def source(tmp_path: Path) -> Path:
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    show: Any = Presentation()
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "Welcome"
    first.placeholders[1].text = "Point one\nPoint two"
    first.notes_slide.notes_text_frame.text = "Say hello."
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "Numbers"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for index, text in enumerate(["Year", "Sum", "2024", "7"]):
        table.cell(index // 2, index % 2).text = text
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Sales", (4.3, 2.5))
    second.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3), Inches(4), Inches(2), data
    )
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(5), Inches(2), Inches(1)).text_frame.text = "Grouped"
    show.save(str(tmp_path / "show.pptx"))
    return tmp_path / "show.pptx"


def test_slides_are_pages_with_titles_notes_tables_and_charts(source: Path) -> None:
    loaded = read(source)
    first, second = loaded.pages
    assert loaded.kind is DocumentKind.PPTX
    assert loaded.title == "Welcome"
    assert [page.number for page in loaded.pages] == [1, 2]
    assert first.text == "Welcome\n\nPoint one\nPoint two\n\nNotes: Say hello."
    assert second.headings[0].title == "Numbers"
    blocks = [(b.kind, second.text[b.start : b.end]) for b in second.blocks]
    assert blocks == [
        (ChunkKind.TABLE, "Year | Sum\n2024 | 7"),
        (ChunkKind.TABLE, "Sales: Q1 4.3 | Q2 2.5"),
    ]
    assert second.text.endswith("Grouped")


def test_hidden_slides_are_read_and_said(source: Path, tmp_path: Path) -> None:
    hidden = with_part(
        source,
        tmp_path / "hidden.pptx",
        "ppt/slides/slide2.xml",
        lambda xml: xml.replace("<p:sld ", '<p:sld show="0" ', 1),
    )
    loaded = read(hidden)
    assert "Numbers" in loaded.pages[1].text
    assert [notice.code for notice in loaded.notices] == ["hidden-slides"]


def test_a_damaged_slide_does_not_spoil_the_others(source: Path, tmp_path: Path) -> None:
    broken = with_part(
        source, tmp_path / "broken.pptx", "ppt/slides/slide2.xml", lambda xml: xml[:500]
    )
    loaded = read(broken)
    assert loaded.pages[0].text.startswith("Welcome")
    assert [notice.code for notice in loaded.notices] == ["parts-unreadable"]
    assert loaded.pages_without_text == 1


def test_a_presentation_without_its_main_part_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(DamagedFile):
        read(package(tmp_path / "a.pptx", {"ppt/presentation.xml": "<p"}))
