"""Vectors and words moved into Milvus and back: all of them, and nothing embedded again."""

from __future__ import annotations

import numpy as np
import pytest

from core.config import Settings
from core.errors import InvalidRequest, SettingsError
from core.maintenance.move import DISK, move
from core.service import Service
from tests.conftest import settled
from tests.support.small_library import HashEmbedder, all_found, fill, opened, the_session, troubles

pytestmark = pytest.mark.milvus


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    model = HashEmbedder("one")
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda _: model)
    return model


def look(service: Service) -> dict[str, list[float]]:
    """The vectors of the session, where all is found and nothing disagrees; to 6 digits."""
    session, store = the_session(service), service.stores.vectors
    assert all_found(service, session)
    assert troubles(service) == []
    found = store.vectors(session.id, sorted(store.ids(session.id)))
    return {key: np.round(vector, 6).tolist() for key, vector in found.items()}


def test_there_and_back_again(settings: Settings, index_url: str, model: HashEmbedder) -> None:
    without = settings.model_copy(update={"index_url": ""})
    with opened(without, model) as service:
        fill(service, more=2)
        before = look(service)
    model.before = lambda: pytest.fail("nothing is embedded again")
    lines, clean = move(without, index_url)
    assert clean, lines
    with opened(settings, model) as service:
        assert look(service) == before
    model.before = lambda: None
    with opened(settings, model) as service:
        session = the_session(service)
        service.documents.add_file(session, "new.txt", b"Amber glue is boiled for nine hours.")
        documents = settled(service, session)
        (gone,) = (one.id for one in documents if one.label == "note-0.txt")
        service.documents.remove(session, gone)  # the disk still has its vectors and words
        after = look(service)
    model.before = lambda: pytest.fail("nothing is embedded again")
    back = settings.database_url or DISK
    lines, clean = move(settings, back)
    assert clean, lines
    with opened(without, model) as service:
        assert look(service) == after


def test_what_is_no_way_is_refused(settings: Settings, index_url: str) -> None:
    with pytest.raises(InvalidRequest, match="There is no library"):
        move(settings.model_copy(update={"index_url": "", "database_url": ""}), index_url)
    with pytest.raises(InvalidRequest, match="there already"):
        move(settings, index_url)
    with pytest.raises(SettingsError, match="INDEX_URL"):
        move(settings.model_copy(update={"index_url": ""}), "milvus://:19530")
    elsewhere = "postgresql+psycopg://127.0.0.1:1/other"
    with pytest.raises(InvalidRequest, match="where the catalogue is first"):
        move(settings, elsewhere)
