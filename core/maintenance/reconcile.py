"""Making both indexes agree with the catalogue, which is the truth.

After a crash, a lost or damaged index or a change of the embedding model, what is missing is made
again from the text in the catalogue, and what belongs to nothing is removed. All of it can stop
at any moment, by a kill too, and goes on from there the next time. While a session's vectors are
not whole a search goes by words, and says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.errors import Interrupted, StorageError
from core.ids import session_of_index
from core.maintenance.checking import (
    Finding,
    Trouble,
    check_session,
    has_model,
    needs_consent,
    stray_folders,
    stray_vectors,
    strays,
)
from core.models.embedding_text import embedding_text
from core.storage.stores import Stores
from core.storage.vectors.port import REBUILDING
from core.types import Chunk, Cut, Document, DocumentState

log = logging.getLogger(__name__)

_AT_ONCE = 128  # chunks embedded between two looks at whether to stop

Progress = Callable[[int, int], None]


@dataclass
class Mender:
    """Mends one session after another. `stopped` says when to leave the rest for later."""

    stores: Stores
    stopped: Callable[[], bool] = lambda: False
    progress: Progress = lambda done, total: None
    done: int = field(default=0)
    total: int = field(default=0)

    def mend(self, session_id: str) -> list[Finding]:
        """Mend what is wrong in a session; returns what was wrong."""
        found = check_session(self.stores, session_id)
        troubles = {finding.trouble for finding in found}
        if troubles & {Trouble.VECTORS_DAMAGED, Trouble.NO_VECTOR}:
            damaged = Trouble.VECTORS_DAMAGED in troubles
            for cut in self._own(session_id):
                self._make_vectors(cut, anew=damaged)
        else:
            for cut in self._own(session_id):
                self._note_model(cut)
        if troubles & {Trouble.LEXICAL_DAMAGED, Trouble.NOT_INDEXED}:
            self.make_lexical(session_id, anew=Trouble.LEXICAL_DAMAGED in troubles)
        self._remove_strays(session_id, troubles)
        return found

    def rebuild(self, session_id: str) -> int:
        """Rebuild both indexes of a session from the catalogue; returns how many passages.

        Where its vectors are of another model they stay until the new ones are whole, and where
        its model cannot be loaded, as they are.
        """
        self.make_lexical(session_id, anew=True)
        cuts = [cut for cut in self._cuts(session_id) if has_model(self.stores, cut)]
        changed = {cut.number for cut in cuts if needs_consent(self.stores, cut)}
        return sum(self._make_vectors(cut, anew=cut.number not in changed) for cut in cuts)

    def make_lexical(self, session_id: str, *, anew: bool) -> None:
        """Make what the lexical indexes of a session lack, or, `anew`, all of them."""
        stores = self.stores
        if anew:
            with stores.locks.hold(session_id):
                stores.lexical.delete_session(session_id)
        for cut in self._cuts(session_id):
            self._fill_lexical(cut)

    def index_anew(self, index_name: str) -> None:
        """Make a lexical index anew: no word of what was deleted stays.

        Searches find everything meanwhile. Raises `Interrupted` where the work is stopped.
        """
        session_id = session_of_index(index_name)

        def entries(cut: Cut) -> Iterator[tuple[list[Chunk], str, str]]:
            for document, chunks in self._ready(cut):
                self._check_stopped()
                yield chunks, document.title or document.name, document.language

        with self.stores.locks.hold(session_id):
            for cut in self._cuts(session_id):
                if cut.index == index_name:
                    self.stores.lexical.rewrite(index_name, entries(cut))

    # -------------------------------------------------------------------------------- vectors

    def _make_vectors(self, cut: Cut, *, anew: bool) -> int:
        stores, embedder = self.stores, self.stores.embedder(cut.cutting.model)
        this_model = (embedder.name, embedder.digest, embedder.dimension)
        if not needs_consent(stores, cut):
            # What is not whole is not searched: a search would find less and not say so.
            stores.catalogue.cuts.set_collection(cut, embedder.name, REBUILDING, this_model[2])
        if anew:
            with stores.locks.hold(cut.session_id):
                stores.vectors.delete_index(cut.index)
        made = self._fill(cut)
        with stores.locks.hold(cut.session_id):
            made += self._fill(cut)  # what was added meanwhile: little
            stores.catalogue.cuts.set_collection(cut, *this_model)
        stores.vectors.drop_others(cut.index)
        return made

    def _fill(self, cut: Cut) -> int:
        stores, made = self.stores, 0
        present = stores.vectors.ids(cut.index)
        missing = set(stores.catalogue.content.chunk_ids(cut.session_id, cut)) - present
        self.done, self.total = 0, len(missing)
        for document, chunks in self._ready(cut):
            title = document.title or document.name
            lacking = [chunk for chunk in chunks if chunk.id in missing]
            for start in range(0, len(lacking), _AT_ONCE):
                made += self._embed(cut, document, title, lacking[start : start + _AT_ONCE])
        return made

    def _embed(self, cut: Cut, document: Document, title: str, chunks: Sequence[Chunk]) -> int:
        self._check_stopped()
        stores = self.stores
        texts = [embedding_text(chunk, title) for chunk in chunks]
        found = stores.embedder(cut.cutting.model).embed(texts)
        with stores.locks.hold(document.session_id):
            if not self._still_ready(document) or not self._stands(cut):
                return 0
            stores.vectors.add(cut.index, [chunk.id for chunk in chunks], found)
        self.done += len(chunks)
        self.progress(self.done, self.total)
        return len(chunks)

    def _note_model(self, cut: Cut) -> None:
        """The vectors are whole: if that is not written down, it is now."""
        embedder = self.stores.embedder(cut.cutting.model)
        made_with = self.stores.catalogue.cuts.collection(cut)
        if made_with is not None and made_with[1] != embedder.digest:
            self.stores.catalogue.cuts.set_collection(
                cut, embedder.name, embedder.digest, embedder.dimension
            )

    # -------------------------------------------------------------------------------- lexical

    def _fill_lexical(self, cut: Cut) -> None:
        stores = self.stores
        try:
            present = stores.lexical.ids(cut.index)
        except StorageError:
            return  # said again by the next check
        for document, chunks in self._ready(cut):
            if all(chunk.id in present for chunk in chunks):
                continue
            self._check_stopped()
            title = document.title or document.name
            with stores.locks.hold(cut.session_id):
                if self._still_ready(document) and self._stands(cut):
                    stores.lexical.delete_document(cut.index, document.id)
                    titles = [title] * len(chunks)
                    stores.lexical.add(cut.index, chunks, titles, language=document.language)

    # --------------------------------------------------------------------------------- strays

    def _remove_strays(self, session_id: str, troubles: set[Trouble]) -> None:
        stores = self.stores
        with stores.locks.hold(session_id):
            for cut in self._cuts(session_id):
                if Trouble.STRAY_VECTOR in troubles:
                    stray = strays(stores, cut, stores.vectors.ids(cut.index))
                    stores.vectors.delete_document(cut.index, sorted(stray))
                if Trouble.STRAY_INDEXED in troubles:
                    stray = strays(stores, cut, stores.lexical.ids(cut.index))
                    for document_id in sorted({i.rpartition(":")[0] for i in stray}):
                        self._index_anew(cut, document_id)
            if Trouble.STRAY_FILE in troubles:
                known = {document.id for document in stores.catalogue.documents.list(session_id)}
                for document_id in stores.originals.ids(session_id, stores.opened) - known:
                    stores.originals.remove(session_id, document_id)

    def _index_anew(self, cut: Cut, document_id: str) -> None:
        """Entries can only be removed by document: one that stays is put back."""
        lexical = self.stores.lexical
        lexical.delete_document(cut.index, document_id)
        document = self.stores.catalogue.documents.get(cut.session_id, document_id)
        if document is not None and document.state is DocumentState.READY:
            chunks = self.stores.catalogue.content.chunks_in(cut, document_id)
            titles = [document.title or document.name] * len(chunks)
            lexical.add(cut.index, chunks, titles, language=document.language)

    # --------------------------------------------------------------------------------- inside

    def _cuts(self, session_id: str) -> list[Cut]:
        return self.stores.catalogue.cuts.standing(session_id)

    def _own(self, session_id: str) -> list[Cut]:
        """The cuts whose vectors are of the model that they should be of."""
        cuts, stores = self._cuts(session_id), self.stores
        return [cut for cut in cuts if has_model(stores, cut) and not needs_consent(stores, cut)]

    def _stands(self, cut: Cut) -> bool:
        return cut.number in {now.number for now in self._cuts(cut.session_id)}

    def _ready(self, cut: Cut) -> Iterator[tuple[Document, list[Chunk]]]:
        found = self.stores.catalogue.documents.ready(cut.session_id, searched_only=False)
        for document in found.values():
            yield document, self.stores.catalogue.content.chunks_in(cut, document.id)

    def _still_ready(self, document: Document) -> bool:
        now = self.stores.catalogue.documents.get(document.session_id, document.id)
        return now is not None and now.state is DocumentState.READY

    def _check_stopped(self) -> None:
        if self.stopped():
            raise Interrupted("The work on the indexes was stopped; it goes on at the next start.")


def remove_strays(stores: Stores) -> int:
    """Remove folders and vectors of sessions that are gone: a kill in a deletion left them."""
    folders, indexes = stray_folders(stores), stray_vectors(stores)
    for session_id in {*folders, *indexes}:
        stores.lexical.delete_session(session_id)
    for session_id in folders:
        stores.originals.remove_session(session_id)
    for session_id in indexes:
        stores.vectors.delete_session(session_id)
    return len({*folders, *indexes})
