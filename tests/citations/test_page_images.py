"""Pages are drawn few at a time, fairly, and once: whatever a page costs, others do not wait."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.citations import page_images
from core.citations.page_images import PageImages
from core.config import Settings
from core.errors import Busy, TooComplex
from core.parsing import sandbox
from core.service import Service
from core.types import Session
from tests.api.server import Person, World, person
from tests.conftest import eventually, settled
from tests.parsing.files import pdf, written

pytestmark = pytest.mark.J08

DRAWS = """
import json, pathlib, sys, time
job = json.loads(sys.stdin.readline())
room = pathlib.Path({room!r})
(room / f"drawing-{{job['page']}}-{{time.time_ns()}}").touch()
while not (room / "go").exists():
    time.sleep(0.01)
(pathlib.Path(job["folder"]) / "page.png").write_bytes(b"\\x89PNG %d" % job["page"] + b"x" * {size})
"""


@dataclass
class Drawing:
    """Pages that are drawn when `go` is called, and those who wait for them."""

    images: PageImages
    room: Path
    source: Path
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(40))

    def ask(self, ordinal: int, who: str) -> Future[bytes]:
        return self.threads.submit(self.images.draw, self.source, ordinal, who)

    def drawn(self) -> list[int]:
        """The pages for which a process was started, in this order."""
        names = sorted(path.name.split("-")[::-1] for path in self.room.glob("drawing-*"))
        return [int(page) for _, page, _ in names]

    def go(self) -> None:
        (self.room / "go").touch()


@pytest.fixture
def drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawing]:
    code = DRAWS.format(room=str(tmp_path), size=1000)
    monkeypatch.setattr(sandbox, "_COMMAND", (sys.executable, "-c", code))
    settings = Settings(data_dir=tmp_path / "data")
    made = Drawing(PageImages(settings), tmp_path, written(tmp_path / "a.pdf", b"%PDF-1.7"))
    yield made
    made.go()
    made.threads.shutdown()


def test_pages_are_drawn_ahead_and_are_there_when_they_are_opened(
    drawing: Drawing, caplog: pytest.LogCaptureFixture
) -> None:
    drawing.go()
    drawing.images.draw_ahead(drawing.source, [3, 2, 3], "ada")
    eventually(lambda: drawing.drawn() == [3, 2] and not drawing.images._going_ahead)
    assert drawing.images.draw(drawing.source, 2, "ada").startswith(b"\x89PNG 2")
    drawing.images.draw_ahead(drawing.source.with_name("gone.pdf"), [0], "ada")
    drawing.images.draw_ahead(drawing.source, [4], "ada")
    eventually(lambda: drawing.drawn() == [3, 2, 4])
    assert "A fault" not in caplog.text, "that a file is gone is foreseen"


def test_nothing_is_drawn_ahead_while_somebody_waits(drawing: Drawing) -> None:
    opened = drawing.ask(1, "ada")
    eventually(lambda: drawing.drawn() == [1])
    drawing.images.draw_ahead(drawing.source, [2, 3], "ada")
    eventually(lambda: not drawing.images._going_ahead)
    drawing.go()
    assert opened.result(30)
    assert drawing.drawn() == [1]


def test_equal_requests_start_one_process_and_the_image_is_kept(drawing: Drawing) -> None:
    asked = [drawing.ask(3, f"person {number}") for number in range(6)]
    assert eventually(lambda: drawing.drawn() == [3])
    drawing.go()
    assert {one.result(30)[:6] for one in asked} == {b"\x89PNG 3"}
    assert drawing.ask(3, "another").result(30).startswith(b"\x89PNG 3")
    assert drawing.drawn() == [3]
    os.utime(drawing.source, (1, 1))  # another version of the document
    drawing.ask(3, "another").result(30)
    assert drawing.drawn() == [3, 3]


def test_one_person_leaves_a_place_to_the_others(drawing: Drawing) -> None:
    greedy = [drawing.ask(page, "greedy") for page in range(4)]
    assert eventually(lambda: len(drawing.drawn()) == 1)
    other = drawing.ask(50, "other")
    assert eventually(lambda: 50 in drawing.drawn())
    assert len(drawing.drawn()) == 2
    drawing.go()
    assert [one.result(30)[:6] for one in greedy] == [b"\x89PNG %d" % n for n in range(4)]
    assert other.result(30)


def test_who_cannot_wait_is_told_at_once_and_when_to_come_back(drawing: Drawing) -> None:
    mine = [drawing.ask(page, "greedy") for page in range(5)]
    assert eventually(lambda: drawing.images._places.waiting() == 4)
    with pytest.raises(Busy, match="4 pages to draw of yours") as caught:
        drawing.images.draw(drawing.source, 9, "greedy")
    assert "few seconds" in caught.value.cure
    assert caught.value.retry_after > 0
    same = [drawing.ask(0, "greedy") for _ in range(20)]
    assert eventually(lambda: sum(one.done() for one in same) == 20 - page_images._MOST_SHARED)
    drawing.go()
    assert all(one.result(30) for one in mine)
    refused = [one for one in same if one.exception() is not None]
    assert {type(one.exception()) for one in refused} == {Busy}


def test_a_page_that_cannot_be_drawn_is_not_tried_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(
        sandbox, "_COMMAND", (sys.executable, "-c", DRAWS.format(room=str(room), size=1))
    )
    images = PageImages(Settings(data_dir=tmp_path / "data", parse_seconds=1))
    source = written(tmp_path / "a.pdf", b"%PDF-1.7")
    for _ in range(3):
        with pytest.raises(TooComplex, match="too complex to be drawn"):
            images.draw(source, 0, "somebody")
    assert len(list(room.glob("drawing-*"))) == 1


def test_the_images_that_are_kept_are_bounded(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_images, "_KEPT_BYTES", 2500)
    drawing.go()
    for page in (0, 1, 0, 2, 0, 1):  # two have room: 1 is pushed out by 2, not 0, used since
        drawing.images.draw(drawing.source, page, "somebody")
    assert drawing.drawn() == [0, 1, 2, 1]


def test_drawing_has_limits_of_its_own(tmp_path: Path) -> None:
    limits = PageImages(Settings())._settings
    assert (limits.parse_seconds, limits.parse_cpu_seconds, limits.parse_memory_mb) == (15, 15, 800)


def test_evidence_has_its_text_and_says_why_there_is_no_image(
    service: Service, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pdf(tmp_path / "a.pdf", ["The tower was built in 1889."])
    added = service.documents.add_file(session, "a.pdf", source)
    assert added.document is not None
    settled(service, session)
    monkeypatch.setattr(service.documents.images, "_places", _Full())
    evidence = service.documents.page_evidence(session, added.document.id, 0)
    assert "1889" in evidence.page_text
    assert "pages to draw are waiting" in evidence.missing
    assert "few seconds" in evidence.missing
    assert evidence.retry_after > 0
    monkeypatch.undo()
    evidence = service.documents.page_evidence(session, added.document.id, 0)
    assert evidence.image.startswith(b"\x89PNG")
    assert evidence.retry_after == 0


def test_the_api_answers_503_and_when_to_come_back(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pdf(tmp_path / "b.pdf", ["Two towers."])
    with person(world, "draws") as somebody:
        address = _added(world, somebody, source)
        monkeypatch.setattr(world.service.documents.images, "_places", _Full())
        refused = somebody.client.get(address)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["code"] == "Busy"
        assert "few seconds" in refused.json()["detail"]
        monkeypatch.undo()
        assert somebody.client.get(address).content.startswith(b"\x89PNG")
        somebody.client.delete(f"/sessions/{somebody.session_id}")


def _added(world: World, somebody: Person, source: Path) -> str:
    form = {"session_id": somebody.session_id}
    files = {"files": ("b.pdf", source.read_bytes())}
    came = somebody.client.post("/ingest-files/", files=files, data=form).json()
    world.settled(somebody.client, somebody.session_id)
    document = came["results"][0]["document"]["id"]
    return f"/sessions/{somebody.session_id}/documents/{document}/pages/0/image"


class _Full(page_images.Turns):
    """Places of which none is free."""

    def __init__(self) -> None:
        super().__init__(0, most_waiting=0, what="pages to draw")
