"""A file with nothing in it is refused as empty, whatever its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Settings
from core.errors import EmptyFile
from core.parsing.sandbox import load_in_child
from tests.parsing.files import written

pytestmark = pytest.mark.C06


@pytest.mark.parametrize("name", ["a.pdf", "a.txt", "a.docx"])
def test_zero_bytes(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmptyFile, match="0 bytes"):
        load_in_child(written(tmp_path / "a", b""), name=name, settings=Settings())


@pytest.mark.parametrize("data", [b"x", b"   \n\t\r\n ", b"\xef\xbb\xbf \n", b"\xff\xfe \0"])
def test_one_byte_and_white_space(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(EmptyFile, match="empty") as caught:
        load_in_child(written(tmp_path / "a", data), name="a.txt", settings=Settings())
    assert caught.value.cure
