"""When OCR reads a page of a PDF instead of its own text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.parsing.pdf.legible import agree, is_better, needs_ocr, reads_well
from core.parsing.pdf.raw import RawPage, empty_page

SHIFTED = "7KH DQVZHU LV LQ WKH *UXSD5R]N ERRN/,1(83"


def page(text: str, *, unknown: float = 0.0, pictures: float = 0.0, drawn: bool = True) -> RawPage:
    return replace(empty_page(), text=text, unknown=unknown, pictures=pictures, drawn=drawn)


@pytest.mark.parametrize(
    ("raw", "needed"),
    [
        (page(""), True),
        (page("", drawn=False), False),
        (page("- 7 -", pictures=0.9), True),
        (page("A whole sentence of text on a page under a picture.", pictures=0.9), False),
        (page("Layer 12, expert 7: 0.5", unknown=1.0), False),
        (page("*UXSD5R]NãDG /,1(83 ][", unknown=1.0), True),
        (page("の削除・インストールについて", unknown=0.5), True),
    ],
)
def test_when_ocr_is_needed(raw: RawPage, needed: bool) -> None:
    assert needs_ocr(raw) is needed


def test_ocr_replaces_signs_without_meaning() -> None:
    assert is_better(page("The answer is in the book"), page(SHIFTED, unknown=0.9))


def test_text_that_ocr_confirms_stays() -> None:
    own = page("の削除・インストールについて", unknown=0.9)
    assert not is_better(page("の削除インスト"), own)
    assert agree("ExpertLoad", "Expert load of layers")


def test_a_blot_is_no_writing() -> None:
    assert not is_better(page("o"), page(""))
    assert is_better(page("No"), page(""))


def test_what_reads_well() -> None:
    assert reads_well("Total (2019): 45.3% of sales, up.")
    assert not reads_well("ɎɅȺɇɐɕ ɂɉȿɊȿ")
    assert not reads_well("9RUQDPHQ 1DFKQDPH 6WDGW2UW 6WDDW 3/=")
    assert not reads_well("")
