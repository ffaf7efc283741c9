"""An embedding model and a reranker of a session's own, beside those of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import InvalidRequest, ModelUnavailable
from core.maintenance.checking import Trouble
from core.models import lazy_embedder
from core.models.embedding import load_embedder
from core.models.reranking import Rerankers
from core.retrieval.cut_off import MEASURED
from core.service import Service
from core.types import (
    AskRequest,
    DocumentState,
    Notice,
    QueryOptions,
    SearchOptions,
    SearchResult,
    Session,
    Step,
)
from core.types.steps import ByMethod
from tests.conftest import eventually, settled
from tests.models.tiny import SIZE, make_classifier, make_embedder
from tests.support.small_library import (
    QUESTIONS,
    HashEmbedder,
    all_found,
    dense,
    fill,
    opened,
    the_session,
    troubles,
)

pytestmark = pytest.mark.F29

OTHER = "other-model"


class Loader:
    """Loads models of different dimensions by their names, or fails."""

    def __init__(self) -> None:
        self.given: dict[str, HashEmbedder] = {}
        self.failing = False

    def __call__(self, settings: Settings) -> HashEmbedder:
        name = settings.embedding_model
        if self.failing and name == OTHER:
            raise ModelUnavailable(f"{name} cannot be had.", "Put it there.")
        size = 32 if name == OTHER else 64
        self.given[name] = HashEmbedder(name, size)
        return self.given[name]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Loader:
    """What loads the models; a failure is tried again at once."""
    loader = Loader()
    monkeypatch.setattr("core.storage.stores.load_embedder", loader)
    monkeypatch.setattr(lazy_embedder, "_AGAIN_SECONDS", 0.0)
    return loader


@pytest.fixture
def offering(settings: Settings) -> Settings:
    """Settings with another embedding model to choose."""
    return settings.model_copy(update={"embedding_models": OTHER})


@pytest.fixture
def service(offering: Settings, load: Loader) -> Iterator[Service]:
    """A service in which cuts that were searched go at once."""
    with opened(offering) as service:
        service.recutter.grace = 0.0
        yield service


@pytest.fixture
def library(service: Service) -> Session:
    """Three facts."""
    return fill(service)


def choose(service: Service, session: Session, model: str) -> None:
    """Choose an embedding model and wait until it is in force."""
    name = service.sessions.preset(session)
    service.sessions.choose_preset(session, name, embedding_model=model)
    wait_whole(service, session)


def wait_whole(service: Service, session: Session) -> None:
    """Wait until the session is indexed as it should be, and nothing else stands."""
    cuts = service.catalogue.cuts

    def done() -> bool:
        return service.sessions.indexing(session).whole and len(cuts.standing(session.id)) == 1

    assert eventually(done), service.sessions.indexing(session)


def made_with(service: Service, session: Session) -> str:
    """The name of the model that made the vectors which are searched."""
    cuts = service.catalogue.cuts
    found = cuts.collection(cuts.in_force(session.id))
    assert found is not None
    return found[0]


def test_the_cut_off_of_a_preset_is_that_of_the_session(service: Service, library: Session) -> None:
    for name in ("cups", "oars", "kites", "spoons", "lamps", "bells"):
        text = f"The {name} of the village are made of wood and sold at the market in {name}ville."
        service.documents.add_file(library, f"{name}.txt", text.encode())
    settled(service, library)
    service.sessions.choose_preset(library, "python-docs", embedding_model=OTHER)
    wait_whole(service, library)
    steps = service.search(AskRequest(library, "Where are the bells sold?")).steps
    detail = next(step.detail for step in steps if step.name == "dense")
    assert isinstance(detail, ByMethod)
    assert detail.method == OTHER
    assert detail.least is not None
    assert detail.least != MEASURED


def test_another_model_is_chosen_later(service: Service, library: Session, load: Loader) -> None:
    choose(service, library, OTHER)
    assert made_with(service, library) == OTHER
    assert all_found(service, library)
    steps = {step.name: step for step in dense(service, library, QUESTIONS["bread.txt"]).steps}
    assert steps["dense"].detail == ByMethod(OTHER)
    assert service.sessions.indexing(library).embedding_model == OTHER
    assert troubles(service) == []
    choose(service, library, service.settings.embedding_model)  # and back
    assert service.sessions.indexing(library).embedding_model == ""
    assert all_found(service, library)
    assert troubles(service) == []


def test_it_is_chosen_at_the_beginning(service: Service) -> None:
    owner = service.owners.for_token("somebody")
    session = service.sessions.create(owner, "Mine", "documents", embedding_model=OTHER)
    wait_whole(service, session)
    service.documents.add_file(session, "bread.txt", b"Sourdough bread is baked at 230 degrees.")
    settled(service, session)
    assert made_with(service, session) == OTHER
    assert dense(service, session, "sourdough bread").hits
    with pytest.raises(InvalidRequest, match="no embedding model nobody's"):
        service.sessions.create(owner, "Not mine", embedding_model="nobody's")
    assert [one.name for one in service.sessions.list(owner)] == ["Mine"]


def test_two_sessions_have_models_of_different_sizes(service: Service, library: Session) -> None:
    other = service.sessions.create(library.owner_id, "Other", embedding_model=OTHER)
    wait_whole(service, other)
    service.documents.add_file(other, "ferry.txt", b"The late ferry leaves at midnight.")
    settled(service, other)
    assert dense(service, other, "late ferry").hits[0].document.name == "ferry.txt"
    assert all_found(service, library)
    service.documents.remove(other, service.documents.list(other)[0].id)
    assert troubles(service) == []


def test_documents_come_in_while_both_stand(service: Service, library: Session) -> None:
    """A document is embedded by each model that the session has."""
    service.recutter.stop()
    name = service.sessions.preset(library)
    service.sessions.choose_preset(library, name, embedding_model=OTHER)
    first = b"The late ferry leaves at midnight. It carries cars and people to the isle. " * 40
    for text in (first, first + b"A second ferry sails at dawn. " * 40):  # and a new version
        service.documents.add_file(library, "ferry.txt", text, on_same_name="replace")
        settled(service, library)
    assert {one.state for one in service.documents.list(library)} == {DocumentState.READY}
    sizes = {}
    for cut in service.catalogue.cuts.standing(library.id):
        ids = service.stores.vectors.ids(cut.index)
        sizes[cut.cutting.model] = {
            len(one) for one in service.stores.vectors.vectors(cut.index, list(ids)).values()
        }
    assert sizes == {"": {64}, OTHER: {32}}
    assert dense(service, library, "late ferry").hits[0].document.name == "ferry.txt"


def test_while_it_cannot_be_loaded_the_session_is_as_it_was(
    service: Service, library: Session, load: Loader
) -> None:
    load.failing = True
    name = service.sessions.preset(library)
    service.sessions.choose_preset(library, name, embedding_model=OTHER)
    assert eventually(lambda: bool(service.sessions.indexing(library).reason))
    state = service.sessions.indexing(library)
    assert (state.whole, state.reason, state.cure) == (
        False, f"{OTHER} cannot be had.", "Put it there.",
    )  # fmt: skip
    assert all_found(service, library)
    load.failing = False
    service.sessions.choose_preset(library, name)  # asked for again: the model stays chosen
    service.recutter.wake()
    wait_whole(service, library)
    assert made_with(service, library) == OTHER


def both(service: Service, session: Session) -> SearchResult:
    """A search by meaning and by words."""
    return service.search(AskRequest(session, QUESTIONS["bread.txt"]))


def test_a_model_that_is_gone_later_is_said(offering: Settings, load: Loader) -> None:
    with opened(offering) as service:
        service.recutter.grace = 0.0
        choose(service, fill(service), OTHER)
    load.failing = True
    with opened(offering) as service:
        library = the_session(service)
        result = both(service, library)
        assert result.hits[0].document.name == "bread.txt"
        (notice,) = [one for one in result.notices if one.code == "dense-failed"]
        assert notice == Notice(
            "dense-failed",
            f"{OTHER} cannot be had. The search went by words alone.",
            "Put it there.",
        )
        assert [found.trouble for found in troubles(service)] == [Trouble.NO_MODEL]
        (health,) = [one for one in service.health() if one.name == "Embedding model"]
        assert health.state == "warning"
        assert f"{OTHER} cannot be had." in health.detail
        # What is deleted goes all the same.
        cut = service.catalogue.cuts.in_force(library.id)
        for document in service.documents.list(library):
            service.documents.remove(library, document.id)
        assert service.stores.vectors.ids(cut.index) == set()
        load.failing = False
        assert troubles(service) == []


def test_no_more_models_are_kept_than_are_in_use(
    service: Service, library: Session, load: Loader
) -> None:
    choose(service, library, OTHER)
    service.upkeep.tidy()
    assert set(service.stores._others) == {OTHER}
    choose(service, library, "")
    service.upkeep.tidy()
    assert service.stores._others == {}


def test_the_index_that_was_lost_is_made_again_by_its_own_model(
    service: Service, library: Session
) -> None:
    choose(service, library, OTHER)
    service.stores.vectors.delete_index(service.catalogue.cuts.in_force(library.id).index)
    assert [found.trouble for found in troubles(service)] != []
    service.upkeep.mend_session(library.id)
    assert troubles(service) == []
    assert made_with(service, library) == OTHER
    assert all_found(service, library)


def test_real_models_of_a_session(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole path with models from a folder, as they come from the hub."""
    embedder, reranker = make_embedder(tmp_path / "e"), make_classifier(tmp_path / "r")
    offered = {"embedding_models": str(embedder), "reranker_models": str(reranker)}
    loaded = "core.storage.stores.load_embedder"
    monkeypatch.setattr(loaded, lambda _: HashEmbedder("one"))
    with opened(settings.model_copy(update=offered)) as service:
        monkeypatch.setattr(loaded, load_embedder)
        service.recutter.grace = 0.0
        session = fill(service)
        service.sessions.choose_preset(
            session, "balanced", embedding_model=str(embedder), reranker_model=str(reranker)
        )
        wait_whole(service, session)
        cuts = service.catalogue.cuts
        collection = cuts.collection(cuts.in_force(session.id))
        assert collection is not None
        assert (collection[0], collection[2]) == (str(embedder), SIZE)
        assert service.rerankers.get(str(reranker)) is not None
        assert eventually(lambda: reranked(service, session) == str(reranker))
        other = service.sessions.create(session.owner_id, "Without")
        service.documents.add_file(other, "cat.txt", b"The cat sat on the mat.")
        settled(service, other)
        assert reranked(service, other) == ""


def reranked(service: Service, session: Session) -> str:
    """The reranker that put the hits in order, "" for none."""
    options = QueryOptions(replace(SearchOptions(), mode="lexical"))
    result = service.search(AskRequest(session, "the cat whales sing", options=options))
    steps: list[Step] = [step for step in result.steps if step.name == "rerank" and step.count]
    detail = steps[0].detail if steps else ByMethod("")
    assert isinstance(detail, ByMethod)
    return detail.method


def test_a_reranker_that_nobody_asks_for_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    rerankers = Rerankers(Settings(reranker_model="its/own"))
    one = rerankers.get("an/other")
    assert one is not None
    assert rerankers.get("an/other") is one
    own = rerankers.get()
    monkeypatch.setattr("core.models.reranking._KEPT_SECONDS", 0.0)
    assert rerankers.get() is own
    assert rerankers.get("an/other") is not one
