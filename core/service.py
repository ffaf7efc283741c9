"""The one door: everything that the pages, the REST API and the shell may call.

A person (an owner, known by a token that only their browser or program holds, or by signing in)
has sessions. A session has documents and conversations. Whoever holds a `Session` has passed the
check of access: only `session()` and `create_session()` give one, and every other method takes one
first. What their role lets them do is in `core/access/roles.py`, which looks at every call.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Literal

from pydantic import SecretStr

from core.access import roles
from core.access.callers import Buckets, may_maintain
from core.access.people import People
from core.answer_queue import Queue, Turns
from core.answering.export import as_json, as_markdown
from core.citations.evidence import open_evidence
from core.collecting.collector import Collector
from core.config import Settings, load_settings
from core.errors import (
    AppError,
    ConversationNotFound,
    DocumentNotFound,
    JobNotFound,
    PageNotFound,
    SessionNotFound,
)
from core.evaluation.service import Evaluations
from core.ids import checked_digest, checked_uuid
from core.ingestion.adding import Adder
from core.ingestion.adding import SameName as SameName
from core.ingestion.addresses import fetch_original
from core.ingestion.chunking import embedding_text
from core.ingestion.names import clean_title
from core.ingestion.samples import sample_files, sample_questions
from core.ingestion.worker import Ingester, IngestWorker
from core.llm.choice import choose, default_choice
from core.llm.port import ModelInfo, PullProgress
from core.llm.providers import list_models, make_chat_model, pull_model
from core.maintenance import doctor
from core.maintenance.removal import Remover
from core.maintenance.tasks import Upkeep
from core.models.embedding import Embedder, load_embedder
from core.models.reranking import Reranker, load_reranker
from core.pipeline import Asker, finished
from core.retrieval.presets import PRESETS
from core.retrieval.retriever import Retriever
from core.storage.catalogue import Catalogue
from core.storage.files.lock import DataLock
from core.storage.files.originals import Originals
from core.storage.files.reserve import Reserve
from core.storage.lexical.index import LexicalIndex
from core.storage.stores import Stores
from core.storage.vectors.store import VectorStore
from core.telemetry import prometheus
from core.types import (
    AddResult,
    Answer,
    ApiKey,
    AskRequest,
    Chunk,
    Citation,
    Conversation,
    Document,
    DocumentState,
    Event,
    Evidence,
    Health,
    Job,
    JobItem,
    LoadedDocument,
    Message,
    ModelChoice,
    Page,
    Role,
    SearchOptions,
    SearchResult,
    Session,
)
from core.web_search.page_store import LivePages
from core.web_search.search import WebSearch

log = logging.getLogger(__name__)

_KEY_BEGINS = "fn_"
_ENDING_SECONDS = 30.0
_STRANGERS_PER_MINUTE = 600


@roles.guarded("")
class Service:
    """The program without a face. One a process; thread-safe; `close()` when done.

    Building one takes the lock on the data directory (raises `DataDirectoryInUse`), and begins in
    the background: models are loaded, the indexes are reconciled with the catalogue, and what was
    left unfinished goes on. `ready()` says when that is done; nothing needs to wait for it.
    """

    def __init__(self, settings: Settings, *, background: bool = True) -> None:
        self.settings = settings
        self.lock = DataLock(settings)
        try:
            self.catalogue = Catalogue(settings)
        except AppError:
            self.lock.release()
            raise
        self.originals = Originals(settings)
        self.vectors = VectorStore(settings)
        self.lexical = LexicalIndex(settings)
        self._loading = threading.Lock()
        self._embedder: Embedder | None = None
        self._reranker: Reranker | None = None
        self._ready = threading.Event()
        self._closing = threading.Event()
        self.stores = Stores(
            settings,
            self.catalogue,
            self.originals,
            self.vectors,
            self.lexical,
            self.embedder,
            embedding_text,
        )
        self.queue = Queue()
        self._strangers = Buckets()
        self.upkeep = Upkeep(self.stores, self._closing.is_set)
        self.remover = Remover(self.stores, Reserve(settings))
        self.worker = IngestWorker(
            Ingester(
                settings,
                self.catalogue,
                self.originals,
                self.vectors,
                self.lexical,
                self.embedder,
                lambda document: fetch_original(document, self.originals, settings),
                self.stores.locks,
            ),
            self.upkeep.mend_session,
        )
        self.adder = Adder(settings, self.catalogue, self.originals, self.worker.wake)
        self.collector = Collector(
            settings, self.catalogue, self.originals, self.adder, self.remover.document
        )
        self.people = People(settings, self.catalogue)
        self.live = LivePages(settings, self.worker.ingester)
        self.web = WebSearch(settings, self.live)
        self.asker = Asker(settings, self.catalogue, self.retriever, self.web)
        self.evaluations = Evaluations(
            settings, self.catalogue, self.asker, self.embedder, background=background
        )
        self._warming = threading.Thread(target=self.warm_up, name="warm-up", daemon=True)
        if background:
            self._warming.start()

    # ------------------------------------------------------------------ the process itself

    def warm_up(self) -> None:
        """Load the models, mend the indexes, resume the queue. Runs once, in the background."""
        self.originals.sweep()
        self.remover.reserve.fill()
        if not self._closing.is_set():
            self.worker.start()
        try:
            self.upkeep.run("start")
            self.live.forget_expired()
        except AppError as error:
            log.error("Start: %s %s", error.message, error.cure)
        if not self._closing.is_set():
            self.collector.begin()
            self._ready.set()
        if self.settings.searxng_url:
            self.web.reader.warm()
        if (choice := default_choice(self.settings)) is not None:
            make_chat_model(choice, self.settings).preload()

    def ready(self) -> bool:
        """Whether models are loaded and the indexes agree with the catalogue."""
        return self._ready.is_set()

    def wait_ready(self, seconds: float) -> bool:
        """Wait until `ready()`, at most so long."""
        return self._ready.wait(seconds)

    def close(self) -> None:
        """Stop the work after its current step, close the stores, give the lock back."""
        self._closing.set()
        self.collector.end()
        self.evaluations.close()
        self.web.close()
        self.worker.stop()
        if self._warming.is_alive():
            self._warming.join(_ENDING_SECONDS)
        self.upkeep.wait(_ENDING_SECONDS)
        self.lexical.close()
        self.vectors.close()
        self.catalogue.close()
        self.lock.release()

    def health(self) -> list[Health]:
        """What the doctor finds about every part."""
        return doctor.examine(self)

    def figures(self) -> dict[str, float]:
        """How many of what there are at this moment, for whoever watches the process."""
        computing, asking = self.queue.busy, self.queue.waiting
        return {
            "sessions": len(self.catalogue.sessions.ids()),
            "questions waiting for a processor": computing.waiting(),
            "questions being worked on": computing.working(),
            "questions waiting for a model": asking.waiting(),
            "questions a model works on": asking.working(),
            "ready": float(self.ready()),
        }

    def may_maintain(self, owner_id: str) -> bool:
        """Whether this person may check, rebuild and back up the stores from the page."""
        return may_maintain(self.settings, owner_id)

    def embedder(self) -> Embedder:
        """The embedding model, loaded at its first use; raises `ModelUnavailable`."""
        with self._loading:
            if self._embedder is None:
                self._embedder = load_embedder(self.settings)
                self.vectors.follow(self._embedder.digest, self._made_with)
            return self._embedder

    def retriever(self) -> Retriever:
        """The search over the stores of this process."""
        return Retriever(
            self.catalogue, self.vectors, self.lexical, self.embedder(), self.reranker()
        )

    def reranker(self) -> Reranker | None:
        """The cross-encoder that is set, None where none is; its weights load at its first use."""
        with self._loading:
            if self._reranker is None:
                self._reranker = load_reranker(self.settings)
            return self._reranker

    # ---------------------------------------------------------------- people and sessions

    def owner_for_token(self, token: str) -> str:
        """The owner who holds this token; a new one for a token that was not seen before.

        Only the SHA-256 of the token is kept. Raises `TooManyRequests` where very many tokens
        that nobody knows come at once: each would leave a row behind.
        """
        token_hash = hashlib.sha256(token.encode()).hexdigest()
        if (known := self.catalogue.owners.find(token_hash)) is not None:
            return known
        self._strangers.take("everybody", _STRANGERS_PER_MINUTE)
        return self.catalogue.owners.create(token_hash)

    def known_owner(self, token: str) -> str | None:
        """The owner who holds this token, None for one that was not seen before."""
        return self.catalogue.owners.find(hashlib.sha256(token.encode()).hexdigest())

    def local_owner(self) -> str:
        """The owner of what programs on this machine do without a key.

        No token leads here: "local" is the SHA-256 of nothing.
        """
        return self.catalogue.owners.find("local") or self.catalogue.owners.create("local")

    def create_api_key(
        self, owner_id: str, name: str, session_id: str | None = None, role: Role = Role.ADMIN
    ) -> str:
        """A new key for programs, to all sessions of the owner or to one; shown this once only.

        It may what its owner may at the time, and no more than `role`. Raises `SessionNotFound`
        where the owner does not reach the session, `NotAllowed` where they are no admin of it.
        """
        token = _KEY_BEGINS + secrets.token_urlsafe(32)
        if session_id is not None:
            roles.need(self.session(owner_id, session_id).role, roles.KEYS)
        token_hash = hashlib.sha256(token.encode()).hexdigest()
        self.catalogue.keys.create(
            owner_id, token_hash, clean_title(name or "Key"), session_id, role
        )
        return token

    def api_keys(self, owner_id: str) -> list[ApiKey]:
        """The owner's keys, newest first, without their secrets and without revoked ones."""
        return self.catalogue.keys.list(owner_id)

    def revoke_api_key(self, owner_id: str, key_id: str) -> None:
        """Make a key good for nothing, for ever. Raises `KeyNotFound`."""
        self.catalogue.keys.revoke(owner_id, checked_uuid(key_id))

    def owner_of_api_key(self, token: str) -> tuple[str, str | None, Role] | None:
        """Whose key this is, the one session that it opens (None: all), the most that it may."""
        if not token.startswith(_KEY_BEGINS):
            return None
        found = self.catalogue.keys.use(hashlib.sha256(token.encode()).hexdigest())
        return None if found is None else (found.owner_id, found.session_id, found.role)

    def create_session(self, owner_id: str, name: str = "") -> Session:
        """A new, empty session."""
        return self.catalogue.sessions.create(owner_id, clean_title(name or "My library"))

    def session(self, owner_id: str, session_id: str) -> Session:
        """A session of this owner, or one that is shared with them.

        Anybody else's, and none at all, is `SessionNotFound`.
        """
        session = self.catalogue.sessions.get(owner_id, checked_uuid(session_id))
        if session is None:
            raise SessionNotFound("There is no such session.")
        return session

    def sessions(self, owner_id: str) -> list[Session]:
        """The sessions of this owner and those shared with them, last used first."""
        return self.catalogue.sessions.list(owner_id)

    def rename_session(self, session: Session, name: str) -> Session:
        """Give the session another name."""
        self.catalogue.sessions.rename(session.id, clean_title(name))
        return roles.narrowed(self.session(session.viewer_id, session.id), session.role)

    def delete_session(self, session: Session) -> None:
        """Delete the session with all its bytes: rows, vectors, index, originals."""
        self.remover.session(session.id, lambda: self.collector.leave(session.id))

    def preferences(self, session: Session) -> dict[str, Any]:
        """What was chosen for this session (search settings, model); never a key."""
        return self.catalogue.sessions.preferences(session.id)

    def set_preferences(self, session: Session, values: dict[str, Any]) -> None:
        """Keep choices of this session; what is not named stays."""
        self.catalogue.sessions.set_preferences(
            session.id, {**self.catalogue.sessions.preferences(session.id), **values}
        )

    # -------------------------------------------------------------------------- documents

    def add_file(
        self,
        session: Session,
        name: str,
        data: bytes | Path | BinaryIO,
        on_same_name: SameName = "ask",
    ) -> AddResult:
        """Put one file into the queue of this session.

        The same bytes twice change nothing (`DUPLICATE`). The same name with other bytes is a
        `CONFLICT` until the person says "replace" or "keep" (both).
        """
        return self.adder.add_file(session.id, name, data, on_same_name)

    def spool(self) -> BinaryIO:
        """A file without a name on the disk of the data, gone when it is closed: for uploads."""
        return self.originals.spool()

    def create_job(self, session: Session, results: Sequence[AddResult]) -> Job:
        """Remember what came in together, so that it can be followed and stopped together."""
        items = tuple(
            JobItem(r.name, r.outcome, r.document.id if r.document else "", r.reason, r.cure)
            for r in results
        )
        return self.catalogue.jobs.create(session.id, items)

    def job(self, owner_id: str, job_id: str) -> Job:
        """A job of this owner; anybody else's, and none at all, is `JobNotFound`."""
        found = self.catalogue.jobs.get(owner_id, checked_uuid(job_id))
        if found is None:
            raise JobNotFound("There is no such job.")
        return found

    def add_urls(self, session: Session, urls: Sequence[str]) -> list[AddResult]:
        """Put web addresses into the queue; they are fetched by the worker, not here."""
        return [self.adder.add_url(session.id, url.strip()) for url in urls if url.strip()]

    def add_loaded(
        self, session: Session, loaded: LoadedDocument, *, name: str, url: str
    ) -> AddResult:
        """Put a document that was collected (not uploaded) into the queue.

        Its id is the hash of address and text; another text under the same address replaces.
        """
        return self.adder.add_loaded(session.id, loaded, name=name, url=url)

    def load_samples(self, session: Session) -> list[AddResult]:
        """Add the sample library that ships with the program."""
        return [
            self.add_file(session, path.name, path, "replace")
            for path in sample_files(self.settings)
        ]

    def suggestions(self, session: Session) -> list[str]:
        """Questions to begin with, about the sample library."""
        return sample_questions(self.settings)

    def documents(self, session: Session) -> list[Document]:
        """All documents of the session, whatever their state, in order of adding."""
        return self.catalogue.documents.library(session.id)

    def document(self, session: Session, document_id: str) -> Document:
        """One document; raises `DocumentNotFound`."""
        document = self.catalogue.documents.get(session.id, checked_digest(document_id))
        if document is None:
            raise DocumentNotFound("There is no such document in this session.")
        return document

    def retry(self, session: Session, document_id: str) -> None:
        """Put a failed or stopped document back into the queue."""
        self.adder.retry(self.document(session, document_id))

    def remove(self, session: Session, document_id: str) -> None:
        """Remove a document with everything that was made of it."""
        self.remover.document(session.id, self.document(session, document_id).id)

    def stop(self, session: Session, document_ids: Sequence[str] | None = None) -> int:
        """Stop reading all documents, or these: what is not ready waits for `resume()`.

        Gives how many were stopped.
        """
        return self.catalogue.documents.change_states(
            [DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING],
            DocumentState.STOPPED,
            session.id,
            document_ids,
        )

    def resume(self, session: Session) -> int:
        """Put what was stopped back into the queue. Gives how many."""
        count = self.catalogue.documents.change_states(
            [DocumentState.STOPPED], DocumentState.WAITING, session.id
        )
        self.worker.wake()
        return count

    def set_searched(self, session: Session, document_id: str, searched: bool) -> None:
        """Take a document into the search or out of it."""
        document = self.document(session, document_id)
        self.catalogue.documents.set_searched(session.id, document.id, searched)

    def keep_page(self, session: Session, document_id: str) -> None:
        """Make a page that was read for an answer a document of the library."""
        self.live.keep(session.id, self.document(session, document_id))
        self.worker.wake()

    def read_pages(self, session: Session) -> list[Document]:
        """The pages of the web that were read for answers and not kept, in order of reading."""
        return self.catalogue.web_pages.list(session.id)

    def pages(self, session: Session, document_id: str) -> list[Page]:
        """The extracted text of a document, page by page."""
        return self.catalogue.content.pages(session.id, self.document(session, document_id).id)

    def page(self, session: Session, document_id: str, page_ordinal: int) -> Page:
        """One page of a document, counted from 0; raises `PageNotFound`."""
        document = self.document(session, document_id)
        page = self.catalogue.content.page(session.id, document.id, page_ordinal)
        if page is None:
            raise PageNotFound(
                "The document has no such page.", f"It has {document.pages}, counted from 0."
            )
        return page

    def chunks(self, session: Session, document_id: str) -> list[Chunk]:
        """The chunks of a document in their order."""
        return self.catalogue.content.chunks(session.id, self.document(session, document_id).id)

    def original(self, session: Session, document_id: str) -> Path:
        """Where the original file of a document is."""
        return self.originals.path(session.id, self.document(session, document_id).id)

    # ----------------------------------------------------------------------- language models

    def chat_models(self, choice: ModelChoice) -> list[ModelInfo]:
        """The models that the provider of a choice offers; raises `ModelError`."""
        return list_models(choice, self.settings)

    def pull_chat_model(self, name: str) -> Iterator[PullProgress]:
        """Download a model to the Ollama server, with its progress; raises `ModelError`."""
        return pull_model(name, self.settings)

    # ------------------------------------------------------------------- search and answers

    def search(self, request: AskRequest) -> SearchResult:
        """Search without answering: the plan, the hits with every score, the steps.

        With `web`, raises `NotAllowed` for readers: what is read becomes part of what all search.
        Raises `Busy` where too many questions wait, and an `AppError` where both sides fail.
        """
        request = self._completed(request)
        with self._turns(request).hold(request.session.id):
            return finished(self.asker.search(request))

    def ask(self, request: AskRequest) -> Iterator[Event]:
        """Answer a question from the session's documents: events, then exactly one `Answer`.

        Raises as `search` does, and `ConversationNotFound`.
        """
        request = self._completed(request)
        session, conversation_id = request.session, request.conversation_id
        if conversation_id:
            self.catalogue.conversations.add_message(
                session.id, conversation_id, "user", request.question
            )
        for event in self._turns(request).through(session.id, lambda: self.asker.ask(request)):
            if isinstance(event, Answer):
                prometheus.answered(event)
                if conversation_id:
                    self._keep_answer(session, conversation_id, event)
            yield event

    def _completed(self, request: AskRequest) -> AskRequest:
        """The request with the history of its conversation and what the session prefers.

        Raises `NotAllowed` where it asks for the web and the role does not allow that.
        """
        session, options = request.session, request.options
        if options.web:
            roles.check(session, roles.LIVE_WEB, self.catalogue.sharing)
        if request.conversation_id:
            history = self.messages(session, request.conversation_id)
            request = replace(request, history=history)
        search = options.search or self.search_options(session)
        preset = options.preset or self.preset(session)
        return replace(request, options=replace(options, search=search, preset=preset))

    def _turns(self, request: AskRequest) -> Turns:
        """The queue for a request: one that a model works on waits for it, not for a processor."""
        return self.queue.of(waits=request.model is not None and bool(request.model.provider))

    def preset(self, session: Session) -> str:
        """The preset with which this session answers where no other is asked for."""
        chosen = self.catalogue.sessions.preferences(session.id).get("preset")
        return chosen if chosen in PRESETS else "balanced"

    def model_choice(
        self,
        session: Session,
        provider: str | None = None,
        model: str | None = None,
        key: SecretStr | None = None,
    ) -> ModelChoice | None:
        """Who answers in this session: what is asked for, if it is set up here, else the usual.

        Raises `InvalidRequest`, and a `ModelError` where the provider does not answer.
        """
        preferred = self.preferences(session).get("model")
        return choose(self.settings, preferred, provider, model, key)

    def evidence(self, session: Session, citation: Citation) -> Evidence:
        """The place that a citation leads to: its page with the passage marked."""
        return open_evidence(citation, session.id, self.catalogue, self.originals, self.settings)

    def page_evidence(self, session: Session, document_id: str, page_ordinal: int) -> Evidence:
        """A page of a document with nothing marked, to read around a passage."""
        document = self.document(session, document_id)
        citation = Citation(
            number=0, chunk_id="", document_id=document.id, label=document.label,
            kind=document.kind, page_ordinal=page_ordinal, page_number=None, start=0, end=0,
            quote="", title=document.title, url=document.url, attribution=document.attribution,
        )  # fmt: skip
        return self.evidence(session, citation)

    # ------------------------------------------------------------------------ conversations

    def create_conversation(self, session: Session, title: str) -> Conversation:
        """A new conversation, named after its first question."""
        short = " ".join(title.split())[:80] or "New conversation"
        return self.catalogue.conversations.create(session.id, short, session.viewer_id)

    def conversations(self, session: Session) -> list[Conversation]:
        """The viewer's own conversations in a session, last used first."""
        return self.catalogue.conversations.list(session.id, session.viewer_id)

    def conversation(self, session: Session, conversation_id: str) -> Conversation:
        """One conversation of the viewer's; raises `ConversationNotFound`."""
        found = self.catalogue.conversations.get(
            session.id, checked_uuid(conversation_id), session.viewer_id
        )
        if found is None:
            raise ConversationNotFound("There is no such conversation in this session.")
        return found

    def messages(self, session: Session, conversation_id: str) -> list[Message]:
        """Its questions and answers, oldest first."""
        return self.catalogue.conversations.messages(
            session.id, self.conversation(session, conversation_id).id
        )

    def rename_conversation(self, session: Session, conversation_id: str, title: str) -> None:
        """Give a conversation another title."""
        found = self.conversation(session, conversation_id)
        self.catalogue.conversations.rename(session.id, found.id, clean_title(title))

    def delete_conversation(self, session: Session, conversation_id: str) -> None:
        """Delete a conversation with its messages."""
        found = self.conversation(session, conversation_id)
        self.catalogue.conversations.delete(session.id, found.id)

    def export_conversation(
        self, session: Session, conversation_id: str, form: Literal["markdown", "json"]
    ) -> str:
        """A conversation with its sources, to keep or to pass on."""
        found = self.conversation(session, conversation_id)
        messages = self.messages(session, conversation_id)
        return as_json(found, messages) if form == "json" else as_markdown(found, messages)

    # ------------------------------------------------------------------------------ inside

    def search_options(self, session: Session) -> SearchOptions:
        """The settings with which this session searches where nothing else is asked for."""
        chosen = self.catalogue.sessions.preferences(session.id).get("search", {})
        known = SearchOptions.__dataclass_fields__
        return SearchOptions(**{key: value for key, value in chosen.items() if key in known})

    def _made_with(self, session_id: str) -> str | None:
        made_with = self.catalogue.sessions.collection(session_id)
        return None if made_with is None else made_with[1]

    def _keep_answer(self, session: Session, conversation_id: str, answer: Answer) -> None:
        self.catalogue.conversations.add_message(
            session.id, conversation_id, "assistant", answer.text, answer
        )
        self.catalogue.sessions.touch(session.id)


_default: Service | None = None
_default_lock = threading.Lock()


def default_service() -> Service:
    """The service of this process, built at its first use from the environment's settings."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Service(load_settings())
        return _default


def close_default_service() -> None:
    """Close the service of this process, if there is one."""
    global _default
    with _default_lock:
        if _default is not None:
            _default.close()
            _default = None
