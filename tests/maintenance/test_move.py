"""A library moved from the disk into PostgreSQL and back: all of it, and nothing embedded again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.config import Settings
from core.errors import DataDirectoryInUse, InvalidRequest, StorageError
from core.maintenance import move as module
from core.maintenance.move import DISK, move
from core.service import Service
from core.storage.files.lock import DataLock
from core.types import Session
from tests.conftest import eventually, settled
from tests.grown.server import Server
from tests.support.small_library import HashEmbedder, all_found, fill, opened, the_session, troubles

pytestmark = [pytest.mark.grown, pytest.mark.F28]


@pytest.fixture
def on_disk(settings: Settings) -> Settings:
    return settings.model_copy(update={"database_url": ""})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    model = HashEmbedder("one")
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda _: model)
    return model


def filled(settings: Settings, model: HashEmbedder) -> None:
    """A library with documents in two cuts, a conversation and a name."""
    with opened(settings, model) as service:
        session = fill(service, more=3)
        service.sessions.choose_preset(session, "balanced", beside=["documents"])
        settled(service, session)
        assert eventually(lambda: service.sessions.indexing(session).whole)
        assert len(service.catalogue.cuts.standing(session.id)) == 2
        conversation = service.catalogue.conversations.create(session.id, "Whales")
        service.catalogue.conversations.add_message(
            session.id, conversation.id, "user", "How long do whales sing? \ud800\x00"
        )


def contents(service: Service, session: Session) -> tuple[object, ...]:
    """What a person sees, and the vectors: to 6 digits, for Chroma rounds."""
    catalogue, cuts = service.catalogue, service.catalogue.cuts.standing(session.id)
    store, vectors = service.stores.vectors, {}
    for cut in cuts:
        found = store.vectors(cut.index, sorted(store.ids(cut.index)))
        vectors.update({key: np.round(vector, 6).tolist() for key, vector in found.items()})
    documents = service.documents.list(session)
    return (
        documents,
        [service.documents.chunks(session, document.id) for document in documents],
        cuts,
        vectors,
        [
            catalogue.conversations.messages(session.id, one.id)
            for one in catalogue.conversations.list(session.id)
        ],
    )


def look(settings: Settings, model: HashEmbedder) -> object:
    with opened(settings, model) as service:
        session = the_session(service)
        assert all_found(service, session)
        assert troubles(service) == []
        return contents(service, session)


def test_there_and_back_again(on_disk: Settings, settings: Settings, model: HashEmbedder) -> None:
    filled(on_disk, model)
    before = look(on_disk, model)
    model.before = lambda: pytest.fail("nothing is embedded again")
    lines, clean = move(on_disk, settings.database_url)
    assert clean, lines
    assert look(settings, model) == before
    model.before = lambda: None
    with opened(settings, model) as service:
        session = the_session(service)
        service.documents.add_file(session, "new.txt", b"Amber glue is boiled for nine hours.")
        settled(service, session)
        after = contents(service, session)
    with pytest.raises(InvalidRequest, match="another library"):
        move(settings, DISK)
    (on_disk.data_dir / "library.db").rename(on_disk.data_dir / "before.db")
    lines, clean = move(settings, DISK)
    assert clean, lines
    assert look(on_disk, model) == after


def test_keys_are_counted_on_from_the_greatest(
    on_disk: Settings,
    settings: Settings,
    model: HashEmbedder,
    postgresql: Server,
) -> None:
    filled(on_disk, model)
    move(on_disk, settings.database_url)
    name = settings.database_url.rpartition("/")[2]
    for table, key in (("documents", "key"), ("messages", "id")):
        next_ = f"SELECT nextval('{table}_{key}_seq'), (SELECT max({key}) FROM {table})"
        ((following, greatest),) = postgresql.run(next_, name)
        assert following == greatest + 1
    ((first,),) = postgresql.run("SELECT nextval('collect_runs_key_seq')", name)
    assert first == 1, "no row of it"


@pytest.mark.parametrize("where", ["copy_rows", "_copy_index"])
def test_broken_off_it_goes_on(
    where: str,
    on_disk: Settings,
    settings: Settings,
    model: HashEmbedder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filled(on_disk, model)
    before, work, calls = look(on_disk, model), getattr(module, where), list[int]()

    def once(*given: object) -> object:
        calls.append(1)
        if len(calls) == (1 if where == "copy_rows" else 2):
            raise StorageError("It ends here.")
        return work(*given)

    monkeypatch.setattr(module, where, once)
    with pytest.raises(StorageError, match="ends here"):
        move(on_disk, settings.database_url)
    assert move(on_disk, settings.database_url)[1]
    assert look(settings, model) == before
    again, clean = move(on_disk, settings.database_url)
    assert clean
    assert "0 vectors" in "".join(again)


def test_words_that_an_earlier_library_left_there_are_not_kept(
    on_disk: Settings, settings: Settings, model: HashEmbedder
) -> None:
    filled(on_disk, model)
    move(on_disk, settings.database_url)
    (on_disk.data_dir / "library.db").rename(on_disk.data_dir / "before.db")
    with opened(settings, model) as service:
        session = the_session(service)
        gone = next(d for d in service.documents.list(session) if d.name == "bread.txt")
        service.documents.remove(session, gone.id)
    lines, clean = move(settings, DISK)
    assert clean, lines
    with opened(on_disk, model) as service:
        assert troubles(service) == []


def test_what_it_refuses(on_disk: Settings, settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="no library"):
        move(on_disk, settings.database_url)
    with pytest.raises(InvalidRequest, match="no PostgreSQL"):
        move(on_disk, "sqlite:///else.db")
    with pytest.raises(InvalidRequest) as caught:
        move(on_disk, "postgres://user:secret@127.0.0.1/library")
    assert "secret" not in f"{caught.value.message} {caught.value.cure}"
    with pytest.raises(InvalidRequest, match="there already"):
        move(on_disk, DISK)
    (on_disk.data_dir).mkdir(parents=True, exist_ok=True)
    (on_disk.data_dir / "library.db").touch()
    with DataLock(on_disk), pytest.raises(DataDirectoryInUse):
        move(on_disk, settings.database_url)
