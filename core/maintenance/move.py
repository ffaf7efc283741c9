"""A library from the disk into PostgreSQL, or back, without embedding anything again.

The catalogue comes first, in one transaction; then the vectors, which are copied, and the words,
which are made from the texts; originals and collected files where they go to another place. After
a kill the same command goes on where it stopped, and what was moved is not changed.

Into Milvus, or back out of it to where the catalogue is, only vectors and words go.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace

import numpy as np

from core.config import Settings, validated
from core.errors import InvalidRequest
from core.maintenance.reconcile import Mender
from core.maintenance.tasks import Upkeep
from core.storage.files.lock import DataLock
from core.storage.files.originals import Originals
from core.storage.lexical.registry import lexical_adapter
from core.storage.milvus import is_milvus
from core.storage.sql.copying import copy_rows, is_copied
from core.storage.sql.database import FILE_NAME
from core.storage.stores import Stores, open_stores
from core.storage.vectors.port import REBUILDING
from core.storage.vectors.registry import vector_adapter
from core.types import Cut

DISK = "disk"
"""Names the embedded form where the address of a database may stand."""
_AT_ONCE = 500  # vectors
_HIDDEN = shutil.ignore_patterns(".*")

Progress = Callable[[str, int, int], None]


def move(
    settings: Settings,
    to: str,
    originals: str | None = None,
    progress: Progress = lambda what, done, total: None,
) -> tuple[list[str], bool]:
    """Copy the library of these settings to the place `to`; for a stopped program.

    Files are copied to the place `originals` (a value of ORIGINALS_URL, or "disk"); None leaves
    them where they are, or brings them to the disk with the rest. Returns what was done, in words,
    and whether files, catalogue and indexes there agree. Raises `InvalidRequest` where there is no
    library here or another one there, `DataDirectoryInUse` while the program runs, and
    `SettingsError`, `StorageError` and their kinds.
    """
    if is_milvus(to) or settings.index_url:
        if originals is not None:
            raise InvalidRequest(
                "Files are not moved in the step that moves vectors and words to or from Milvus.",
                "Move them before, or after vectors and words are back.",
            )
        return _move_indexes(settings, to, progress)
    target = _target(settings, to, originals)
    moves_rows = target.database_url != settings.database_url
    if not (moves_rows or target.originals_url != settings.originals_url):
        raise InvalidRequest("The library is there already.", "Name another place.")
    _need_library(settings)
    with ExitStack() as opened:
        lock = opened.enter_context(DataLock(target if settings.in_postgresql else settings))
        old = opened.enter_context(closing(open_stores(settings, lock, alone=True)))
        if moves_rows:
            new = opened.enter_context(closing(open_stores(target, lock, alone=True)))
        else:
            new = replace(old, settings=target, originals=Originals(target))
            new.originals.files.check()
        lines = _moved_rows(old, new, progress) if moves_rows else []
        files = vectors = 0
        session_ids = old.catalogue.sessions.ids()
        for number, session_id in enumerate(session_ids):
            progress("Sessions", number, len(session_ids))
            if target.originals_url != settings.originals_url:
                files += _copy_files(old, new, session_id)
            if moves_rows:
                vectors += _copy_vectors(old, new, session_id)
                Mender(new).make_lexical(session_id, anew=False)
        if moves_rows:
            new.vectors.settle()
            lines += [f"{vectors} vectors were copied, and the words made from the texts."]
        if target.originals_url != settings.originals_url:
            lines += [f"{files} files were copied."]
        checked = Upkeep(new).run("check")
        return [*lines, *checked.lines, _next_step(target)], checked.clean


def _target(settings: Settings, to: str, originals: str | None) -> Settings:
    """The settings of the library that is made. Raises `InvalidRequest` and `SettingsError`."""
    kept = settings.originals_url if originals is None and to != DISK else originals or ""
    values = {
        "database_url": "" if to == DISK else to,
        "originals_url": "" if kept == DISK else kept,
    }
    target = validated({**settings.model_dump(), **values})
    if not (target.in_postgresql or to == DISK):
        raise InvalidRequest(
            "What --to names is no PostgreSQL database.",  # not what it is: a password may be in it
            f"Say postgresql+psycopg://..., milvus://..., or {DISK}.",
        )
    return target


def _moved_rows(old: Stores, new: Stores, progress: Progress) -> list[str]:
    """Copy the catalogue unless it is there already; what was done, in words."""
    databases = (old.catalogue.database, new.catalogue.database)
    if is_copied(*databases):
        return ["The rows of the catalogue are there already: the move goes on."]
    for session_id in old.catalogue.sessions.ids():  # what an earlier library left in the indexes
        new.lexical.delete_session(session_id)
        new.vectors.delete_session(session_id)
    rows = copy_rows(*databases, lambda done, total: progress("Rows", done, total))
    return [f"{rows} rows of the catalogue were copied."]


def _next_step(target: Settings) -> str:
    places = {"DATABASE_URL": target.database_url, "ORIGINALS_URL": target.originals_url}
    needed = [name for name, place in places.items() if place]
    others = [name for name, place in places.items() if not place]
    steps = [f"set {' and '.join(needed)}"] if needed else []
    steps += [f"take {' and '.join(others)} out"] if others else []
    first = ", ".join(steps)
    return f"{first[0].upper()}{first[1:]}, and start Footnote. The old library is as it was."


def _copy_files(old: Stores, new: Stores, session_id: str) -> int:
    """Copy originals, uploads and what was collected of a session; how many files of the first."""
    there, made = old.originals, new.originals
    lacking = there.ids(session_id) - made.ids(session_id)
    for document_id in sorted(lacking):
        copy = made.copied(session_id, there.path(session_id, document_id))
        made.keep(session_id, document_id, copy)
    for upload in sorted(there.uploads(session_id) - made.uploads(session_id)):
        copy = made.copied(session_id, there.upload(session_id, upload))
        made.keep_upload(session_id, upload, copy)
    for source in {run.source for run in old.catalogue.collect_runs.list(session_id)}:
        folder = there.collected(session_id, source)
        if folder.is_dir():
            with made.collecting(session_id, source) as target:
                shutil.copytree(folder, target, dirs_exist_ok=True, ignore=_HIDDEN)
    return len(lacking)


def _move_indexes(settings: Settings, to: str, progress: Progress) -> tuple[list[str], bool]:
    """Copy vectors, and make words, from where they are to `to`; begun again it starts anew."""
    index_url = to if is_milvus(to) else ""
    if not index_url and to != (settings.database_url or DISK):
        raise InvalidRequest(
            "Vectors and words are in Milvus, and go back to where the catalogue is first.",
            f"Say --to {DISK}, or the address in DATABASE_URL.",
        )
    target = validated({**settings.model_dump(), "index_url": index_url})
    if target.index_url == settings.index_url:
        raise InvalidRequest("Vectors and words are there already.", "Name another place.")
    _need_library(settings)
    with ExitStack() as opened:
        # With the locks of both forms: of CHROMA_DIR too.
        lock = opened.enter_context(DataLock(settings.model_copy(update={"index_url": ""})))
        old = opened.enter_context(closing(open_stores(settings, lock, alone=True)))
        database = old.catalogue.database
        vectors = vector_adapter(target).open(target, database)
        opened.callback(vectors.close)
        lexical = lexical_adapter(target).open(target, database)
        opened.callback(lexical.close)
        new = replace(old, settings=target, vectors=vectors, lexical=lexical)
        copied, session_ids = 0, old.catalogue.sessions.ids()
        for number, session_id in enumerate(session_ids):
            progress("Sessions", number, len(session_ids))
            vectors.delete_session(session_id)  # what was there may be of an earlier text
            copied += _copy_vectors(old, new, session_id)
            Mender(new).make_lexical(session_id, anew=True)
        vectors.settle()
        checked = Upkeep(new).run("check")
    how = "Set INDEX_URL to its address" if index_url else "Take INDEX_URL out"
    lines = [f"{copied} vectors were copied, and the words made from the texts."]
    return [*lines, *checked.lines, f"{how}, and start Footnote."], checked.clean


def _need_library(settings: Settings) -> None:
    if not (settings.in_postgresql or (settings.data_dir / FILE_NAME).is_file()):
        raise InvalidRequest(f"There is no library in {settings.data_dir}.", "Set DATA_DIR.")


def _copy_vectors(old: Stores, new: Stores, session_id: str) -> int:
    """Copy what is not there yet of the vectors of a session; returns how many."""
    return sum(_copy_index(old, new, cut) for cut in old.catalogue.cuts.standing(session_id))


def _copy_index(old: Stores, new: Stores, cut: Cut) -> int:
    collection = old.catalogue.cuts.collection(cut)
    if collection is None or collection[1] == REBUILDING:
        return 0
    known = set(old.catalogue.content.chunk_ids(cut.session_id, cut))
    wanted = sorted((old.vectors.ids(cut.index) & known) - new.vectors.ids(cut.index))
    for start in range(0, len(wanted), _AT_ONCE):
        found = old.vectors.vectors(cut.index, wanted[start : start + _AT_ONCE])
        new.vectors.add(cut.index, list(found), np.stack(list(found.values())))
    return len(wanted)
