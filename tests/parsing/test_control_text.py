"""Formulas, terminal escapes and piles of marks are inert when they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.types import DocumentKind
from tests.parsing.files import read, written

pytestmark = pytest.mark.C24


def test_formulas_stay_text(tmp_path: Path) -> None:
    loaded = read(written(tmp_path / "a.csv", "Name,Value\nx,=cmd|'/c calc'!A1\ny,@SUM(1)\n"))
    assert loaded.kind is DocumentKind.CSV
    assert "Value: =cmd|'/c calc'!A1" in loaded.pages[0].text


def test_terminal_escapes_are_taken_out(tmp_path: Path) -> None:
    loaded = read(written(tmp_path / "a.txt", "safe \x1b[2J\x1b]0;title\x07 words"))
    assert "\x1b" not in loaded.pages[0].text
    assert "\x07" not in loaded.pages[0].text
    assert [notice.code for notice in loaded.notices] == ["hidden-text"]


def test_a_million_combining_marks_are_cut_short(tmp_path: Path) -> None:
    loaded = read(written(tmp_path / "a.txt", "Za" + "\u0334" * 1_000_000 + "lgo"))
    assert len(loaded.pages[0].text) < 20
    assert "999,992" in loaded.notices[0].text
