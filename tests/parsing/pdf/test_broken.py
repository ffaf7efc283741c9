"""PDFs that are broken in every way: each ends in text, in nothing said so, or in a reason.

`PDF_FOLDER` in the environment names a folder of real broken PDFs (those of pdf.js and pypdf, say);
without it, files are made and broken here: cut off, with bytes changed, doubled, shuffled.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from core.config import Settings
from core.errors import IngestionError
from core.parsing.sandbox import load_in_child

pytestmark = pytest.mark.C10

MADE = int(os.environ.get("BROKEN", "60"))
SECONDS = 20


def whole(folder: Path) -> bytes:
    """A PDF with text, a drawing, an outline and a second page."""
    place = folder / "whole.pdf"
    canvas = Canvas(str(place), pagesize=A4)
    for page in range(2):
        canvas.bookmarkPage(f"p{page}")
        canvas.addOutlineEntry(f"Part {page}", f"p{page}")
        for line in range(30):
            canvas.drawString(72, 760 - 20 * line, f"Line {line} of page {page} can be read.")
        canvas.rect(50, 50, 100, 100, fill=1)
        canvas.showPage()
    canvas.save()
    return place.read_bytes()


def broken(data: bytes, chance: random.Random) -> bytes:
    """The file with one kind of damage."""
    at, to = sorted(chance.sample(range(len(data)), 2))
    match chance.randrange(7):
        case 0:
            return data[:at]
        case 1:
            return data[at:]
        case 2:
            return data[:at] + data[to:]
        case 3:
            return data[:to] + data[at:to] + data[to:]
        case 4:
            changed = bytearray(data)
            for _ in range(chance.choice((1, 10, 200))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            return bytes(changed)
        case 5:
            names = (b"/Length", b"/Kids", b"/Root", b"endobj", b"xref", b"/Filter", b"/Count")
            return data.replace(chance.choice(names), chance.choice(names))
        case _:
            return data[:at] + bytes(chance.randrange(256) for _ in range(500)) + data[at:]


def outcome(path: Path) -> str:
    """What became of a file; anything but an error of reading ends the test."""
    settings = Settings(parse_seconds=SECONDS, ocr=False)
    try:
        loaded = load_in_child(path, name=path.name, settings=settings)
    except IngestionError as error:
        return error.code if error.message and error.cure else "no reason"
    if any(page.text.strip() for page in loaded.pages):
        return "text"
    assert loaded.notices
    assert loaded.pages_without_text
    return "empty, and said"


def test_a_few(tmp_path: Path) -> None:
    chance, data = random.Random(1), whole(tmp_path)
    for number in range(4):
        place = tmp_path / f"{number}.pdf"
        place.write_bytes(b"%PDF-1.4\n" + broken(data, chance))
        assert outcome(place) != "no reason"


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_many(tmp_path: Path) -> None:
    chance, data = random.Random(2), whole(tmp_path)
    for number in range(MADE):
        (tmp_path / f"made-{number}.pdf").write_bytes(b"%PDF-1.4\n" + broken(data, chance))
    files = sorted(tmp_path.glob("made-*.pdf"))
    if folder := os.environ.get("PDF_FOLDER"):
        files += sorted(Path(folder).rglob("*.pdf"))
    found = Counter(outcome(path) for path in files)
    print(dict(found))
    assert sum(found.values()) == len(files)
    assert found["text"] > 0
    assert found["ParserDied"] == found["no reason"] == 0
