"""Two processes with their originals in an object store: used, away, moved, backed up."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import OriginalsUnreachable, StorageError
from core.ingestion import worker
from core.maintenance.backup import back_up_running, restore
from core.maintenance.move import DISK, move
from core.service import Service
from core.storage.files import objects as module
from core.storage.files.originals import Originals
from core.types import AddOutcome, CollectKind, CollectRequest, CollectState, DocumentState, Session
from tests.collecting.runs import BOATS, Gate, collecting, ended, of_site, text_page, titles
from tests.conftest import eventually, settings_in, settled
from tests.grown.objects import Objects
from tests.grown.server import Server
from tests.maintenance.test_backup import MODEL, elsewhere, quiet
from tests.parsing.files import pdf
from tests.scraper.site import Site, serving
from tests.support.small_library import all_found, fill, opened, the_session, troubles

pytestmark = [pytest.mark.grown, pytest.mark.F28, pytest.mark.timeout(300)]


@pytest.fixture
def both(tmp_path: Path, bucket: str) -> Iterator[tuple[Service, Service]]:
    """Two processes on one database and one bucket."""
    with ExitStack() as closed:
        yield tuple(
            closed.enter_context(opened(settings_in(tmp_path / name, originals_url=bucket), MODEL))
            for name in ("one", "other")
        )


@pytest.fixture
def away(object_store: Objects, bucket: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Objects]:
    """The object store, to be paused: it is not waited for long."""
    monkeypatch.setattr(module, "_SILENCE", timedelta(seconds=1))
    monkeypatch.setattr(module, "_PATIENCE", {"max_retries": 0})
    monkeypatch.setattr(worker, "_UNTIL_BACK", 0.1)
    yield object_store
    object_store.go_on()


def session_of(service: Service) -> Session:
    return service.sessions.create(service.owners.for_token("somebody"), "Shared")


def paper(folder: Path, text: str) -> bytes:
    return pdf(folder / "paper.pdf", [text]).read_bytes()


def forget_copies(service: Service) -> None:
    shutil.rmtree(service.settings.cache_dir, ignore_errors=True)


def test_what_one_takes_in_the_other_reads_and_removes(
    both: tuple[Service, Service], tmp_path: Path
) -> None:
    one, other = both
    session = session_of(one)
    added = [
        one.documents.add_file(session, "pier.txt", b"The pier is 90 metres long."),
        one.documents.add_file(session, "ferry.pdf", paper(tmp_path, "The ferry leaves at nine.")),
    ]
    assert {result.outcome for result in added} == {AddOutcome.ACCEPTED}
    assert {d.state for d in settled(other, session)} == {DocumentState.READY}
    text, ferry = (result.document for result in added)
    assert text is not None
    assert ferry is not None
    forget_copies(one)
    for service in both:
        assert service.documents.original(session, text.id).read_bytes().startswith(b"The pier")
        assert service.documents.page_evidence(session, ferry.id, 0).image
        assert troubles(service) == []
    other.documents.remove(session, text.id)
    assert one.stores.originals.ids(session.id) == {ferry.id}
    one.sessions.delete(session)
    assert other.stores.originals.sessions() == set()
    assert "s3://" in {health.name: health.detail for health in one.health()}["Disk"]


def test_an_upload_that_the_store_refuses_is_refused_and_nothing_is_lost(
    both: tuple[Service, Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = both
    session = session_of(one)
    files = one.stores.originals.files
    assert isinstance(files, module.ObjectStore)
    nowhere = one.settings.model_copy(update={"originals_url": "s3://no-such-bucket"})
    there, gone = files._objects, module.ObjectStore(nowhere)._objects
    one.documents.add_file(session, "pier.txt", b"The pier is 90 metres long.")
    settled(one, session)
    monkeypatch.setattr(files, "_objects", gone)
    result = one.documents.add_file(session, "ferry.txt", b"The ferry leaves at nine.")
    assert result.outcome is AddOutcome.FAILED
    assert "refused" in result.reason
    assert "AWS_ACCESS_KEY_ID" in result.cure
    monkeypatch.setattr(files, "_objects", there)
    assert [d.label for d in one.documents.list(session)] == ["pier.txt"]
    assert troubles(one) == []
    assert not list(one.settings.cache_dir.rglob(".incoming-*"))
    again = one.documents.add_file(session, "ferry.txt", b"The ferry leaves at nine.")
    assert again.outcome is AddOutcome.ACCEPTED
    assert {d.state for d in settled(one, session)} == {DocumentState.READY}


def test_a_store_that_is_away_is_said_to_be_and_what_waits_goes_on(
    away: Objects, both: tuple[Service, Service], tmp_path: Path
) -> None:
    one, other = both
    session = session_of(one)
    pier = one.documents.add_file(
        session, "pier.pdf", paper(tmp_path, "The pier is 90 metres long.")
    ).document
    assert pier is not None
    settled(one, session)
    for service in both:
        forget_copies(service)
    away.pause()
    refused = other.documents.add_file(session, "ferry.txt", b"The ferry leaves at nine.")
    assert (refused.outcome, "does not answer" in refused.reason) == (AddOutcome.FAILED, True)
    with pytest.raises(OriginalsUnreachable):
        one.documents.original(session, pier.id)
    assert "does not answer" in one.documents.page_evidence(session, pier.id, 0).missing
    disk = {health.name: health for health in one.health()}["Disk"]
    assert (disk.state, "does not answer" in disk.detail) == ("error", True)
    one.catalogue.documents.set_state(session.id, pier.id, DocumentState.WAITING)
    one.worker.wake()
    assert not eventually(
        lambda: one.documents.get(session, pier.id).state is DocumentState.FAILED, 4
    )
    with pytest.raises(StorageError, match="was removed, but its files could not be"):
        other.documents.remove(session, pier.id)
    away.go_on()
    assert other.documents.list(session) == []
    again = other.documents.add_file(session, "ferry.txt", b"The ferry leaves at nine.")
    assert again.outcome is AddOutcome.ACCEPTED
    assert {d.state for d in settled(one, session)} == {DocumentState.READY}
    other.upkeep.run("mend")
    assert troubles(one) == []
    assert len(one.stores.originals.ids(session.id)) == 1


def test_a_document_waits_until_the_store_is_back(
    away: Objects, both: tuple[Service, Service]
) -> None:
    one, _ = both
    session = session_of(one)
    pier = one.documents.add_file(session, "pier.txt", b"The pier is 90 metres long.").document
    assert pier is not None
    settled(one, session)
    for service in both:
        forget_copies(service)
    away.pause()
    one.catalogue.documents.set_state(session.id, pier.id, DocumentState.WAITING)
    one.worker.wake()
    states = [DocumentState.READY, DocumentState.FAILED]
    assert not eventually(lambda: one.documents.get(session, pier.id).state in states, 5)
    away.go_on()
    assert [d.state for d in settled(one, session)] == [DocumentState.READY]


def test_a_run_that_was_paused_at_one_is_resumed_at_the_other(tmp_path: Path, bucket: str) -> None:
    gate = Gate("Boats", BOATS)
    pages = {
        "/docs/": text_page("Start", "The harbour.", "a.html", "b.html"),
        "/docs/a.html": text_page("Apples", "Apples are stored in the cellar of Ida Holm."),
        "/docs/b.html": gate,
    }
    with ExitStack() as closed:
        site: Site = closed.enter_context(serving(pages))
        one, other = (
            closed.enter_context(
                opened(
                    collecting(tmp_path / name, site).model_copy(update={"originals_url": bucket}),
                    MODEL,
                )
            )
            for name in ("one", "other")
        )
        session = session_of(one)
        other.collecting.end()
        run = one.collecting.start(session, of_site(site))
        assert eventually(lambda: "/docs/b.html" in site.hits, 60)
        one.collecting.pause(session, run.id)
        gate.open()
        assert eventually(lambda: one.collecting._at_work == [], 60)
        one.collecting.end()
        other.collecting._ending.clear()
        other.collecting.begin()
        before = len(site.hits)
        other.collecting.resume(session, run.id)
        assert ended(other, session, run).state is CollectState.DONE
        assert "/docs/a.html" not in site.hits[before:], "it was read already"
        assert titles(one, session) == {"Start", "Apples", "Boats"}
        stored = one.collecting.stored(session, run.id)
        assert stored is not None
        assert "western pier" in stored.read_text("utf-8")
        boats = next(d for d in one.documents.list(session) if d.title == "Boats")
        one.documents.remove(session, boats.id)
        theirs = other.collecting.stored(session, run.id)
        assert theirs is not None
        assert "western pier" not in theirs.read_text("utf-8")
        one.collecting.forget(session, run.id)
        assert one.stores.originals.files.files(f"{session.id}/collected/{run.source}") == []


def test_a_backup_goes_from_a_bucket_to_the_disk_and_to_another_bucket(
    settings: Settings, tmp_path: Path, bucket: str, postgresql: Server, object_store: Objects
) -> None:
    in_bucket = settings.model_copy(update={"originals_url": bucket})
    with opened(in_bucket, MODEL) as service:
        fill(service)
    forget = in_bucket.cache_dir
    shutil.rmtree(forget)
    back_up_running(in_bucket, tmp_path / "backups", quiet)
    (backup,) = (tmp_path / "backups").iterdir()
    on_disk = elsewhere(settings, tmp_path / "disk").model_copy(update={"database_url": ""})
    name = settings.database_url.rpartition("/")[2] + "_restored"
    another = elsewhere(settings, tmp_path / "another").model_copy(
        update={
            "database_url": postgresql.database(name),
            "originals_url": object_store.made("another"),
        }
    )
    for target in (on_disk, another):
        target.data_dir.mkdir(parents=True)
        restore(target, backup, replace=False, progress=quiet)
        with opened(target, MODEL) as service:
            session = the_session(service)
            assert all_found(service, session)
            assert troubles(service) == []
            assert len(service.stores.originals.ids(session.id)) == 3


def test_a_library_moves_into_a_bucket_and_back(
    settings: Settings, tmp_path: Path, bucket: str
) -> None:
    on_disk = settings.model_copy(update={"database_url": ""})
    with opened(on_disk, MODEL) as service:
        session = fill(service)
        run = service.catalogue.collect_runs.add(
            session.id, "site-1", CollectRequest(CollectKind.SITE, ("https://a.example/",))
        )
        service.catalogue.collect_runs.move(run.id, [CollectState.WAITING], CollectState.STOPPED)
        with service.stores.originals.collecting(session.id, "site-1") as folder:
            folder.mkdir(parents=True)
            (folder / "site.json").write_text("[]")
        upload = Path(
            service.stores.originals.receive(session.id, BytesIO(paper(tmp_path, "A dump.")))[0]
        )
        service.stores.originals.keep_upload(session.id, "c" * 64, upload)
    in_bucket = settings.model_copy(update={"originals_url": bucket})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.storage.stores.load_embedder", lambda _: MODEL)
        lines, clean = move(on_disk, settings.database_url, bucket)
        assert clean, lines
        assert "3 files" in "".join(lines)
        is_whole(in_bucket)
        (tmp_path / "shared").mkdir()
        shared = settings.model_copy(update={"originals_url": str(tmp_path / "shared")})
        lines, clean = move(in_bucket, settings.database_url, shared.originals_url)
        assert clean, lines
        is_whole(shared)
        (on_disk.data_dir / "library.db").rename(on_disk.data_dir / "before.db")
        shutil.rmtree(on_disk.sessions_dir)
        lines, clean = move(in_bucket, DISK)
        assert clean, lines
        is_whole(on_disk)


def is_whole(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        session, originals = the_session(service), service.stores.originals
        assert all_found(service, session)
        assert troubles(service) == []
        assert (originals.collected(session.id, "site-1") / "site.json").read_text() == "[]"
        assert originals.upload(session.id, "c" * 64).read_bytes().startswith(b"%PDF")
    assert len(Originals(settings).ids(session.id)) == 3
