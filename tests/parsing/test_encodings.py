"""The same text in many encodings comes out right, or with the guess said."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.types import LoadedDocument
from tests.parsing.files import read, written

pytestmark = pytest.mark.C16

WESTERN = "Les élèves naïfs mangèrent des gâteaux à Noël, où il gèle déjà très tôt.\n" * 30
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n" * 30
CHINESE = "子曰：学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠。\n" * 30
ASCII = "plain words that fill the first eight kilobytes of the file\n" * 200


def loaded(tmp_path: Path, data: bytes) -> LoadedDocument:
    return read(written(tmp_path / "a.txt", data))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_unicode_is_read_without_a_word(tmp_path: Path, encoding: str) -> None:
    found = loaded(tmp_path, WESTERN.encode(encoding))
    assert found.pages[0].text == WESTERN
    assert found.notices == ()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (WESTERN, "cp1252"),
        (WESTERN, "latin-1"),
        (ASCII + JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (ASCII + CHINESE, "gb18030"),
        (CHINESE, "gbk"),
    ],
)
def test_other_encodings_are_found_over_the_whole_file(
    tmp_path: Path, text: str, encoding: str
) -> None:
    found = loaded(tmp_path, text.encode(encoding))
    assert found.pages[0].text == text
    assert [notice.code for notice in found.notices] == ["encoding-guessed"]
    assert "please check" in found.notices[0].text


def test_mixed_encodings_lose_nothing(tmp_path: Path) -> None:
    data = WESTERN.encode() + "Fin d'été\n".encode("cp1252")
    found = loaded(tmp_path, data)
    assert found.pages[0].text == WESTERN + "Fin d'été\n"
    assert [notice.code for notice in found.notices] == ["mixed-encoding"]


def test_nuls_are_left_out_and_counted(tmp_path: Path) -> None:
    found = loaded(tmp_path, b"some\0thing with words enough\0 to be a text" * 20)
    assert "something" in found.pages[0].text
    assert [notice.code for notice in found.notices] == ["hidden-text"]
    assert "40 hidden" in found.notices[0].text
