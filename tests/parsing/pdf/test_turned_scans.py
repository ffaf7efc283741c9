"""A scan that lies on its side or upside down is read in its order, and marked where it stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from core.parsing.boxes import line_boxes
from core.parsing.pdf.load import load_pdf
from core.parsing.pdf.ocr import turned_back
from tests.parsing.files import lines, pdf, picture_of, read

pytestmark = pytest.mark.C25

SMALL = (420.0, 160.0)
TEXT = ["The harvest of 1998 was small", "and the winter that followed was long."]


def _typed(canvas: Canvas) -> None:
    lines(canvas, TEXT, left=30, top=100, size=16, step=30)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_page_on_its_side_or_head_is_read_in_its_order(tmp_path: Path, turns: int) -> None:
    typed = pdf(tmp_path / "typed.pdf", _typed, size=SMALL)
    size = SMALL if turns == 2 else SMALL[::-1]
    loaded = read(pdf(tmp_path / "a.pdf", picture_of(typed, size, turns), size=size), ocr=True)
    page = loaded.pages[0]
    assert page.text.split() == " ".join(TEXT).split()
    upright = load_pdf(typed, lambda share: None).pages[0]
    place = upright.text.index("winter")
    ((left, top, right, bottom),) = line_boxes(upright, place, place + 6)
    for _ in range(turns):
        left, top, right, bottom = top, 1 - right, bottom, 1 - left
    marked = np.array(line_boxes(page, page.text.index("winter"), page.text.index("winter") + 6))
    found = [*marked[:, :2].min(axis=0), *marked[:, 2:].max(axis=0)]
    assert found == pytest.approx([left, top, right, bottom], abs=0.06)


def test_boxes_turn_back_to_where_they_were() -> None:
    boxes = np.array([[1, 2, 30, 40], [0, 0, 0, 0]], dtype=np.uint16)
    assert turned_back(boxes, 0).tolist() == boxes.tolist()
    assert turned_back(turned_back(boxes, 1), 3).tolist() == boxes.tolist()
    assert turned_back(turned_back(boxes, 2), 2).tolist() == boxes.tolist()
