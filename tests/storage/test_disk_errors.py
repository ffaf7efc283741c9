"""Each call that reaches a disk fails once, one after another: what was there stays whole."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from core.config import Settings
from core.errors import AppError, NotEnoughSpace, StorageError
from core.service import Service
from core.storage.files.originals import Originals
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.sql.database import Database
from core.storage.vectors.chroma.store import ChromaStore
from core.types import AddOutcome, DocumentState
from tests.conftest import settled
from tests.service.test_state_machine import in_this_process
from tests.support.small_library import HashEmbedder, all_found, fill, opened, the_session, troubles

pytestmark = pytest.mark.F02

MODEL = HashEmbedder("model")
CALLS: list[tuple[type[Any], str]] = [
    (Database, "writing"),
    (ChromaStore, "add"),
    (ChromaStore, "delete_document"),
    (TantivyIndex, "add"),
    (TantivyIndex, "delete_document"),
    (Originals, "keep"),
]
ERRORS = [
    NotEnoughSpace("The disk is full."),
    StorageError("The disk failed."),
]


class Failing:
    """Counts the calls and lets the one with a number fail."""

    def __init__(self) -> None:
        self.count, self.at = 0, 0
        self.error: Exception = ERRORS[0]

    def arm(self, at: int, error: Exception) -> None:
        self.count, self.at, self.error = 0, at, error

    def called(self, short: str) -> None:
        self.count += 1
        if self.count == self.at:
            raise OSError(errno.ENOSPC, "full") if short == "keep" else self.error


@contextmanager
def failing() -> Iterator[Failing]:
    """All calls that reach a disk, under control."""
    control = Failing()
    with pytest.MonkeyPatch.context() as patch:
        for kind, name in CALLS:
            original = getattr(kind, name)

            def called(*args: Any, _call: Any = original, _name: str = name, **named: Any) -> Any:
                control.called(_name)
                return _call(*args, **named)

            patch.setattr(kind, name, called)
        patch.setattr("core.ingestion.worker.load_in_child", in_this_process)
        yield control


def scenario(service: Service) -> None:
    """A document comes, another replaces it, a third goes."""
    session = the_session(service)
    for text in (b"The first version of the letter.", b"The second version of the letter."):
        try:
            service.documents.add_file(session, "letter.txt", text, "replace")
        except (AppError, OSError):
            continue
        settled(service, session)
    for document in service.documents.list(session):
        if document.name == "gone.txt":
            try:
                service.documents.remove(session, document.id)
            except (AppError, OSError):
                continue


def whole(service: Service) -> None:
    """Everything that was there answers; what failed says so and works after a retry."""
    session = the_session(service)
    for document in service.documents.list(session):
        if document.state is not DocumentState.READY:
            service.documents.retry(session, document.id)
    assert {d.state for d in settled(service, session)} == {DocumentState.READY}
    assert all_found(service, session)
    assert service.documents.add_file(session, "gone.txt", b"Something that goes.").outcome in (
        AddOutcome.ACCEPTED,
        AddOutcome.DUPLICATE,
    )
    settled(service, session)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_every_step(settings: Settings, error: Exception) -> None:
    with failing() as control:
        with opened(settings, MODEL) as service:
            fill(service)
            whole(service)
        steps, at = 1, 1
        while at <= steps:
            with opened(settings, MODEL) as service:
                control.arm(at, error)
                scenario(service)
                steps = max(steps, control.count)
                control.arm(0, error)
            with opened(settings, MODEL) as service:
                whole(service)
                assert troubles(service) == [], f"after call {at}"
                session = the_session(service)
                for document in service.documents.list(session):
                    if document.name == "letter.txt":
                        service.documents.remove(session, document.id)
            at += 1 if at < 12 else 3
    assert steps > 20
