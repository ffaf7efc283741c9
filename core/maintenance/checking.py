"""Whether files, catalogue and both indexes agree, and the indexes find what is in them.

A count proves nothing: a vector index that has lost its files still counts 3,000 and finds one.
So sampled chunks have to find themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from core.errors import AppError, DatabaseUnreachable, ModelError, StorageError
from core.storage.stores import Stores
from core.storage.vectors.port import REBUILDING
from core.types import Cut, DocumentState

SAMPLE = 8
_SETTLED = (DocumentState.WAITING, DocumentState.FAILED, DocumentState.STOPPED)
"""Documents that nobody works on and that must have nothing in an index."""


class Trouble(StrEnum):
    """What can be found; the value is said to people after a count."""

    CATALOGUE = "faults in the catalogue's file"
    NO_VECTOR = "passages without a vector"
    STRAY_VECTOR = "vectors of no passage"
    VECTORS_DAMAGED = "damaged vector indexes"
    NO_MODEL = "passages whose embedding model cannot be loaded"
    OTHER_MODEL = "passages in the index of another embedding model"
    NOT_INDEXED = "passages missing in the lexical index"
    STRAY_INDEXED = "entries of the lexical index of no passage"
    LEXICAL_DAMAGED = "damaged lexical indexes"
    NO_ORIGINAL = "documents whose original file is gone"
    STRAY_FILE = "files of no document"
    STRAY_SESSION = "folders or indexes of no session"


KEPT = (Trouble.CATALOGUE, Trouble.NO_ORIGINAL, Trouble.NO_MODEL, Trouble.OTHER_MODEL)
"""What mending cannot make good, or must be asked for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One trouble, in a session ("": in none of them)."""

    trouble: Trouble
    count: int
    session_id: str = ""

    def __str__(self) -> str:
        where = f" (session {self.session_id})" if self.session_id else ""
        return f"{self.count} {self.trouble}{where}"


def check(
    stores: Stores, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[Finding]:
    """All that disagrees."""
    found = [*check_catalogue(stores), *check_strays(stores)]
    sessions = stores.catalogue.sessions.ids()
    for done, session_id in enumerate(sessions):
        progress(done, len(sessions))
        found += check_session(stores, session_id)
    progress(len(sessions), len(sessions))
    return found


def check_catalogue(stores: Stores) -> list[Finding]:
    """What the database says about its own file."""
    try:
        faults = stores.catalogue.database.faults()
    except StorageError:
        faults = 1
    return [Finding(Trouble.CATALOGUE, faults)] if faults else []


def check_strays(stores: Stores) -> list[Finding]:
    """Folders and indexes that belong to no session."""
    count = len(stray_folders(stores)) + len(stray_vectors(stores))
    return [Finding(Trouble.STRAY_SESSION, count)] if count else []


def stray_folders(stores: Stores) -> list[str]:
    """Ids that have a folder and are no sessions."""
    return sorted(stores.originals.sessions() - set(stores.catalogue.sessions.ids()))


def stray_vectors(stores: Stores) -> list[str]:
    """Ids that have vectors and are no sessions."""
    try:
        return sorted(stores.vectors.sessions() - set(stores.catalogue.sessions.ids()))
    except StorageError:
        return []


def check_session(stores: Stores, session_id: str) -> list[Finding]:
    """What disagrees in one session, at a moment when nothing in it is being changed."""
    with stores.locks.hold(session_id):
        return [
            Finding(trouble, count, session_id)
            for trouble, count in chain(
                _files(stores, session_id),
                *(_vectors(stores, cut) for cut in stores.catalogue.cuts.standing(session_id)),
                *(_lexical(stores, cut) for cut in stores.catalogue.cuts.standing(session_id)),
            )
            if count
        ]


def _files(stores: Stores, session_id: str) -> Iterator[tuple[Trouble, int]]:
    files = stores.originals.ids(session_id, stores.opened)
    known = {document.id: document for document in stores.catalogue.documents.list(session_id)}
    yield Trouble.STRAY_FILE, len(files - known.keys())
    there = stores.originals.ids(session_id)
    ready = (d for d in known.values() if d.state is DocumentState.READY)
    yield Trouble.NO_ORIGINAL, sum(d.id not in there for d in ready)


def _vectors(stores: Stores, cut: Cut) -> Iterator[tuple[Trouble, int]]:
    wanted = set(stores.catalogue.content.chunk_ids(cut.session_id, cut))
    if not has_model(stores, cut):
        yield Trouble.NO_MODEL, len(wanted)
        return
    if needs_consent(stores, cut) and wanted:
        yield Trouble.OTHER_MODEL, len(wanted)
        return
    try:
        present = stores.vectors.ids(cut.index)
        whole = not wanted or stores.vectors.probe(cut.index, sampled(wanted & present))
    except DatabaseUnreachable:
        raise  # what cannot be looked at is not damaged
    except StorageError:
        yield Trouble.VECTORS_DAMAGED, 1
        return
    yield Trouble.VECTORS_DAMAGED, int(not whole)
    made_with = stores.catalogue.cuts.collection(cut)
    unfinished = made_with is not None and made_with[1] == REBUILDING
    missing = len(wanted - present)
    yield Trouble.NO_VECTOR, len(wanted) if unfinished and not missing else missing
    yield Trouble.STRAY_VECTOR, len(strays(stores, cut, present))


def _lexical(stores: Stores, cut: Cut) -> Iterator[tuple[Trouble, int]]:
    wanted = set(stores.catalogue.content.chunk_ids(cut.session_id, cut))
    try:
        present = stores.lexical.ids(cut.index)
        whole = not wanted & present or _found_by_words(stores, cut, wanted & present)
    except DatabaseUnreachable:
        raise
    except StorageError:
        yield Trouble.LEXICAL_DAMAGED, 1
        return
    yield Trouble.LEXICAL_DAMAGED, int(not whole)
    yield Trouble.NOT_INDEXED, len(wanted - present)
    yield Trouble.STRAY_INDEXED, len(strays(stores, cut, present))


def has_model(stores: Stores, cut: Cut) -> bool:
    """Whether the model that was chosen for a cut can be loaded; True where it is the program's."""
    try:
        return not cut.cutting.model or bool(stores.embedder(cut.cutting.model).digest)
    except ModelError:
        return False


def needs_consent(stores: Stores, cut: Cut) -> bool:
    """Whether a cut's vectors are another model's: making new ones is offered, not done.

    Raises `ModelUnavailable` where its model cannot be loaded.
    """
    made_with = stores.catalogue.cuts.collection(cut)
    wanted = (stores.embedder(cut.cutting.model).digest, REBUILDING)
    return made_with is not None and made_with[1] not in wanted


def strays(stores: Stores, cut: Cut, present: set[str]) -> set[str]:
    """Of the ids in an index of a cut those of no passage, and of no document being read."""
    session_id = cut.session_id
    busy = {
        document.id
        for document in stores.catalogue.documents.list(session_id)
        if document.state not in (*_SETTLED, DocumentState.READY)
    }
    wanted = set(stores.catalogue.content.chunk_ids(session_id, cut))
    return {i for i in present - wanted if i.rpartition(":")[0] not in busy}


def sampled(ids: set[str]) -> list[str]:
    """A few ids from all over."""
    ordered = sorted(ids)
    return ordered[:: max(1, len(ordered) // SAMPLE)][:SAMPLE]


def _found_by_words(stores: Stores, cut: Cut, ids: set[str]) -> bool:
    """Whether at least one of the sampled chunks is found by its own words.

    Not each: chunks that say the same, or nothing that is a word, do not find themselves.
    """
    chunks = stores.catalogue.content.chunks_by_id(cut.session_id, sampled(ids))
    tried = False
    for chunk in islice(chunks.values(), SAMPLE):
        found = stores.lexical.query(cut.index, chunk.text[:400], 50)
        if any(chunk_id == chunk.id for chunk_id, _ in found):
            return True
        tried = tried or bool(found)
    return not tried


def healthy(stores: Stores, session_id: str) -> bool:
    """Whether sampled chunks of a session find themselves, quickly (for the doctor)."""
    sample = list(islice(stores.catalogue.content.chunk_ids(session_id), SAMPLE))
    try:
        index = stores.catalogue.cuts.in_force(session_id).index
        return not sample or stores.vectors.probe(index, sample)
    except AppError:
        return False
