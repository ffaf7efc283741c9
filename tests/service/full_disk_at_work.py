"""Each kind of work while its disk runs full, for a process in a namespace of its own.

`unshare --map-root-user --mount python -m tests.service.full_disk_at_work FOLDER` prints as JSON,
for each kind, what was said and what went wrong. The disk is gone with the process.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import core.maintenance.backup
from core.answering.exports.registry import FORMS
from core.collecting import watching
from core.collecting.watching import FolderWatch
from core.config import Settings
from core.errors import AppError
from core.evaluation.golden.sets import GoldenItem
from core.evaluation.runs.results import Run, RunSettings, RunState
from core.evaluation.runs.store import EvaluationStore
from core.ingestion import worker
from core.ingestion.adding import Adder
from core.maintenance.backup import back_up_running, restore
from core.service import Service
from core.storage.files.originals import Originals
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.sql.content import Content
from core.storage.vectors.chroma.store import ChromaStore
from core.supervision import failures
from core.types import (
    AddOutcome,
    AddResult,
    AskRequest,
    CollectRun,
    CollectState,
    DocumentKind,
    DocumentState,
    LoadedDocument,
    Page,
)
from core.web_search.page_store import live_page
from scraper import stack_overflow
from tests.collecting.runs import collecting, ended, of_site, text_page
from tests.collecting.test_dumps import POSTS, asking
from tests.conftest import answer_of, eventually, settled
from tests.scraper.site import Site, serving
from tests.storage.files.full_disk import MODEL, mount, text
from tests.support.small_library import QUESTIONS, all_found, fill, opened, the_session, troubles

SIZE = 64
"""Megabytes of the disk."""
QUESTION = QUESTIONS["lighthouse.txt"]
PAGES = {
    "/docs/": text_page("Start", "The first page of the harbour.", "a.html", "b.html"),
    "/docs/a.html": text_page("Apples", "Apples are stored in the cellar of Ida Holm."),
    "/docs/b.html": text_page("Boats", "Boats leave at nine from the western pier."),
}


class Disk:
    """The disk, with a file on it that takes all its room or none."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.ballast = folder, folder / "ballast"
        folder.mkdir()
        mount(folder, SIZE)

    def fill(self, left: int = 0) -> None:
        """Leave so many bytes free."""
        size = 0
        with suppress(OSError), self.ballast.open("ab", buffering=0) as ballast:
            while True:
                ballast.write(bytes(65_536))
        with suppress(OSError), self.ballast.open("ab", buffering=0) as ballast:
            while True:
                ballast.write(bytes(4_096))
        if left:
            size = self.ballast.stat().st_size
            with self.ballast.open("r+b") as ballast:
                ballast.truncate(max(0, size - left))

    def free(self) -> None:
        self.ballast.unlink(missing_ok=True)

    @contextmanager
    def full_at(self, owner: Any, name: str, call: int = 1) -> Iterator[None]:
        """Fill the disk right before a function is called for the so-and-so-many-th time."""
        original, count = getattr(owner, name), [0]

        def called(*args: Any, **named: Any) -> Any:
            count[0] += 1
            if count[0] == call:
                self.fill()
            try:
                return original(*args, **named)
            except BaseException as error:
                print(f"  {name}: {error!r}", file=sys.stderr)
                raise

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, name, called)
            try:
                yield
            finally:
                self.free()
        assert count[0] >= call, f"{name} was called {count[0]} times"


class Work:
    """A service on the disk, and what is said while that is full."""

    def __init__(self, disk: Disk, service: Service, site: Site) -> None:
        self.disk, self.service, self.site = disk, service, site
        self.session = fill(service)
        self.said: list[str] = []

    def try_(self, work: Callable[[], object]) -> None:
        """Do it, and note the error that it ends with."""
        try:
            work()
        except AppError as error:
            self.said.append(f"{error.message} {error.cure}")

    def add(self, name: str, data: bytes) -> AddResult:
        result = self.service.documents.add_file(self.session, name, data)
        if result.outcome is AddOutcome.FAILED:
            self.said.append(f"{result.reason} {result.cure}")
        return result

    def failed_and_retried(self, name: str) -> None:
        """The document has failed with a reason; with room it is read on Retry."""
        room, session = self.service.documents, self.session
        found = {one.name: one for one in settled(self.service, session)}[name]
        assert found.state is DocumentState.FAILED, found
        self.said.append(f"{found.reason} {found.cure}")
        room.retry(session, found.id)
        states = {one.name: one.state for one in settled(self.service, session)}
        assert states[name] is DocumentState.READY, states

    def whole(self) -> None:
        """What was there is found, all stores agree, and no thread has ended."""
        states = {one.label: (one.state, one.reason) for one in settled(self.service, self.session)}
        assert {state for state, _ in states.values()} == {DocumentState.READY}, states
        assert all_found(self.service, self.session)
        assert eventually(lambda: troubles(self.service) == []), troubles(self.service)
        assert failures().all() == []
        threads = [*self.service.worker._running, *self.service.collecting._working]
        assert all(thread.is_alive() for thread in threads)
        assert list(self.disk.folder.rglob(".incoming-*")) == []


# ------------------------------------------------------------------------------ kinds of work


def upload(w: Work) -> None:
    for left in (0, 50_000):
        w.disk.fill(left)
        assert w.add("up.txt", text(1)).outcome is AddOutcome.FAILED
        w.disk.free()
    assert w.add("up.txt", text(1)).outcome is AddOutcome.ACCEPTED


def replacing(w: Work) -> None:
    w.add("letter.txt", b"The first version of the letter.")
    settled(w.service, w.session)
    w.disk.fill()
    second = b"The second version of the letter. " + text(2)
    w.try_(lambda: w.service.documents.add_file(w.session, "letter.txt", second, "replace"))
    assert "first version" in str(pages_of(w, "letter.txt"))
    w.disk.free()
    w.service.documents.add_file(w.session, "letter.txt", second, "replace")
    settled(w.service, w.session)
    assert "second version" in str(pages_of(w, "letter.txt"))
    w.said.append("The disk is full.")  # `receive` said it by its outcome


def pages_of(w: Work, name: str) -> list[Page]:
    (found,) = [one for one in w.service.documents.list(w.session) if one.name == name]
    return w.service.documents.pages(w.session, found.id)


def parsing(w: Work) -> None:
    with w.disk.full_at(worker, "load_in_child"):
        w.add("parsed.txt", text(3))
        settled_while_full(w)
    w.failed_and_retried("parsed.txt")


def settled_while_full(w: Work) -> None:
    """Wait until nobody works on a document: its state may not be recorded yet."""
    assert eventually(w.disk.ballast.exists, 90)
    assert eventually(lambda: not w.service.worker._in_work, 90)


def storing_text(w: Work) -> None:
    with w.disk.full_at(Content, "save"):
        w.add("stored.txt", text(4) + text(5))
        settled_while_full(w)
    w.failed_and_retried("stored.txt")


def vectors(w: Work) -> None:
    with w.disk.full_at(ChromaStore, "add"):
        w.add("vectors.txt", text(6) + text(7))
        settled_while_full(w)
    w.failed_and_retried("vectors.txt")


def words(w: Work) -> None:
    with w.disk.full_at(TantivyIndex, "add"):
        w.add("words.txt", text(8))
        settled_while_full(w)
    w.failed_and_retried("words.txt")


def collected_pages(w: Work) -> None:
    room, request = w.service.collecting, of_site(w.site)
    with w.disk.full_at(Adder, "add_loaded", 2):
        run = room.start(w.session, request)
        over_while_full(w, run)
    said_of_run(w, run)
    settled(w.service, w.session)  # what failed meanwhile is recorded once there is room
    again = ended(w.service, w.session, room.again(w.session, run.id))
    assert again.state is CollectState.DONE, again
    titles = {one.title for one in settled(w.service, w.session)}
    assert {"Start", "Apples", "Boats"} <= titles, titles


def over_while_full(w: Work, run: CollectRun) -> None:
    """Wait until no thread works on the run."""
    assert eventually(w.disk.ballast.exists, 90)
    assert eventually(lambda: not w.service.collecting._at_work, 90)


def said_of_run(w: Work, run: CollectRun) -> None:
    """What the run says of itself, and of what it left out."""
    over = ended(w.service, w.session, run)
    left_out = w.service.collecting.outcome(w.session, run.id).left_out
    w.said.extend([f"{over.reason} {over.cure}", *(reason for _, reason in left_out)])
    assert over.state is CollectState.FAILED or left_out, over


def dump(w: Work) -> None:
    room = w.service.collecting
    w.disk.fill()
    w.try_(lambda: room.keep_upload(w.session, "Posts.xml", BytesIO(POSTS.encode() * 50)))
    w.disk.free()
    name = room.keep_upload(w.session, "Posts.xml", BytesIO(POSTS.encode()))
    with w.disk.full_at(stack_overflow, "write_json"):
        run = room.start(w.session, asking(name, tag=""))
        over_while_full(w, run)
    said_of_run(w, run)
    again = ended(w.service, w.session, room.again(w.session, run.id))
    assert (again.state, again.progress.found) == (CollectState.DONE, 2), again


def question(w: Work) -> None:
    talk = w.service.conversations.create(w.session, "Before")
    ask(w, talk.id)
    w.disk.fill()
    long = f"{QUESTION} {'Say it well. ' * 250}"
    for _ in range(200):  # until what SQLite has kept ready is used up
        w.try_(lambda: w.service.conversations.create(w.session, long))
        w.try_(lambda: list(w.service.ask(AskRequest(w.session, long, talk.id))))
        if w.said:
            break
    w.disk.free()
    ask(w, talk.id)
    first = w.service.conversations.messages(w.session, talk.id)[1].answer
    assert first
    assert "Ida Holm" in first.text


def ask(w: Work, talk: str) -> None:
    list(w.service.ask(AskRequest(w.session, QUESTION, talk)))
    said = w.service.conversations.messages(w.session, talk)
    assert said[-1].answer is not None
    assert "Ida Holm" in said[-1].text


def answer(w: Work) -> None:
    talk = w.service.conversations.create(w.session, "Kept")
    ask(w, talk.id)
    for _ in range(20):  # a short write may still find room in SQLite's log
        with w.disk.full_at(Service, "_keep_answer"):
            w.try_(lambda: list(w.service.ask(AskRequest(w.session, QUESTION, talk.id))))
        if w.said:
            break
    said = w.service.conversations.messages(w.session, talk.id)
    assert said[1].answer is not None, "what was kept is still there"
    assert said[-1].role == "user", "the question is there, to be asked again"
    ask(w, talk.id)


def suggestions(w: Work) -> None:
    w.disk.fill()
    room = w.service.documents
    assert eventually(lambda: room.suggestions(w.session) is not None)
    w.disk.free()
    w.said.append("Nothing is written: the disk may be full.")


def evaluation(w: Work) -> None:
    room = w.service.evaluations
    items = [GoldenItem(str(at), one, ("Ida Holm",)) for at, one in enumerate([QUESTION] * 6)]
    w.disk.fill()
    w.try_(lambda: room.save_set(w.session, "Big", [*items] * 400))
    w.disk.free()
    golden = room.save_set(w.session, "Set", items)
    with w.disk.full_at(EvaluationStore, "save_result", 2):
        run = room.start_run(w.session, golden.id, RunSettings(bertscore=False))
        assert eventually(w.disk.ballast.exists, 90)
        assert eventually(lambda: rests(w, run) or full_log(w), 90)
    now = reached(w, run, RunState.FAILED, RunState.DONE)
    if now.state is RunState.FAILED:
        w.said.append(now.reason)
        room.resume_run(w.session, run.id)
        now = reached(w, run, RunState.DONE)
    assert len(room.results(w.session, run.id)) == 6
    assert now.done == 6


def full_log(w: Work) -> bool:
    """Whether the run is over, though that could not be recorded."""
    return bool(w.service.evaluations.runner._unrecorded._left)


def rests(w: Work, run: Run) -> bool:
    active = (RunState.WAITING, RunState.RUNNING)
    return w.service.evaluations.run(w.session, run.id).state not in active


def reached(w: Work, run: Run, *states: RunState) -> Run:
    room = w.service.evaluations
    assert eventually(lambda: room.run(w.session, run.id).state in states, 60), room.run(
        w.session, run.id
    )
    return room.run(w.session, run.id)


def backup(w: Work) -> None:
    place = w.disk.folder / "backups"
    for owner, name in (
        (core.maintenance.backup, "_copy_originals"),
        (core.maintenance.backup, "_write_manifest"),
    ):
        with w.disk.full_at(owner, name):
            w.try_(lambda: w.service.upkeep.run("backup", place))
    assert not place.exists() or list(place.iterdir()) == []
    w.disk.fill()
    w.try_(lambda: w.service.upkeep.run("backup", place))
    assert w.service.upkeep.state().failure is not None
    w.disk.free()
    assert w.service.upkeep.run("backup", place).clean
    assert w.service.upkeep.state().failure is None


def rebuilding(w: Work) -> None:
    for _ in range(3):  # a small index may still find room in what Tantivy has open
        with w.disk.full_at(TantivyIndex, "add"):
            w.try_(lambda: w.service.upkeep.run("rebuild"))
        if w.said:
            break
    assert w.service.upkeep.state().failure is not None
    assert w.service.upkeep.run("rebuild").clean


def tidying(w: Work) -> None:
    w.add("gone.txt", text(9))
    (gone,) = [one for one in settled(w.service, w.session) if one.name == "gone.txt"]
    w.disk.fill()
    w.try_(lambda: w.service.documents.remove(w.session, gone.id))
    assert "Ida Holm" in answer_of(w.service, w.session, QUESTION).text
    w.disk.free()
    if w.said:
        w.service.documents.remove(w.session, gone.id)
    assert eventually(w.service.catalogue.database.erased)
    assert eventually(lambda: not w.service.stores.lexical.holds_deleted(w.session.id))
    w.said.append("The disk may be full: removing works all the same.")


def exporting(w: Work) -> None:
    talk = w.service.conversations.create(w.session, "Export")
    ask(w, talk.id)
    w.disk.fill()
    for form in FORMS:
        assert w.service.conversations.export(w.session, talk.id, form)
    w.disk.free()
    w.said.append("Nothing is written: the disk may be full.")


def settings_saved(w: Work) -> None:
    sessions, session = w.service.sessions, w.session
    sessions.set_preferences(session, {"note": "before"})
    w.disk.fill()
    for number in range(300):
        value = {"note": f"{number} " + "of many words " * 500}
        w.try_(partial(sessions.set_preferences, session, value))
        if w.said:
            break
    kept = str(sessions.preferences(session)["note"])
    assert kept == "before" or kept.startswith(f"{number - 1} ")
    w.try_(lambda: w.service.keys.create(session.owner_id, "key " * 50))
    w.disk.free()
    sessions.set_preferences(session, {"note": "after"})
    assert sessions.preferences(session)["note"] == "after"


def live_pages(w: Work) -> None:
    def page(name: str) -> Any:
        body = f"{name} tells of the harbour. " + text(10).decode()
        loaded = LoadedDocument(DocumentKind.WEB, (Page(0, body),), title=name, language="en")
        return live_page(f"https://example.org/{name}", loaded)

    pages = [page("one"), page("two")]
    for owner, name, call in (
        (Originals, "write", 1),
        (Originals, "write", 2),
        (Content, "save", 2),
        (ChromaStore, "add", 1),
    ):
        with w.disk.full_at(owner, name, call):
            w.try_(lambda: w.service.live.add(w.session.id, pages))
        w.service.live.add(w.session.id, [])  # as the next question with the web does
        left = [one for one in every_document(w) if one.url.startswith("https://example.org/")]
        assert left == [], f"{name} {call}: {left}"
    w.service.live.add(w.session.id, pages)
    assert w.service.live.fresh(w.session.id, "https://example.org/one")
    for one in every_document(w):
        if one.url.startswith("https://example.org/"):
            w.service.remover.document(w.session.id, one.id)


def every_document(w: Work) -> list[Any]:
    return list(w.service.catalogue.documents.list(w.session.id))


def watched_folder(w: Work) -> None:
    folder = w.disk.folder.parent / "watched"
    folder.mkdir()
    (folder / "letter.txt").write_bytes(text(11))
    given = {"watch_dir": str(folder), "watch_session": w.session.id}
    own = replace(w.service.stores, settings=w.service.settings.model_copy(update=given))
    watch = FolderWatch(own, w.service.watch.adder, w.service.remover)
    w.disk.fill()
    for _ in range(2):
        w.try_(watch.look)
    w.said.extend(watch.state()[1:])
    assert watch.state()[0] == "warning", watch.state()
    w.disk.free()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watching, "_AGAIN_AFTER", 0)
        watch.look()
    assert watch.state()[0] == "ok", watch.state()
    assert "letter.txt" in {one.name for one in settled(w.service, w.session)}


KINDS: dict[str, Callable[[Work], None]] = {
    "upload": upload,
    "replacing": replacing,
    "parsing": parsing,
    "storing text": storing_text,
    "vectors": vectors,
    "words": words,
    "collected pages": collected_pages,
    "import of a dump": dump,
    "question": question,
    "answer": answer,
    "suggestions": suggestions,
    "evaluation": evaluation,
    "backup": backup,
    "rebuilding": rebuilding,
    "tidying": tidying,
    "exporting": exporting,
    "settings": settings_saved,
    "live pages": live_pages,
    "watched folder": watched_folder,
}


def restoring(disk: Disk, settings: Settings, backups: Path) -> list[str]:
    """A backup restored over a library, on a disk that is full at each of its steps."""
    back_up_running(settings, backups, lambda done, total: None)
    (folder,) = backups.iterdir()
    said: list[str] = []
    for call in (1, 3):
        with disk.full_at(core.maintenance.backup.shutil, "copyfile", call):
            try:
                restore(settings, folder, replace=True, progress=lambda done, total: None)
            except AppError as error:
                said.append(f"{error.message} {error.cure}")
        with opened(settings, MODEL) as service:
            assert all_found(service, the_session(service)), "what was there is still there"
    restore(settings, folder, replace=True, progress=lambda done, total: None)
    with opened(settings, MODEL) as service:
        assert all_found(service, the_session(service))
        assert troubles(service) == []
    return said


def main(folder: Path, wanted: list[str]) -> dict[str, dict[str, object]]:
    """Every kind of work in one process, one after another."""
    disk, seen = Disk(folder / "disk"), dict[str, dict[str, object]]()
    with serving(PAGES) as site:
        values = {"data_dir": disk.folder / "data", "chroma_dir": disk.folder / "chroma"}
        settings = collecting(folder, site).model_copy(update={**values, "min_free_mb": 0})
        with opened(settings, MODEL) as service:
            work = Work(disk, service, site)
            for name, kind in KINDS.items():
                if wanted and name not in wanted:
                    continue
                work.said, fault = [], ""
                failures().clear()
                try:
                    kind(work)
                    work.whole()
                except Exception:  # every fault of the program is a finding of this one
                    fault = traceback.format_exc()
                finally:
                    disk.free()
                seen[name] = {"said": work.said, "fault": fault}
                print(name, seen[name], file=sys.stderr, flush=True)
    if not wanted or "restore" in wanted:
        said, fault = [], ""
        try:
            said = restoring(disk, settings, folder / "backups")
        except Exception:  # as above
            fault = traceback.format_exc()
        seen["restore"] = {"said": said, "fault": fault}
    return seen


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2:])))
