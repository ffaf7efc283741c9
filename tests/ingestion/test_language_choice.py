"""The embedding model is chosen by the language of the documents, unless a person chooses one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from core.config import Settings
from core.errors import ModelUnavailable, NotEnoughSpace
from core.models import lazy_embedder
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.service import Service
from core.storage.sql.cuts import Cuts
from core.types import Indexing, Session
from tests.conftest import eventually, settled
from tests.models.tiny import SIZE, make_embedder
from tests.support.small_library import HashEmbedder, dense, opened, troubles

GERMAN = (
    "Die späte Fähre legt um Mitternacht ab. Sie fährt im Winter nur, wenn das Wasser ruhig ist "
    "und der Wind nicht aus dem Norden kommt. Die Karten werden an Bord verkauft."
)
ENGLISH = (
    "Sourdough bread is baked at 230 degrees. The dough rests over night in a cold place, and the "
    "baker turns it twice before it goes into the oven."
)


@pytest.fixture
def multilingual(tmp_path: Path) -> str:
    """A tiny model made here, in a folder as it comes from the hub."""
    return str(make_embedder(tmp_path / "multilingual"))


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The model of the program is quick, others are loaded; gives names that cannot be had."""
    gone: list[str] = []

    def load(settings: Settings) -> Embedder:
        if settings.embedding_model in gone:
            raise ModelUnavailable("It cannot be had.", "Put it there.")
        usual = settings.embedding_model == Settings().embedding_model
        return HashEmbedder("own") if usual else load_embedder(settings)

    monkeypatch.setattr("core.storage.stores.load_embedder", load)
    monkeypatch.setattr(lazy_embedder, "_AGAIN_SECONDS", 0.0)
    return gone


@pytest.fixture
def service(settings: Settings, multilingual: str, own: list[str]) -> Iterator[Service]:
    with opened(settings.model_copy(update={"embedding_multilingual": multilingual})) as service:
        service.recutter.grace = 0.0
        yield service


@pytest.fixture
def session(service: Service) -> Session:
    return service.sessions.create(service.owners.for_token("somebody"))


def add(service: Service, session: Session, name: str, text: str) -> None:
    service.documents.add_file(session, name, text.encode())
    settled(service, session)


def model(service: Service, session: Session) -> str:
    """The model that a session has once it is indexed as it should be."""
    seen: list[Indexing] = []  # one look: another model may be chosen before the next

    def whole() -> bool:
        seen.append(service.sessions.indexing(session))
        return seen[-1].whole

    assert eventually(whole, 90)
    return seen[-1].embedding_model


def test_documents_in_another_language_are_embedded_by_the_multilingual_model(
    service: Service, session: Session, multilingual: str
) -> None:
    add(service, session, "faehre.txt", GERMAN)
    assert eventually(lambda: model(service, session) == multilingual)
    cuts = service.catalogue.cuts
    collection = cuts.collection(cuts.in_force(session.id))
    assert collection is not None
    assert (collection[0], collection[2]) == (multilingual, SIZE)
    assert dense(service, session, "Wann legt die Fähre ab?").hits[0].document.name == "faehre.txt"
    add(service, session, "brot.txt", ENGLISH)
    assert model(service, session) == multilingual, "it is not changed to and fro"
    assert len(service.stores.vectors.ids(cuts.in_force(session.id).index)) == 2
    assert eventually(lambda: troubles(service) == [])


def test_documents_in_english_are_not(service: Service, session: Session) -> None:
    add(service, session, "bread.txt", ENGLISH)
    add(service, session, "faehre.txt", GERMAN)
    add(service, session, "short.txt", "12 34")
    assert service.catalogue.documents.languages(session.id) == {"en": 1, "de": 1, "": 1}
    assert model(service, session) == ""


def test_who_goes_back_is_not_overruled(
    service: Service, session: Session, multilingual: str
) -> None:
    add(service, session, "faehre.txt", GERMAN)
    assert eventually(lambda: model(service, session) == multilingual)
    service.sessions.choose_preset(session, "balanced", embedding_model="")
    assert model(service, session) == ""
    add(service, session, "faehre2.txt", GERMAN + " Das gilt auch im Sommer.")
    assert model(service, session) == ""


def test_a_choice_that_fails_halfway_is_made_with_the_next_document(
    service: Service, session: Session, multilingual: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = Event()

    def full(*given: object) -> None:
        failed.set()
        raise NotEnoughSpace("The catalogue cannot be written: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(Cuts, "want", full)
        add(service, session, "faehre.txt", GERMAN)
        assert failed.wait(20)
    assert model(service, session) == ""
    add(service, session, "faehre2.txt", GERMAN + " Das gilt auch im Sommer.")
    assert eventually(lambda: model(service, session) == multilingual)


def test_another_preset_alone_chooses_no_model(
    service: Service, session: Session, multilingual: str
) -> None:
    made = service.sessions.create(session.owner_id, "Two", "documents", embedding_model="")
    service.sessions.choose_preset(made, "live-web", embedding_model="", reranker_model="")
    add(service, made, "faehre.txt", GERMAN)
    assert eventually(lambda: model(service, made) == multilingual)
    assert service.sessions.indexing(made).preset == "live-web"
    cut = service.catalogue.cuts.in_force(made.id)
    assert (cut.cutting.overlap, cut.cutting.model) == (100, multilingual)


def test_where_it_cannot_be_had_the_session_is_as_it_was(
    service: Service, session: Session, multilingual: str, own: list[str]
) -> None:
    own.append(multilingual)
    add(service, session, "faehre.txt", GERMAN)
    said = "It cannot be had."
    assert eventually(lambda: service.sessions.indexing(session).reason == said, 90)
    assert dense(service, session, "Fähre").hits[0].document.name == "faehre.txt"


def test_it_is_offered_and_off_unless_named(settings: Settings, own: list[str]) -> None:
    named = settings.model_copy(update={"embedding_multilingual": "an/other"})
    assert named.embedding_choices == (settings.embedding_model, "an/other")
    with opened(settings) as service:
        session = service.sessions.create(service.owners.for_token("somebody"))
        add(service, session, "faehre.txt", GERMAN)
        assert model(service, session) == ""
