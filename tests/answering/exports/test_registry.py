"""Every format: it can be written, and nothing that others wrote is live in it."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from core.answering.exports.registry import FORMS, FormName
from tests.answering.exports.material import exported, hostile
from tests.text.test_inert import live


@pytest.mark.parametrize("name", FORMS)
def test_every_format_writes_a_conversation(name: FormName) -> None:
    written = FORMS[name].write(exported())
    assert b"built" in written or b"Towers" in written or written.startswith(b"PK")


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(("hours", "day"), [(0, 2), (1, 3)])
def test_the_day_of_reading_is_that_of_the_time_zone(name: FormName, hours: int, day: int) -> None:
    written = FORMS[name].write(replace(exported(), zone=timezone(timedelta(hours=hours))))
    if name == "docx":
        written = zipfile.ZipFile(io.BytesIO(written)).read("word/document.xml")
    text = "".join(written.decode().split())
    expected = f"[2026,1,{day}]" if name == "csl-json" else f"2026-01-{day:02}"
    assert expected in text


@pytest.mark.E16
@pytest.mark.parametrize("name", FORMS)
def test_nothing_that_others_wrote_is_live(name: FormName) -> None:
    written = FORMS[name].write(hostile())
    if name == "docx":
        whole = zipfile.ZipFile(io.BytesIO(written))
        parts = {part: whole.read(part).decode("utf-8", "replace") for part in whole.namelist()}
        assert "evil.example" in parts["word/document.xml"], "what was written can be read"
        assert "w:hyperlink" not in parts["word/document.xml"]
        assert "w:fldSimple" not in parts["word/document.xml"]
        external = [text for text in parts.values() if 'TargetMode="External"' in text]
        assert external == []
        return
    text = written.decode()
    if name == "html":
        tags = set(re.findall(r"<(\w+)", text))
        assert not tags & {"script", "iframe", "object", "link", "base", "form"}
        assert set(re.findall(r"\b(?:src|href)=\"(#|.{1,10})", text)) == {"data:image", "#"}
        assert "<img" not in text
        assert "default-src 'none'" in text
    elif name == "markdown":
        assert live(text) == []
    else:
        assert not re.search(r"\"(URL|url)\": |\burl = ", text) or name == "json"
