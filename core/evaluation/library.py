"""A library to measure on, apart from everybody's own: made for one run, or kept in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import Settings
from core.errors import InvalidRequest
from core.evaluation.answers import apart, ingest
from core.types import Session

if TYPE_CHECKING:
    from core.service import Service

_READY_SECONDS = 600.0


@contextmanager
def library(settings: Settings, kept: Path | None) -> Iterator[tuple[Service, Session]]:
    """A program of its own; `kept` is where its data stays, None removes it afterwards."""
    if kept is None:
        with apart(settings) as pair:
            yield pair
        return
    from core.service import Service

    places = {"data_dir": kept / "data", "chroma_dir": kept / "chroma"}
    service = Service(settings.model_copy(update={**places, "chroma_url": ""}))
    try:
        service.wait_ready(_READY_SECONDS)
        owner = service.local_owner()
        sessions = service.sessions(owner)
        yield service, sessions[0] if sessions else service.create_session(owner, "evaluation")
    finally:
        service.close()


def filled(service: Service, session: Session, documents: Path | None) -> dict[str, str]:
    """The ids of the documents by their paths, added if they are not there.

    Raises `InvalidRequest` where there are no documents at all.
    """
    if documents is not None:
        return ingest(service, session, documents)
    if not service.documents(session):
        raise InvalidRequest("The library is empty.", "Give --documents FOLDER once.")
    return {}
