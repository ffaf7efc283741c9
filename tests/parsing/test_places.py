"""Files that are read at once: what their processes may take together is bounded, and the places
are fair between sessions; a small file that needs more memory is read once more with all of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import Interrupted, ParserDied, TooComplex
from core.parsing import sandbox
from core.parsing.places import SMALL_BYTES, SMALL_MEMORY_MB, Places
from core.parsing.sandbox import load_in_child
from tests.conftest import eventually
from tests.parsing.files import written

pytestmark = pytest.mark.J10


class Holder:
    """Somebody who waits for a place and keeps it until told to give it back."""

    def __init__(self, places: Places, who: str, *, small: bool) -> None:
        self.whole: bool | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._hold, args=(places, who, small), daemon=True)
        self._thread.start()

    def _hold(self, places: Places, who: str, small: bool) -> None:
        with places.hold(who, small=small) as whole:
            self.whole = whole
            self._done.wait(60)

    def has_one(self) -> bool:
        return eventually(lambda: self.whole is not None)

    def waits(self) -> bool:
        return not eventually(lambda: self.whole is not None, 0.5)

    def give_back(self) -> None:
        self._done.set()

    def join(self) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive()


Hold = Callable[..., Holder]


@pytest.fixture
def hold() -> Iterator[Hold]:
    places, holders = Places(), list[Holder]()

    def one(who: str, *, small: bool = False) -> Holder:
        holders.append(Holder(places, who, small=small))
        return holders[-1]

    yield one
    # All give back before one is waited for: it may be waiting for the place of another.
    for holder in holders:
        holder.give_back()
    for holder in holders:
        holder.join()


def test_two_have_all_the_memory_and_two_a_part(hold: Hold) -> None:
    large = [hold("ida"), hold("nils")]
    assert all(one.has_one() and one.whole for one in large)
    small = [hold("eva", small=True), hold("jan", small=True)]
    assert all(one.has_one() and not one.whole for one in small)
    fifth, sixth = hold("liv"), hold("ole", small=True)
    assert fifth.waits()
    assert sixth.waits()
    large[0].give_back()
    assert fifth.has_one()
    assert sixth.waits()
    small[0].give_back()
    assert sixth.has_one()
    assert sixth.whole is False


def test_a_session_leaves_places_to_the_others(hold: Hold) -> None:
    mine = [hold("ida", small=True) for _ in range(3)]
    assert eventually(lambda: sum(one.whole is not None for one in mine) == 2)
    assert any(one.waits() for one in mine)
    assert hold("nils", small=True).has_one()
    assert hold("nils", small=True).waits()


def test_a_small_file_takes_a_large_place_that_nobody_waits_for(hold: Hold) -> None:
    assert [hold(who, small=True).has_one() for who in ("ida", "nils", "eva")] == [True] * 3
    first, large = hold("jan"), hold("liv")
    assert first.has_one()
    assert large.waits()
    small = hold("ole", small=True)
    assert small.waits()
    first.give_back()
    assert large.has_one()
    assert small.waits()


def test_who_is_stopped_while_waiting_says_so() -> None:
    places = Places()
    with (
        places.hold("ida", small=False),
        places.hold("nils", small=False),
        pytest.raises(Interrupted),
        places.hold("eva", small=False, cancelled=lambda: True),
    ):
        pass
    with places.hold("ida", small=False) as whole:
        assert whole


@contextmanager
def child(
    monkeypatch: pytest.MonkeyPatch, folder: Path, body: str
) -> Iterator[Callable[[], list[int]]]:
    """A reader that does `body` with its `job`; gives the limits of all that were started."""
    code = (
        "import os, resource; from core.parsing import child; "
        "from core.parsing.wire import write_document; "
        "from core.types import DocumentKind, LoadedDocument, Page\n"
        f"def do(job, folder, report):\n    {body}\n"
        f"limits = os.open({str(folder / 'limits')!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "def limit(mb, cpu, limited=child.limit_process):\n"
        "    os.write(limits, b'%d\\n' % mb)\n    limited(mb, cpu)\n"
        "child.limit_process = limit\nchild._do = do\nraise SystemExit(child.main())"
    )
    monkeypatch.setattr(sandbox, "_COMMAND", (sandbox._COMMAND[0], "-c", code))
    yield lambda: [int(line) for line in (folder / "limits").read_text().split()]


READS = (
    "if job['memory_mb'] < 900: {fails}\n"
    "    write_document(folder, LoadedDocument(DocumentKind.TEXT, (Page(0, 'Read.'),)))"
)


@pytest.mark.parametrize("fails", ["bytearray(800 << 20)", "os.abort()"])
def test_a_small_file_that_needs_more_is_read_with_all_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    source = written(tmp_path / "a.txt", "x")
    with child(monkeypatch, tmp_path, READS.format(fails=fails)) as limits:
        loaded = load_in_child(source, name="a.txt", settings=Settings())
    assert loaded.pages[0].text == "Read."
    assert limits() == [SMALL_MEMORY_MB, 1500]


def test_a_large_file_has_all_the_memory_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "a.txt", b"x" * (SMALL_BYTES + 1))
    with child(monkeypatch, tmp_path, READS.format(fails="os.abort()")) as limits:
        assert load_in_child(source, name="a.txt", settings=Settings()).pages
    assert limits() == [1500]


def test_it_is_tried_with_all_of_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path / "a.txt", "x")
    with (
        child(monkeypatch, tmp_path, "bytearray(2 << 30)") as limits,
        pytest.raises(TooComplex, match="too much memory") as caught,
    ):
        load_in_child(source, name="a.txt", settings=Settings())
    assert caught.value.code == "TooComplex"
    assert limits() == [SMALL_MEMORY_MB, 1500]
    (tmp_path / "limits").unlink()
    with child(monkeypatch, tmp_path, "os.abort()") as limits, pytest.raises(ParserDied):
        load_in_child(source, name="a.txt", settings=Settings())
    assert limits() == [SMALL_MEMORY_MB, 1500]


def test_time_that_is_over_is_not_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "a.txt", "x")
    with (
        child(monkeypatch, tmp_path, "__import__('time').sleep(60)") as limits,
        pytest.raises(TooComplex, match="more than 3 seconds"),
    ):
        load_in_child(source, name="a.txt", settings=Settings(parse_seconds=3))
    assert limits() == [SMALL_MEMORY_MB]
