"""Office files that swell are refused from their directory, before anything is unpacked."""

from __future__ import annotations

import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from core.errors import DamagedFile, PasswordProtected, TooLarge, UnsupportedType
from tests.parsing.files import package, read

pytestmark = pytest.mark.C13

MAIN = "word/document.xml"
EMPTY = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'/>"


def refused(path: Path) -> TooLarge:
    tracemalloc.start()
    began = time.thread_time()
    with pytest.raises(TooLarge) as caught:
        read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.thread_time() - began < 10
    assert peak < 20_000_000
    return caught.value


def test_200_mb_of_xml_in_a_small_file(tmp_path: Path) -> None:
    source = package(tmp_path / "a.docx", {MAIN: b"<w>" + b"a" * 200_000_000})
    assert source.stat().st_size < 1_000_000
    assert "unpacks to" in refused(source).message


def test_ten_thousand_parts(tmp_path: Path) -> None:
    parts: dict[str, bytes | str] = {f"word/part{n}.xml": "" for n in range(10_000)}
    assert "10,001 parts" in refused(package(tmp_path / "a.docx", {MAIN: EMPTY, **parts})).message


def test_sizes_that_lie_do_not_unpack_to_more(tmp_path: Path) -> None:
    source = package(tmp_path / "a.docx", {MAIN: b"<w>" + b"a" * 30_000_000})
    data = bytearray(source.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = (1_000).to_bytes(4, "little")
    source.write_bytes(data)
    with pytest.raises(DamagedFile):
        read(source)


def test_nested_archives_are_not_opened(tmp_path: Path) -> None:
    inner = package(tmp_path / "inner.zip", {"bomb": b"\0" * 50_000_000})
    with pytest.raises(UnsupportedType):
        read(package(tmp_path / "a.docx", {"inner.zip": inner.read_bytes()}))


def test_zip64_is_measured_too(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(MAIN)
        entry.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(entry, "w", force_zip64=True) as part:
            for _ in range(200):
                part.write(b"a" * 1_000_000)
    refused(path)


def test_encrypted_parts_need_a_password(tmp_path: Path) -> None:
    source = package(tmp_path / "a.docx", {MAIN: EMPTY})
    data = bytearray(source.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    source.write_bytes(data)
    with pytest.raises(PasswordProtected):
        read(source)
