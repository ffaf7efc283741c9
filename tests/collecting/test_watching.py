"""The watched folder: what is in it is in the library, and nothing from beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from core.collecting import watching
from core.collecting.watching import FolderWatch
from core.ingestion.adding import Adder
from core.service import Service
from core.types import AddOutcome, AddResult, DocumentState, Origin, Session
from tests.conftest import eventually, settings_in

Watch = Callable[..., FolderWatch]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service without threads: nothing happens but what a test does."""
    service = Service(settings_in(tmp_path), background=False)
    yield service
    service.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that is watched."""
    made = tmp_path / "papers"
    made.mkdir()
    return made


@pytest.fixture
def watch(service: Service, session: Session, folder: Path) -> Watch:
    """Makes the watch of the folder, for the session unless a test says otherwise."""

    def made(**values: object) -> FolderWatch:
        given = {"watch_dir": str(folder), "watch_session": session.id, **values}
        stores = replace(service.stores, settings=service.settings.model_copy(update=given))
        return FolderWatch(stores, service.watch.adder, service.remover)

    return made


def follow(watch: FolderWatch) -> None:
    """Two looks: what is there at both is taken in."""
    watch.look()
    watch.look()


def names(service: Service, session: Session) -> list[str]:
    return sorted(document.label for document in service.documents.list(session))


def test_a_folder_is_followed_by_one_process(
    service: Service, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(role: str) -> AbstractContextManager[bool]:
        return nullcontext(role != "watched folder")

    monkeypatch.setattr(watching, "_LOOK_EVERY", 0.01)
    monkeypatch.setattr(service.catalogue.database, "elected", elsewhere)
    watched, looks = watch(), list[str]()
    monkeypatch.setattr(FolderWatch, "look", lambda self: looks.append("looked"))
    watched.begin()
    assert eventually(lambda: "Another process" in watched.state()[1])
    assert looks == []
    monkeypatch.undo()
    watched.end()


def test_new_changed_and_removed_files_follow(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    (folder / "2024").mkdir()
    (folder / "a.txt").write_text("The first text.")
    (folder / "2024" / "b.md").write_text("# The second")
    watched = watch()
    follow(watched)
    found = {document.label: document for document in service.documents.list(session)}
    assert {label: document.tags for label, document in found.items()} == {
        "a.txt": (),
        "b.md": ("2024",),
    }
    uploaded = service.documents.add_file(session, "c.txt", b"Not in the folder.").document
    assert uploaded
    assert {one.label: one.origin for one in service.documents.list(session)} == {
        "a.txt": Origin.WATCHED,
        "b.md": Origin.WATCHED,
        "c.txt": Origin.UPLOAD,
    }
    assert service.documents.get(session, found["a.txt"].id).origin is Origin.WATCHED
    assert service.documents.get(session, uploaded.id).origin is Origin.UPLOAD
    service.documents.remove(session, uploaded.id)
    follow(watch())  # another process, later
    assert len(service.documents.list(session)) == 2

    (folder / "a.txt").write_text("The first text, changed.")
    follow(watched)
    changed = [d for d in service.documents.list(session) if d.name == "a.txt"]
    assert [service.catalogue.documents.replaces(session.id, d.id) for d in changed] == [
        None,
        found["a.txt"].id,
    ]
    (folder / "2024" / "b.md").unlink()
    watched.look()
    assert "b.md" not in names(service, session)


def test_a_file_that_is_still_written_waits(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    watched = watch()
    for text in ("Half", "Half of", "Half of it, and the rest."):
        (folder / "a.txt").write_text(text)
        watched.look()
    assert names(service, session) == []
    watched.look()
    (document,) = service.documents.list(session)
    assert document.size == len("Half of it, and the rest.")


def test_links_lead_nowhere(
    service: Service, session: Session, folder: Path, watch: Watch, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("A secret.")
    (folder / "link.txt").symlink_to(outside / "secret.txt")
    (folder / "linked").symlink_to(outside)
    (folder / "a.txt").write_text("No secret.")
    follow(watch())
    assert names(service, session) == ["a.txt"]
    for path in ("link.txt", "linked/secret.txt"):  # as where one is put there after the look
        with pytest.raises(OSError, match=r"symbolic|directory"):
            watching._opened(folder, path)


def test_bad_files_hold_up_no_others(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    (folder / "empty.txt").write_bytes(b"")
    (folder / ".hidden.txt").write_text("Hidden.")
    (folder / "program.exe").write_bytes(b"MZ")
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    os.mkfifo(folder / "pipe.txt")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_text("A name that is no text.")
    closed = folder / "closed.txt"
    closed.write_text("Closed.")
    (folder / "good.txt").write_text("A good text.")
    watched = watch()
    watched.look()
    closed.unlink()  # between two looks
    follow(watched)
    assert names(service, session) == ["damaged.pdf", "good.txt"]
    assert "Not taken in: 1, the last one empty.txt." in watched.state()[1]


def test_each_folder_has_its_session(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    for name in ("one", "two"):
        (folder / name / "deep").mkdir(parents=True)
        (folder / name / "deep" / "a.txt").write_text(f"A text of {name}.")
    (folder / "top.txt").write_text("In no folder.")
    follow(watch(watch_subfolders=True))
    sessions = {one.name: one for one in service.sessions.list(session.owner_id)}
    assert set(sessions) == {"Test", "one", "two"}
    assert names(service, session) == ["top.txt"]
    (document,) = service.documents.list(sessions["two"])
    assert document.tags == ("deep",)
    service.sessions.rename(sessions["two"], "Another name")
    (folder / "two" / "b.txt").write_text("One more.")
    follow(watch(watch_subfolders=True))
    assert names(service, sessions["two"]) == ["a.txt", "b.txt"]


def test_what_cannot_be_seen_is_not_removed(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    (folder / "a.txt").write_text("A text.")
    watched = watch()
    follow(watched)
    aside = folder.rename(folder.with_name("aside"))
    watched.look()
    assert "cannot be read" in watched.state()[1]
    folder.mkdir()  # the place of a disk that is not mounted
    watched.look()
    assert "empty" in watched.state()[1]
    assert names(service, session) == ["a.txt"]
    folder.rmdir()
    aside.rename(folder)
    watched.look()
    assert watched.state()[0] == "ok"


def test_the_same_content_twice_is_removed_with_the_last(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (folder / name).write_text("One text." if name < "c" else "Another.")
    watched = watch()
    follow(watched)
    assert len(names(service, session)) == 2
    (folder / "a.txt").unlink()
    watched.look()
    assert len(names(service, session)) == 2
    (folder / "b.txt").unlink()
    watched.look()
    assert names(service, session) == ["c.txt"]


def test_what_a_person_removed_stays_out_until_it_changes(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    (folder / "a.txt").write_text("A text.")
    watched = watch()
    follow(watched)
    service.documents.remove(session, service.documents.list(session)[0].id)
    follow(watched)
    assert names(service, session) == []
    (folder / "a.txt").write_text("A new text.")
    follow(watched)
    assert names(service, session) == ["a.txt"]


def test_nobody_gets_files_by_chance(
    service: Service, session: Session, folder: Path, watch: Watch
) -> None:
    (folder / "a.txt").write_text("A text.")
    shared = watch(watch_session="", login="required")
    follow(shared)
    assert "Set WATCH_SESSION" in shared.state()[1]
    assert names(service, session) == []
    follow(watch(watch_session=""))  # only this machine can connect: it is the person at it
    made = {one.name: one for one in service.sessions.list(session.owner_id)}
    assert names(service, made["Watched folder"]) == ["a.txt"]


def test_the_running_program_follows(tmp_path: Path, folder: Path) -> None:
    (folder / "a.txt").write_text("The lighthouse was built by Ida Holm.")
    service = Service(settings_in(tmp_path / "running", watch_dir=str(folder)))
    try:
        mine = service.sessions.create(service.owners.for_token("somebody"))

        def read() -> bool:
            made = [s for s in service.sessions.list(mine.owner_id) if s.id != mine.id]
            states = [d.state for one in made for d in service.documents.list(one)]
            return states == [DocumentState.READY]

        assert eventually(read, 60)
    finally:
        service.close()


def test_a_file_that_is_refused_is_named_and_tried_again(
    service: Service,
    session: Session,
    folder: Path,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "good.txt").write_text("A good text.")
    (folder / "letter.txt").write_text("A letter.")
    watched = watch()
    watched.look()

    def full(*_: object, **__: object) -> AddResult:
        return AddResult("letter.txt", AddOutcome.FAILED, None, "The disk is full.", "Make room.")

    with monkeypatch.context() as patch:
        patch.setattr(Adder, "add_file", full)
        watched.look()
        state, said, cure = watched.state()
        assert state == "warning"
        assert "each minute" in cure
        assert "Followed: 2" in said
        assert "Not taken in: 2, the last one " in said
        assert said.endswith("The disk is full.")
    watched.look()
    assert names(service, session) == [], "not at every look"
    monkeypatch.setattr(watching, "_AGAIN_AFTER", 0)
    watched.look()
    assert names(service, session) == ["good.txt", "letter.txt"]
    assert watched.state()[0] == "ok"
