"""Boxes survive packing, and a passage gives one rectangle a line."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.parsing.boxes import UNIT, column, line_boxes, pack_boxes, unpack_boxes
from core.types import Page

BOX = st.tuples(*[st.integers(0, UNIT)] * 4)


def page(boxes: list[tuple[float, float, float, float]]) -> Page:
    array = (np.array(boxes) * UNIT).round()
    return Page(0, "x" * len(boxes), boxes=pack_boxes(array))


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(BOX, max_size=30))
def test_packing_keeps_every_box(boxes: list[tuple[int, int, int, int]]) -> None:
    assert unpack_boxes(pack_boxes(boxes)).tolist() == [list(box) for box in boxes]


def test_boxes_of_earlier_versions_are_read() -> None:
    boxes = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], "<u2")
    assert unpack_boxes(zlib.compress(boxes.tobytes(), 6)).tolist() == boxes.tolist()


def test_a_line_of_characters_takes_little_room() -> None:
    left = np.arange(0, 20_000, 200)
    row = np.stack([left, np.full(100, 900), left + 180, np.full(100, 1_100)], axis=1)
    assert len(pack_boxes(row)) < 60


def test_no_boxes_pack_to_nothing() -> None:
    assert pack_boxes(np.zeros((0, 4))) == b""
    assert line_boxes(Page(0, "text"), 0, 4) == ()


def test_two_lines_give_two_rectangles() -> None:
    row = [(0.1, 0.1, 0.2, 0.15), (0.2, 0.1, 0.3, 0.15), (0, 0, 0, 0)]
    next_row = [(0.1, 0.2, 0.2, 0.25)]
    found = line_boxes(page(row + next_row), 0, 4)
    assert np.allclose(found, [(0.1, 0.1, 0.3, 0.15), (0.1, 0.2, 0.2, 0.25)], atol=1e-4)


def test_a_part_of_a_line_marks_only_that_part() -> None:
    row = [(0.1, 0.1, 0.2, 0.15), (0.2, 0.1, 0.3, 0.15), (0.3, 0.1, 0.4, 0.15)]
    assert np.allclose(line_boxes(page(row), 1, 2), [(0.2, 0.1, 0.3, 0.15)], atol=1e-4)


def lines_page(*lines: tuple[float, float, float]) -> Page:
    """Each line as its left and right edge and its top; one character every hundredth."""
    text, boxes = "", []
    for left, right, top in lines:
        edges = np.arange(round(left * 100), round(right * 100)) / 100
        boxes += [(at, top, at + 0.01, top + 0.012) for at in edges] + [(0, 0, 0, 0)]
        text += "x" * len(edges) + "\n"
    return replace(page(boxes), text=text)


def test_the_column_of_a_passage_is_that_of_the_lines_around_it() -> None:
    found = lines_page((0.1, 0.5, 0.1), (0.12, 0.4, 0.12), (0.1, 0.52, 0.14), (0.6, 0.9, 0.1))
    start = found.text.index("\n") + 1
    assert np.allclose(column(found, start, start + 10) or (), (0.1, 0.52), atol=1e-3)


def test_lines_far_away_and_pages_without_layout_have_no_part_in_a_column() -> None:
    lines = [(0.1, 0.3, 0.1 + 0.02 * at) for at in range(20)]
    found = lines_page((0.05, 0.9, 0.05), *lines)
    start = found.text.rindex("x") - 5
    assert np.allclose(column(found, start, start + 3) or (), (0.1, 0.3), atol=1e-3)
    assert column(Page(0, "text"), 0, 4) is None


def test_text_that_runs_down_has_no_column() -> None:
    down = [(0.1, 0.1 + 0.02 * at, 0.12, 0.115 + 0.02 * at) for at in range(5)]
    assert column(page(down), 0, 5) is None


def test_two_columns_at_one_height_stay_apart() -> None:
    row = [(0.1, 0.1, 0.2, 0.12), (0.7, 0.1, 0.8, 0.12)]
    assert len(line_boxes(page(row), 0, 2)) == 2


def test_turned_text_runs_along_the_height() -> None:
    column = [(0.1, 0.1, 0.13, 0.12), (0.1, 0.12, 0.13, 0.14), (0.1, 0.14, 0.13, 0.16)]
    assert np.allclose(line_boxes(page(column), 0, 3), [(0.1, 0.1, 0.13, 0.16)], atol=1e-4)


def test_a_line_of_a_scan_that_lies_askew_is_followed() -> None:
    high, climb = 0.015, 0.0005
    row = [
        (0.01 * at, 0.1 + climb * at, 0.01 * at + 0.008, 0.1 + climb * at + high)
        for at in range(60)
    ]
    straight, scanned = page(row), replace(page(row), ocr=True)
    assert len(line_boxes(straight, 0, 60)) == 1
    found = np.array(line_boxes(scanned, 0, 60))
    assert np.allclose(found[1:, 0], found[:-1, 2], atol=1e-4), "nothing between them is left out"
    assert (found[:, 3] - found[:, 1] <= 1.26 * high).all()
    assert len(found) < 12
    heading = [(0.1 * at, 0.3, 0.1 * at + 0.1, 0.34) for at in range(4)]
    assert len(line_boxes(replace(page(heading + row[:3]), ocr=True), 0, 7)) == 2


def test_spans_beyond_the_page_are_harmless() -> None:
    row = [(0.1, 0.1, 0.2, 0.15)]
    assert line_boxes(page(row), 5, 9) == ()
    assert len(line_boxes(page(row), -3, 99)) == 1
