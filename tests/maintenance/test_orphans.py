"""Files, catalogue and both indexes compared: whatever is too much or missing is mended."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core.config import Settings
from core.ids import new_id
from core.maintenance.checking import Trouble
from core.service import Service
from core.types import Session
from tests.support.small_library import HashEmbedder, all_found, fill, opened, the_session, troubles

pytestmark = pytest.mark.F13

MODEL = HashEmbedder("model")


def _vector(service: Service) -> np.ndarray:
    return MODEL.embed(["stray"])


def _first_chunk(service: Service, session: Session) -> str:
    return next(service.catalogue.content.chunk_ids(session.id))


def lose_vector(service: Service, session: Session) -> None:
    service.stores.vectors.delete_document(session.id, [_first_chunk(service, session)])


def add_vector(service: Service, session: Session) -> None:
    service.stores.vectors.add(session.id, [f"{'e' * 64}:0"], _vector(service))


def extra_ordinal(service: Service, session: Session) -> None:
    document = service.documents.list(session)[0]
    service.stores.vectors.add(session.id, [f"{document.id}:99"], _vector(service))


def lose_words(service: Service, session: Session) -> None:
    service.stores.lexical.delete_document(session.id, service.documents.list(session)[0].id)


def add_words(service: Service, session: Session) -> None:
    from tests.storage.made import cut, loaded

    service.stores.lexical.add(session.id, cut("e" * 64, loaded("stray words")), ["stray"])


def lose_both(service: Service, session: Session) -> None:
    service.stores.vectors.delete_session(session.id)
    service.stores.lexical.delete_session(session.id)


def add_file(service: Service, session: Session) -> None:
    service.stores.originals.write(session.id, "f" * 64, b"nobody's")


def add_folder(service: Service, session: Session) -> None:
    service.stores.originals.write(new_id(), "f" * 64, b"nobody's")


def add_collection(service: Service, session: Session) -> None:
    service.stores.vectors.add(new_id(), [f"{'e' * 64}:0"], _vector(service))


CASES: dict[Callable[[Service, Session], None], set[Trouble]] = {
    lose_vector: {Trouble.NO_VECTOR},
    add_vector: {Trouble.STRAY_VECTOR},
    extra_ordinal: {Trouble.STRAY_VECTOR},
    lose_words: {Trouble.NOT_INDEXED},
    add_words: {Trouble.STRAY_INDEXED},
    lose_both: {Trouble.NO_VECTOR, Trouble.NOT_INDEXED},
    add_file: {Trouble.STRAY_FILE},
    add_folder: {Trouble.STRAY_SESSION},
    add_collection: {Trouble.STRAY_SESSION},
}


@pytest.mark.parametrize("damage", CASES, ids=lambda damage: damage.__name__)
def test_listed_and_mended(settings: Settings, damage: Callable[[Service, Session], None]) -> None:
    with opened(settings, MODEL) as service:
        session = fill(service)
        assert troubles(service) == []
        damage(service, session)
        object.__setattr__(service.stores, "opened", service.stores.opened + 3600)
        assert {finding.trouble for finding in troubles(service)} == CASES[damage]
        assert not service.upkeep.run("check").clean
        mended = service.upkeep.run("mend")
        assert "Mended" in mended.lines[0]
        assert troubles(service) == []
        assert all_found(service, session)


def test_the_start_mends_by_itself(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        session = fill(service)
        for damage in CASES:
            damage(service, session)
    with opened(settings, MODEL) as service:
        assert troubles(service) == []
        assert all_found(service, the_session(service))


def test_a_lost_original_is_said_and_nothing_else_is_touched(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        session = fill(service)
        service.stores.originals.remove(session.id, service.documents.list(session)[0].id)
        state = service.upkeep.run("mend")
        assert state.lines == ("Left: 1 documents whose original file is gone.",)
        assert all_found(service, session)


def test_what_comes_in_meanwhile_is_no_orphan(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        session = fill(service)
        service.stores.originals.write(session.id, "f" * 64, b"its row is not there yet")
        service.upkeep.run("mend")
        assert service.stores.originals.has(session.id, "f" * 64)
