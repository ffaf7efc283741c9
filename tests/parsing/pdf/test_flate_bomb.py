"""Streams that unpack to far more than they are end within the child's limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.errors import ParserDied, TooComplex
from core.parsing.sandbox import load_in_child
from tests.parsing.bombs import pdf_with_stream
from tests.parsing.files import written

pytestmark = pytest.mark.C12


def test_padding_of_110_mb_is_read_through(tmp_path: Path) -> None:
    data = pdf_with_stream(b"BT /F1 12 Tf 10 10 Td (Still here) Tj ET" + b" " * 110_000_000)
    assert len(data) < 300_000
    loaded = load_in_child(
        written(tmp_path / "a.pdf", data), name="a.pdf", settings=Settings(ocr=False)
    )
    assert loaded.pages[0].text == "Still here"


def test_what_does_not_fit_into_memory_is_too_much(tmp_path: Path) -> None:
    data = pdf_with_stream(b"BT /F1 12 Tf 10 10 Td (" + b"a" * 400_000_000 + b") Tj ET")
    with pytest.raises((TooComplex, ParserDied)) as caught:
        load_in_child(
            written(tmp_path / "a.pdf", data),
            name="a.pdf",
            settings=Settings(ocr=False, parse_memory_mb=400, parse_seconds=30),
        )
    assert caught.value.cure
