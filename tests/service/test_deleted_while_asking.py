"""A session is deleted while it asks and documents come in: a clean end, nothing left."""

from __future__ import annotations

import threading

import pytest

from core.config import Settings
from core.errors import AppError
from core.service import Service
from core.types import Answer, AskRequest, Session
from tests.support.small_library import HashEmbedder, fill, opened, troubles

pytestmark = pytest.mark.F20

MODEL = HashEmbedder("model")


def ask_for_ever(service: Service, session: Session, ended: list[BaseException | str]) -> None:
    """Ask until the session is gone; note how that ended."""
    try:
        talk = service.conversations.create(session, "On and on")
        while True:
            events = list(service.ask(AskRequest(session, "Who built the lighthouse?", talk.id)))
            assert sum(isinstance(event, Answer) for event in events) == 1
    except AppError as error:
        ended.append(error.code)
    except BaseException as error:
        ended.append(error)


def test_whoever_asks_is_told(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        for _ in range(3):
            session, ended = fill(service), list[BaseException | str]()
            askers = [
                threading.Thread(target=ask_for_ever, args=(service, session, ended))
                for _ in range(4)
            ]
            for asker in askers:
                asker.start()
            for number in range(5):
                service.documents.add_file(
                    session, f"late-{number}.txt", f"Late {number}.".encode()
                )
            service.sessions.delete(session)
            for asker in askers:
                asker.join(60)
            assert len(ended) == 4
            assert set(ended) <= {"ConversationNotFound", "SessionNotFound", "Busy"}, ended
            assert service.sessions.list(session.owner_id) == []
        service.worker.stop()
        service.upkeep.run("mend")
        assert troubles(service) == []
        assert service.stores.vectors.sessions() == set()


def test_another_session_is_not_touched(settings: Settings) -> None:
    with opened(settings, MODEL) as service:
        kept, gone = fill(service), fill(service)
        service.sessions.delete(gone)
        assert len(service.documents.list(kept)) == 3
        assert troubles(service) == []
