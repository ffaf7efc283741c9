"""Every format: it can be written, and nothing that others wrote is live in it."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from core.answering.exports.registry import FORMS, FormName
from tests.answering.exports.material import exported, hostile
from tests.text.test_inert import live


@pytest.mark.parametrize("name", FORMS)
def test_every_format_writes_a_conversation(name: FormName) -> None:
    written = FORMS[name].write(exported())
    assert b"built" in written or b"Towers" in written or written.startswith(b"PK")


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
        assert set(re.findall(r"<img [^>]*src=\"(.{10})", text)) == {"data:image"}
        assert re.findall(r"href=\"([^#][^\"]*)", text) == []
        assert "default-src 'none'" in text
    elif name == "markdown":
        assert live(text) == []
    else:
        assert not re.search(r"\"(URL|url)\": |\burl = ", text) or name == "json"
