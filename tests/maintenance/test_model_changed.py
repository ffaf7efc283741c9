"""Another embedding model: said, the old vectors kept until the new are whole, kills safe."""

from __future__ import annotations

import pytest

from core.config import Settings
from core.errors import Interrupted, ModelChanged
from core.service import Service
from core.types import AskRequest
from tests.conftest import settled
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

pytestmark = pytest.mark.F11

OLD = HashEmbedder("old")
NEW = [HashEmbedder("new"), HashEmbedder("old", 96)]
"""The same number of dimensions from another model, and another number."""


@pytest.fixture
def filled(settings: Settings) -> Settings:
    """A library whose vectors the old model made."""
    with opened(settings, OLD) as service:
        assert all_found(service, fill(service))
    return settings


def indexes(service: Service) -> tuple[str, str]:
    """What the doctor says of the indexes."""
    (found,) = (health for health in service.health() if health.name == "Indexes")
    return found.state, found.cure


@pytest.mark.parametrize("new", NEW, ids=["same size", "other size"])
def test_refused_offered_and_done(filled: Settings, new: HashEmbedder) -> None:
    with opened(filled, new) as service:
        session = the_session(service)
        with pytest.raises(ModelChanged) as caught:
            dense(service, session, QUESTIONS["bread.txt"])
        assert "Rebuild" in caught.value.cure
        result = service.search(AskRequest(session, QUESTIONS["bread.txt"]))
        assert result.hits[0].document.name == "bread.txt"
        assert "dense-failed" in {notice.code for notice in result.notices}
        state, cure = indexes(service)
        assert state == "warning"
        assert "EMBEDDING_MODEL" in cure
        service.documents.add_file(session, "late.txt", b"The late ferry leaves at midnight.")
        settled(service, session)
    with opened(filled, OLD) as service:  # a change of mind costs nothing
        session = the_session(service)
        assert all_found(service, session)
        assert dense(service, session, "late ferry midnight").hits[0].document.name == "late.txt"
    with opened(filled, new) as service:
        service.upkeep.run("rebuild")
        session = the_session(service)
        assert all_found(service, session)
        assert indexes(service)[0] == "ok"
        assert troubles(service) == []
        names = [c.name for c in service.stores.vectors._open().list_collections()]
        assert names == [f"{session.id}.{new.digest[:16]}"]


def test_stopped_halfway_the_old_vectors_are_whole(filled: Settings) -> None:
    new = HashEmbedder("new")
    left = [2]

    def stop() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Interrupted("Killed here.")

    new.before = stop
    with opened(filled, new) as service, pytest.raises(Interrupted):
        service.upkeep.run("rebuild")
    with opened(filled, OLD) as service:
        assert all_found(service, the_session(service))
    new.before = lambda: None
    with opened(filled, new) as service:
        with pytest.raises(ModelChanged):
            dense(service, the_session(service), QUESTIONS["bread.txt"])
        service.upkeep.run("rebuild")
        assert all_found(service, the_session(service))
        assert troubles(service) == []


def test_vectors_from_before_models_had_collections_of_their_own(filled: Settings) -> None:
    with opened(filled, OLD) as service:
        session = the_session(service)
        (collection,) = service.stores.vectors._open().list_collections()
        collection.modify(name=session.id)
    with opened(filled, OLD) as service:
        assert all_found(service, session)
        assert troubles(service) == []
