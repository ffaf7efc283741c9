"""The catalogue: the truth about sessions, documents, their text, and conversations.

The two indexes hold ids and can be rebuilt from it. Every id reaches the database as a bound
value, and what belongs to a session is found with the session's id only. A method is one
transaction. Raises `StorageError` and its kinds where the disk or the database fails.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from core.config import Settings
from core.errors import StorageError
from core.storage.sql import collecting, content, documents, keys
from core.storage.sql import sessions as people
from core.storage.sql import web_pages as web
from core.storage.sql.database import Database
from core.storage.sql.evaluation import EvaluationRecords
from core.storage.sql.ready import ReadyDocuments
from core.storage.sql.sharing import SharingRecords
from core.types import (
    Answer,
    ApiKey,
    Chunk,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
    Conversation,
    Document,
    DocumentKind,
    DocumentState,
    Job,
    JobItem,
    LoadedDocument,
    Message,
    Page,
    Role,
    Session,
)

log = logging.getLogger(__name__)

_AT_ONCE = 32 << 20
"""Bytes of the file up to which removing one document or conversation erases it at once."""


class Catalogue:
    """The one door to the database; shared by worker threads and pages."""

    def __init__(self, settings: Settings) -> None:
        self._database = Database(settings)
        self._read, self._write = self._database.read, self._database.write
        self._ready = ReadyDocuments(self._database)
        self.evaluation = EvaluationRecords(self._database)
        self.sharing = SharingRecords(self._database)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def erase(self) -> bool:
        """Write the file anew if deleted text may stand in it; returns whether none is left.

        Takes about 10 s a GB, during which others can read but not write: for quiet moments.
        """
        return self._database.erase()

    def erased(self) -> bool:
        """Return whether no deleted text is left in the file."""
        return self._database.erased()

    def faults(self) -> int:
        """Return how many faults the database finds in its own file; 0 is a healthy one."""
        return self._database.faults()

    def copy(self, target: Path) -> None:
        """Write a whole, consistent copy of an SQLite catalogue, also while it is in use."""
        self._database.copy(target)

    def vacuum(self) -> None:
        """Write the file anew without gaps, whether or not something was deleted."""
        self._database.vacuum()

    def bytes_on_disk(self) -> int:
        """Return the size of the catalogue's files in bytes; 0 where it is no file of ours."""
        return self._database.bytes_on_disk()

    def _erase_soon(self, largest: int | None = None) -> None:
        try:
            self._database.erase(largest)
        except StorageError as error:
            log.warning("Deleted text is still in the catalogue's file: %s", error.message)

    # -------------------------------------------------------------------- owners and sessions

    def create_owner(self, token_hash: str) -> str:
        """Return the owner's id. `token_hash` is the SHA-256 (hex) of a random token."""
        return self._write(people.create_owner, token_hash)

    def owner_of(self, token_hash: str) -> str | None:
        """Return the id of the owner whose token has this hash, or None."""
        return self._read(people.owner_of, token_hash)

    def create_session(self, owner_id: str, name: str) -> Session:
        """Add a session with a new UUIDv4."""
        return self._write(people.create_session, owner_id, name)

    def session(self, owner_id: str, session_id: str) -> Session | None:
        """Return the session if it is the owner's or shared with them, otherwise None."""
        return self._read(people.session, owner_id, session_id)

    def sessions(self, owner_id: str) -> list[Session]:
        """Return the sessions that are the owner's or shared with them, used last first."""
        return self._read(people.sessions_of, owner_id)

    def all_session_ids(self) -> list[str]:
        """Return the ids of everybody's sessions, for upkeep."""
        return self._read(people.session_ids)

    def rename_session(self, session_id: str, name: str) -> None:
        """Set the name."""
        self._write(people.change_session, session_id, name=name)

    def touch_session(self, session_id: str) -> None:
        """Note that the session is used now."""
        self._write(people.touch_session, session_id)

    def delete_session(self, session_id: str) -> None:
        """Delete the session with all that is in it, and every byte of its text in the file.

        Where the file cannot be written anew now (no space), the log says so, `erased()` is
        False, and `erase()` tries again.
        """
        self._write(people.delete_session, session_id)
        self._erase_soon()

    def preferences(self, session_id: str) -> dict[str, Any]:
        """Return the session's own settings."""
        return self._read(people.preferences, session_id)

    def set_preferences(self, session_id: str, values: Mapping[str, Any]) -> None:
        """Replace the session's own settings. Never give a key: they are stored as they are."""
        text = json.dumps(dict(values))
        self._write(people.change_session, session_id, preferences=text)

    def collection(self, session_id: str) -> tuple[str, str, int] | None:
        """Return model, digest and dimension of the session's vectors, None before the first."""
        return self._read(people.collection, session_id)

    def set_collection(self, session_id: str, model: str, digest: str, dimension: int) -> None:
        """Note which embedding model made the session's vectors."""
        columns = ("collection_model", "collection_digest", "collection_dimension")
        values = dict(zip(columns, (model, digest, dimension), strict=True))
        self._write(people.change_session, session_id, **values)

    # ------------------------------------------------------------------------------ documents

    def add_document(
        self,
        session_id: str,
        document_id: str,
        name: str,
        *,
        size: int,
        url: str = "",
        kind: DocumentKind | None = None,
        replaces: str | None = None,
        source: str = "",
    ) -> Document:
        """Add a waiting document, or return the one of this id that is there.

        `replaces` is the id of a document that goes when this one is ready. Raises
        `SessionNotFound`.
        """
        return self._write(
            documents.add,
            session_id,
            document_id,
            name,
            size=size,
            url=url,
            kind=kind,
            replaces=replaces,
            source=source,
        )

    def add_read_page(
        self,
        session_id: str,
        document_id: str,
        name: str,
        *,
        size: int,
        url: str,
        kind: DocumentKind,
        expires_at: datetime,
    ) -> Document | None:
        """Add a page that was read for an answer, for the caller to index, not for the queue.

        Returns None where it is there already; it then expires later. Raises `SessionNotFound`.
        """
        return self._write(
            web.add_read,
            session_id,
            document_id,
            name,
            size=size,
            url=url,
            kind=kind,
            expires_at=expires_at,
        )

    def read_pages(self, session_id: str) -> list[Document]:
        """Return the pages that were read for answers, in the order of reading."""
        return self._read(web.read_pages, session_id)

    def keep_page(self, session_id: str, document_id: str) -> None:
        """Make a page that was read for an answer one of the library, to be read as a whole."""
        self._write(web.keep, session_id, document_id)

    def forget_pages(self, session_id: str, now: datetime, most: int) -> list[Document]:
        """Delete pages that expired, and the oldest beyond `most`; returns what is gone.

        What answers cite stays, but is not searched.
        """
        return self._write(web.forget, session_id, now, most)

    def document(self, session_id: str, document_id: str) -> Document | None:
        """Return the document, or None."""
        return self._read(documents.one, session_id, document_id)

    def documents(self, session_id: str) -> list[Document]:
        """Return the session's documents, pages read for answers too, in the order of adding."""
        return self._read(documents.listed, session_id)

    def library(self, session_id: str) -> list[Document]:
        """Return the documents that people see as theirs, in the order of adding."""
        return self._read(documents.of_library, session_id)

    def documents_named(self, session_id: str, name: str) -> list[Document]:
        """Return the session's documents of this name in the order of adding."""
        return self._read(documents.named, session_id, name)

    def documents_at(self, session_id: str, url: str) -> list[Document]:
        """Return the session's documents from this address in the order of adding."""
        return self._read(documents.at_url, session_id, url)

    def documents_of_source(self, session_id: str, source: str) -> list[Document]:
        """Return the session's documents that came from this collecting, in order of adding."""
        return self._read(documents.of_source, session_id, source)

    def document_count(self, session_id: str) -> int:
        """Return how many documents the session's library has, whatever their state."""
        return self._read(documents.count, session_id)

    def ready_documents(self, session_id: str, searched_only: bool = True) -> dict[str, Document]:
        """Return the documents that can be searched, by id."""
        return self._ready.of(session_id, searched_only)

    def counts(self, session_id: str) -> tuple[int, int]:
        """Return how many documents a search looks into, and how many chunks they have."""
        return self._read(documents.counts, session_id)

    def set_state(
        self,
        session_id: str,
        document_id: str,
        state: DocumentState,
        *,
        progress: float | None = None,
        reason: str = "",
        cure: str = "",
        seconds: float | None = None,
    ) -> None:
        """Move the document to a state; nothing happens if it was removed meanwhile."""
        given = {"progress": progress, "seconds": seconds}
        values = {name: value for name, value in given.items() if value is not None}
        self._write(
            documents.change,
            session_id,
            document_id,
            state=state,
            reason=reason,
            cure=cure,
            **values,
        )

    def set_progress(self, session_id: str, document_id: str, progress: float) -> None:
        """Note how far the work is, 0 to 1."""
        self._write(documents.change, session_id, document_id, progress=progress)

    def set_searched(self, session_id: str, document_id: str, searched: bool) -> None:
        """Take the document into the search or out of it."""
        self._write(documents.change, session_id, document_id, searched=searched)

    def change_states(
        self,
        old: Iterable[DocumentState],
        new: DocumentState,
        session_id: str | None = None,
        document_ids: Iterable[str] | None = None,
    ) -> int:
        """Move all documents in one of the old states; returns how many moved.

        With `document_ids`, only those of the session.
        """
        return self._write(documents.change_states, old, new, session_id, document_ids)

    def claim_next(self) -> Document | None:
        """Set the next waiting document to reading and return it; sessions take turns."""
        return self._write(documents.claim_next)

    def save_content(
        self,
        session_id: str,
        document_id: str,
        loaded: LoadedDocument,
        chunks: Sequence[Chunk],
    ) -> None:
        """Store pages and chunks in place of earlier ones; the state becomes indexing.

        Raises `DocumentNotFound` if it was removed meanwhile, `ValueError` for a chunk that is
        not the text of its span.
        """
        self._write(content.save, session_id, document_id, loaded, chunks)

    def mark_ready(
        self, session_id: str, document_id: str, *, seconds: float, replaces: str | None = None
    ) -> None:
        """Commit the document: from here on it is searched, and what it replaces is gone.

        `replaces` defaults to what `add_document` was told. Raises `DocumentNotFound`.
        """
        self._write(
            documents.mark_ready, session_id, document_id, seconds=seconds, replaces=replaces
        )

    def replaces_of(self, session_id: str, document_id: str) -> str | None:
        """Return the id of the document that this one shall replace when it is ready."""
        return self._read(documents.replaces_of, session_id, document_id)

    def remove_document(self, session_id: str, document_id: str) -> None:
        """Delete the document with its pages and chunks."""
        self._write(documents.remove, session_id, document_id)
        self._erase_soon(_AT_ONCE)

    # ------------------------------------------------------------------------- pages and chunks

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        """Return one page, or None."""
        return self._read(content.page_at, session_id, document_id, page_ordinal)

    def pages(self, session_id: str, document_id: str) -> list[Page]:
        """Return the document's pages in order."""
        return self._read(content.pages_of, session_id, document_id)

    def page_texts(
        self, session_id: str, keys: Iterable[tuple[str, int]]
    ) -> dict[tuple[str, int], str]:
        """Return the text of each page that exists, by (document id, page ordinal)."""
        return self._read(content.page_texts, session_id, keys)

    def chunks(self, session_id: str, document_id: str) -> list[Chunk]:
        """Return the document's chunks in order."""
        return self._read(content.chunks_of, session_id, document_id)

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        """Return the chunks of one page in order."""
        return self._read(content.chunks_of, session_id, document_id, page_ordinal)

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the session's chunks with these ids; unknown ids are left out."""
        return self._read(content.chunks_by_id, session_id, ids)

    def chunk_ids(self, session_id: str, *, ready_only: bool = True) -> Iterator[str]:
        """Yield the session's chunk ids in the order of adding.

        No transaction stays open between two of them, so a slow reader holds up nobody.
        """
        after = (-1, -1)
        while True:
            found = self._read(content.chunk_ids_after, session_id, after, ready_only)
            if not found:
                return
            yield from (chunk_id for _, chunk_id in found)
            after = found[-1][0]

    # ---------------------------------------------------------------------------- conversations

    # They belong to one person of the session each: to its owner where no other is named.

    def create_conversation(
        self, session_id: str, title: str, person: str | None = None
    ) -> Conversation:
        """Add a conversation. Raises `SessionNotFound`."""
        return self._write(people.create_conversation, session_id, title, person)

    def conversation(
        self, session_id: str, conversation_id: str, person: str | None = None
    ) -> Conversation | None:
        """Return the person's conversation in the session, or None."""
        return self._read(people.conversation, session_id, conversation_id, person)

    def conversations(self, session_id: str, person: str | None = None) -> list[Conversation]:
        """Return the person's conversations in the session, the one used last first."""
        return self._read(people.conversations_of, session_id, person)

    def rename_conversation(self, session_id: str, conversation_id: str, title: str) -> None:
        """Set the title."""
        self._write(people.rename_conversation, session_id, conversation_id, title)

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        """Delete the conversation with its messages."""
        self._write(people.delete_conversation, session_id, conversation_id)
        self._erase_soon(_AT_ONCE)

    def add_message(
        self,
        session_id: str,
        conversation_id: str,
        role: Literal["user", "assistant"],
        text: str,
        answer: Answer | None = None,
    ) -> Message:
        """Add a message at the end of the conversation. Raises `ConversationNotFound`."""
        return self._write(people.add_message, session_id, conversation_id, role, text, answer)

    def messages(self, session_id: str, conversation_id: str) -> list[Message]:
        """Return the conversation's messages in order."""
        return self._read(people.messages_of, session_id, conversation_id)

    def delete_message(self, session_id: str, conversation_id: str, message_id: int) -> None:
        """Delete one message."""
        self._write(people.delete_message, session_id, conversation_id, message_id)
        self._erase_soon(_AT_ONCE)

    # ------------------------------------------------------------------------------- programs

    def create_api_key(
        self,
        owner_id: str,
        key_hash: str,
        name: str,
        session_id: str | None = None,
        role: Role | None = None,
    ) -> ApiKey:
        """Add a key whose secret has this SHA-256, for all sessions of the owner or for one.

        Raises `SessionNotFound` for one that they do not reach, `NotAllowed` for too many keys.
        """
        return self._write(keys.create_key, owner_id, key_hash, name, session_id, role)

    def api_keys(self, owner_id: str) -> list[ApiKey]:
        """Return the owner's keys, newest first, without revoked ones."""
        return self._read(keys.keys_of, owner_id)

    def use_api_key(self, key_hash: str) -> ApiKey | None:
        """Return the key whose secret has this SHA-256, and note its use every few minutes.

        None for an unknown or revoked one.
        """
        found = self._read(keys.key_with, key_hash)
        if found is not None and keys.use_is_old(found):
            self._write(keys.note_use, found.id)
        return found

    def revoke_api_key(self, owner_id: str, key_id: str) -> None:
        """Revoke the owner's key. Raises `KeyNotFound`."""
        self._write(keys.revoke_key, owner_id, key_id)

    def create_job(self, session_id: str, items: Sequence[JobItem]) -> Job:
        """Remember which documents came in together. Raises `SessionNotFound`."""
        return self._write(keys.create_job, session_id, tuple(items))

    def job(self, owner_id: str, job_id: str) -> Job | None:
        """Return the job if the owner reaches its session, otherwise None."""
        return self._read(keys.job, owner_id, job_id)

    # ----------------------------------------------------------------------------- collecting

    def add_collect_run(
        self, session_id: str, source: str, request: CollectRequest, *, refresh: bool = False
    ) -> CollectRun:
        """Put a run into the queue, or return the one of this source that is not at its end.

        Raises `SessionNotFound`.
        """
        return self._write(collecting.add, session_id, source, request, refresh)

    def collect_runs(self, session_id: str) -> list[CollectRun]:
        """Return the session's runs, newest first."""
        return self._read(collecting.listed, session_id)

    def collect_run(self, session_id: str, run_id: str) -> CollectRun | None:
        """Return the run if it is of the session, otherwise None."""
        return self._read(collecting.one, session_id, run_id)

    def collect_outcome(self, session_id: str, run_id: str) -> CollectOutcome:
        """Return what a run gave; empty before its end."""
        return self._read(collecting.outcome, session_id, run_id)

    def claim_collect_run(self) -> CollectRun | None:
        """Set the oldest waiting run to running and return it."""
        return self._write(collecting.claim)

    def move_collect_run(
        self,
        run_id: str,
        old: Iterable[CollectState],
        new: CollectState,
        *,
        reason: str = "",
        cure: str = "",
    ) -> bool:
        """Move the run from one of the old states to a new one; returns whether it was in one."""
        return self._write(collecting.move, run_id, tuple(old), new, reason, cure)

    def set_collect_progress(self, run_id: str, progress: CollectProgress) -> None:
        """Note how far the run is."""
        self._write(collecting.set_progress, run_id, progress)

    def set_collect_outcome(self, run_id: str, outcome: CollectOutcome) -> None:
        """Keep what the run gave."""
        self._write(collecting.set_outcome, run_id, outcome)

    def interrupt_collect_runs(self) -> int:
        """Mark runs that an ended process left running; returns how many there were."""
        return self._write(collecting.interrupt)

    def requeue_collect_runs(self) -> int:
        """Put interrupted runs back into the queue; returns how many there were."""
        return self._write(collecting.requeue)

    def remove_collect_run(self, session_id: str, run_id: str) -> None:
        """Forget a run that is at its end."""
        self._write(collecting.remove, session_id, run_id)
