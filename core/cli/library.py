"""A library to measure on, apart from everybody's own: made for one run, or kept in a folder."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.shell import progress
from core.config import Settings
from core.errors import InvalidRequest
from core.retrieval.presets import PRESETS, USUAL
from core.types import DocumentState, Session

if TYPE_CHECKING:
    from core.service import Service

_READY_SECONDS = 600.0
_POLL_SECONDS = 0.3
_UNDER_WAY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_NO_DOCUMENTS = {".json", ".jsonl"}


@contextmanager
def library(settings: Settings, kept: Path | None = None) -> Iterator[tuple[Service, Session]]:
    """A program of its own with one session; `kept` is where its data stays, None removes it."""
    if kept is None:
        with (
            tempfile.TemporaryDirectory(prefix="footnote-eval-") as folder,
            library(settings, Path(folder)) as pair,
        ):
            yield pair
        return
    from core.service import Service

    places = {"data_dir": kept / "data", "chroma_dir": kept / "chroma"}
    apart = {**places, "database_url": ""}
    service = Service(settings.model_copy(update=apart))
    try:
        service.wait_ready(_READY_SECONDS)
        owner = service.owners.local()
        sessions = service.sessions.list(owner)
        yield service, sessions[0] if sessions else service.sessions.create(owner, "evaluation")
    finally:
        service.close()


def index_for(service: Service, session: Session, presets: Sequence[str]) -> None:
    """Have the documents indexed for each of these presets, side by side, and wait for it."""
    first, *beside = dict.fromkeys(one if one in PRESETS else USUAL for one in presets)
    service.sessions.choose_preset(session, first, beside)
    while not (state := service.sessions.indexing(session)).whole:
        if state.reason:
            raise InvalidRequest(state.reason, state.cure)
        progress(f"indexed {state.done} of {state.total} documents", last=False)
        time.sleep(_POLL_SECONDS)


def filled(service: Service, session: Session, documents: Path | None) -> dict[str, str]:
    """The ids of the documents by their paths, added if they are not there.

    Raises `InvalidRequest` where there are no documents at all.
    """
    if documents is not None:
        return ingest(service, session, documents)
    if not service.documents.list(session):
        raise InvalidRequest("The library is empty.", "Give --documents FOLDER once.")
    return {}


def ingest(service: Service, session: Session, folder: Path) -> dict[str, str]:
    """Add every file of the folder and wait for it; the document id of each path below it.

    Files of JSON are left out: a golden set beside its documents would answer its own questions.

    Raises `InvalidRequest` where no file could be read.
    """
    found = (path for path in folder.rglob("*") if path.is_file())
    paths = sorted(path for path in found if path.suffix.lower() not in _NO_DOCUMENTS)
    ids = read_all(service, session, {path.relative_to(folder).as_posix(): path for path in paths})
    if not any(row.state is DocumentState.READY for row in service.documents.list(session)):
        raise InvalidRequest(f"No file of {folder} could be read.", "Give a folder of documents.")
    return ids


def read_all(service: Service, session: Session, paths: Mapping[str, Path]) -> dict[str, str]:
    """Add the files and wait until each is read or failed; the document id by the file's key."""
    ids: dict[str, str] = {}
    for key, path in paths.items():
        result = service.documents.add_file(session, path.name, path, "keep")
        if result.document is None:
            print(f"{path.name}: {result.reason} {result.cure}", file=sys.stderr)
        else:
            ids[key] = result.document.id
    while True:
        rows = service.documents.list(session)
        waiting = sum(row.state in _UNDER_WAY for row in rows)
        progress(f"read {len(rows) - waiting} of {len(rows)} documents", last=not waiting)
        if not waiting:
            break
        time.sleep(_POLL_SECONDS)
    for row in rows:
        if row.state is not DocumentState.READY:
            print(f"{row.label}: {row.reason} {row.cure}", file=sys.stderr)
    return ids
