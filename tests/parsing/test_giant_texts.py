"""A line of 100 MB, and a text of a gigabyte: the cap says so, and memory stays bounded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import IngestionError, TooLarge
from core.parsing.sandbox import load_in_child
from core.service import Service
from core.types import AddOutcome, Session

pytestmark = pytest.mark.C17

MEGABYTE = 1 << 20


def memory() -> float:
    """Megabytes that this process takes."""
    status = Path("/proc/self/status").read_text("utf-8")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1024


def giant(place: Path, megabytes: int, piece: bytes) -> Path:
    """A file of one line."""
    with place.open("wb") as file:
        for _ in range(megabytes):
            file.write((piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE])
    return place


def read(place: Path) -> bool:
    """Whether all of it is read, or refused with what to do about it."""
    try:
        loaded = load_in_child(place, name=place.name, settings=Settings())
    except IngestionError as error:
        return bool(error.cure)
    return sum(len(page.text) for page in loaded.pages) > 90 * MEGABYTE


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("piece", [b"x", b"word "], ids=["no spaces", "words"])
def test_one_line_of_a_hundred_megabytes(tmp_path: Path, piece: bytes) -> None:
    place, before = giant(tmp_path / "line.txt", 100, piece), memory()
    assert read(place)
    assert memory() - before < 1200  # no more than the text, a few times over


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_gigabyte_is_refused_while_it_comes(
    service: Service, session: Session, tmp_path: Path
) -> None:
    place, before = giant(tmp_path / "huge.txt", 1024, b"word "), memory()
    result = service.documents.add_file(session, "huge.txt", place)
    assert result.outcome is AddOutcome.FAILED
    assert "limit of 200 MB" in result.reason
    assert memory() - before < 100
    assert list((service.settings.sessions_dir / session.id).rglob("*.*")) == []
    with pytest.raises(TooLarge), place.open("rb") as stream:
        service.stores.originals.receive(session.id, stream)
