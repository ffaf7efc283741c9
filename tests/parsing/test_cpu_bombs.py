"""A small file that takes forever is ended at the limit, and nothing else waits for it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import TooComplex
from core.parsing.sandbox import load_in_child
from tests.parsing.bombs import pdf_with_stream
from tests.parsing.files import written

pytestmark = pytest.mark.C11

SHOWS = b"BT /F1 12 Tf 10 10 Td " + b"(a) Tj " * 500_000 + b"ET"


def test_half_a_million_operators_end_at_the_clock(tmp_path: Path) -> None:
    source = written(tmp_path / "a.pdf", pdf_with_stream(SHOWS))
    assert source.stat().st_size < 30_000
    with pytest.raises(TooComplex, match="too complex"):
        load_in_child(source, name="a.pdf", settings=Settings(ocr=False, parse_seconds=2))


def test_shared_streams_end_at_the_processor_limit(tmp_path: Path) -> None:
    source = written(tmp_path / "a.pdf", pdf_with_stream(SHOWS, pages=100))
    with pytest.raises(TooComplex, match="processor time"):
        load_in_child(source, name="a.pdf", settings=Settings(ocr=False, parse_cpu_seconds=1))


def test_others_are_read_meanwhile(tmp_path: Path) -> None:
    bomb = written(tmp_path / "a.pdf", pdf_with_stream(SHOWS, pages=100))
    small = written(tmp_path / "b.txt", "A few words for those who wait.")
    limits = Settings(ocr=False, parse_seconds=8)
    caught: list[TooComplex] = []

    def explode() -> None:
        try:
            load_in_child(bomb, name="a.pdf", settings=limits)
        except TooComplex as error:
            caught.append(error)

    thread = threading.Thread(target=explode)
    thread.start()
    time.sleep(0.5)
    load_in_child(small, name="b.txt", settings=limits)
    assert thread.is_alive()
    thread.join(20)
    assert len(caught) == 1
