"""The program without a face: everything that the pages, the REST API and the shell may call.

A person (an owner, found by a token that only their browser or program holds, or by signing in)
has sessions. A session has documents and conversations. Each concept has a room: `sessions`,
`documents`, `conversations`, `shared_answers`, `models`, `collecting`, `evaluations`, `owners`,
`keys`, `people`. A `Session` proves access: only `sessions.get()` and `sessions.create()` return
one, and the methods that work in a session take it first. `core/access/roles.py` says what a role
allows and checks every call.

```python
session = service.sessions.create(service.owners.for_token(token))
service.documents.add_file(session, "notes.md", data)
for event in service.ask(AskRequest(session, "What is carried with every passage?")): ...
```
"""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

from core.access import roles
from core.access.callers import may_maintain
from core.access.keys import Keys
from core.access.owners import Owners
from core.access.people import People
from core.answering.factory import make_answerer
from core.citations.page_images import PageImages
from core.collecting.collector import Collector
from core.collecting.watching import FolderWatch
from core.config import Settings, hide_secrets, load_settings
from core.errors import AppError, ModelUnavailable
from core.evaluation.service import Evaluations
from core.ingestion.adding import Adder
from core.ingestion.language_choice import choose_by_language
from core.ingestion.recutting import Recutter
from core.ingestion.worker import Ingester, IngestWorker
from core.library.conversations import Conversations
from core.library.documents import Documents
from core.library.models import Models
from core.library.sessions import Sessions
from core.library.shared_answers import SharedAnswers
from core.library.suggestions import Suggestions
from core.llm.choice import default_choice
from core.llm.offers import Offers
from core.llm.providers import make_chat_model
from core.maintenance import doctor
from core.maintenance.claims import Claims
from core.maintenance.removal import Remover
from core.maintenance.tasks import Upkeep
from core.models.reranking import Rerankers
from core.pipeline import Pipeline
from core.retrieval.cut_off import CutOffs
from core.retrieval.retriever import Retriever
from core.steps import drain
from core.storage.files.reserve import Reserve
from core.storage.sql.conversations import LeftQuestion
from core.storage.stores import open_stores
from core.supervision import failures, in_background, isolated
from core.telemetry import prometheus
from core.turns import Queue, Turns
from core.types import (
    Answer,
    Asked,
    AskRequest,
    Document,
    Event,
    Health,
    Message,
    SearchResult,
    Verdict,
)
from core.types.search import MOST_DROPPED
from core.web_search.page_store import LivePages
from core.web_search.search import WebSearch

log = logging.getLogger(__name__)

_ENDING_SECONDS = 30.0
_NO_PAGE = 30.0
"""Seconds in which a page may take a question over that an ended process left; it shows the words
as they come. Then it is answered without one."""


@roles.guarded("")
class Service:
    """The program without a face. One a process; thread-safe; `close()` when done.

    Building one takes the lock on the data directory (raises `DataDirectoryInUse`), and begins in
    the background: models are loaded, the indexes are reconciled with the catalogue, and what was
    left unfinished goes on. `ready()` says when that is done; nothing needs to wait for it.
    """

    def __init__(self, settings: Settings, *, background: bool = True) -> None:
        self.settings = settings
        self.stores = open_stores(settings)
        self.catalogue = self.stores.catalogue
        self.rerankers = Rerankers(settings)
        self.cut_offs = CutOffs()
        self._ready = threading.Event()
        self._closing = threading.Event()
        self.queue = Queue()
        self.upkeep = Upkeep(self.stores, self._closing.is_set)
        self.remover = Remover(self.stores, Reserve(settings))
        self.worker = IngestWorker(
            Ingester(self.stores), self.upkeep.mend_session, self.upkeep.tidy, self._follow_language
        )
        self.recutter = Recutter(self.worker.ingester)
        self.live = LivePages(self.stores)
        self.web = WebSearch(settings, self.live)
        self.suggestions = Suggestions(
            self.stores, self._quoted, lambda: self.queue.busy.working() > 0
        )
        self.pipeline = Pipeline(
            settings, self.catalogue, self.retriever, self.web, self.suggestions.known
        )
        adder = Adder(self.stores, self.worker.wake, self.worker.ingester.passwords)

        self.owners = Owners(self.catalogue)
        self.keys = Keys(self.catalogue)
        self.people = People(settings, self.catalogue)
        self.collecting = Collector(self.stores, adder, self.remover)
        self.watch = FolderWatch(self.stores, adder, self.remover)
        self.sessions = Sessions(
            settings, self.catalogue, self.remover, self.collecting.leave, self.recutter
        )
        self.models = Models(settings, self.catalogue, Offers(settings))
        self.evaluations = Evaluations(self.stores, self.pipeline, background=background)
        self.documents = Documents(
            self.stores,
            adder,
            self.remover,
            self.live,
            PageImages(settings),
            self.suggestions,
            self.collecting.start_documentation,
            self.collecting.erase,
            self._erase_quotes,
        )
        self.claims = Claims(
            self.catalogue.database,
            (
                self.worker.take_over,
                self.collecting.take_over,
                self.evaluations.runner.start,
                self._answer_left,
            ),
            self._closing,
        )
        self.conversations = Conversations(self.catalogue, self.documents.evidence)
        self.shared_answers = SharedAnswers(self.catalogue)
        self._warming: threading.Thread | None = None
        if background:
            self._warming = in_background("warm-up", self.warm_up, self._note_fault)

    # ------------------------------------------------------------------ the process itself

    def warm_up(self) -> None:
        """Load the models, mend the indexes, resume the queue. Runs once, in the background."""
        self.stores.originals.sweep()
        self.remover.reserve.fill()
        if not self._closing.is_set():
            self.worker.start()
        isolated("loading the models", self._load_models, self._note_fault)
        isolated("the upkeep of the start", self._mend, self._note_fault)
        if not self._closing.is_set():
            self.recutter.start()
            self.collecting.begin()
            self.watch.begin()
            self.claims.begin()
            self._ready.set()
        if self.settings.searxng_url:
            self.web.reader.warm()
        if (choice := default_choice(self.settings)) is not None:
            make_chat_model(choice, self.settings).preload()

    def _load_models(self) -> None:
        """What quotes, so that the first question does not wait for it."""
        try:
            make_answerer(None, self.settings, self.stores.embedder())
        except ModelUnavailable as error:
            log.error("Start: %s %s", error.message, error.cure)

    def _mend(self) -> None:
        try:
            self.upkeep.run("start")
            self.live.forget_expired()
        except AppError as error:
            log.error("Start: %s %s", error.message, error.cure)

    def _note_fault(self, error: Exception) -> None:
        failures().note("warm-up", error)

    def ready(self) -> bool:
        """Return whether models are loaded, the indexes checked, and the catalogue reachable."""
        return self._ready.is_set() and self.catalogue.database.is_reachable

    def wait_ready(self, seconds: float) -> bool:
        """Wait until `ready()`, at most so long."""
        return self._ready.wait(seconds)

    def close(self) -> None:
        """Stop the work after its current step, close the stores, give the lock back."""
        self._closing.set()
        self.watch.end()
        self.collecting.end()
        self.evaluations.close()
        self.suggestions.close()
        self.web.close()
        self.recutter.stop()
        self.worker.stop()
        if self._warming is not None:
            self._warming.join(_ENDING_SECONDS)
        self.upkeep.wait(_ENDING_SECONDS)
        self.stores.close()

    def health(self) -> list[Health]:
        """Return the state of every part, as the doctor finds it."""
        return doctor.examine(self)

    def check_web_search(self) -> None:
        """Ask SearXNG for a result. Raises `WebSearchError` and its kinds."""
        self.web.searxng.check()

    def check_watch(self) -> Verdict:
        """Return how the watched folder is followed."""
        return self.watch.state()

    def figures(self) -> dict[str, float]:
        """Return the sessions and the lengths of the queues at this moment, for monitoring.

        Sessions and documents are those of the catalogue, whichever process has them in work.
        """
        computing, asking = self.queue.busy, self.queue.waiting
        waiting, in_work = self.catalogue.documents.in_queue()
        return {
            "sessions": len(self.catalogue.sessions.ids()),
            "documents waiting": waiting,
            "documents being read": in_work,
            "questions waiting for a processor": computing.waiting(),
            "questions being worked on": computing.working(),
            "questions waiting for a model": asking.waiting(),
            "questions a model works on": asking.working(),
            "ready": float(self.ready()),
        }

    def may_maintain(self, owner_id: str) -> bool:
        """Return whether this owner may check, rebuild and back up the stores from the page."""
        return may_maintain(self.settings, owner_id)

    def retriever(self) -> Retriever:
        """Return the search over the stores of this process."""
        stores = self.stores
        return Retriever(
            stores.catalogue,
            stores.vectors,
            stores.lexical,
            stores.embedder(),
            lambda session_id: self.rerankers.get(self._reranker_of(session_id)),
            cut=stores.catalogue.cuts.in_force,
            named_embedder=stores.embedder,
            cut_offs=self.cut_offs,
        )

    def _reranker_of(self, session_id: str) -> str:
        return str(self.catalogue.sessions.preferences(session_id).get("reranker_model", ""))

    # ------------------------------------------------------------------- search and answers

    def search(self, request: AskRequest) -> SearchResult:
        """Search without answering: the plan, the hits with every score, the steps.

        With `web`, raises `NotAllowed` for readers: what is read becomes part of what all search.
        Raises `Busy` where too many questions wait, and an `AppError` where both sides fail.
        """
        request = self._completed(request)
        with self._turns(request).hold(request.session.viewer_id):
            return drain(self.pipeline.search(request))

    def ask(self, request: AskRequest) -> Iterator[Event]:
        """Answer a question from the session's documents: events, then exactly one `Answer`.

        Raises as `search` does, and `ConversationNotFound`.
        """
        request = self._completed(request)
        if not request.conversation_id:
            yield from self._events(request)
            return
        question = self.catalogue.conversations.add_message(
            request.session.id,
            request.conversation_id,
            "user",
            request.question,
            asked=None if request.cancelled() else self._asked(request),
        )
        with self.catalogue.database.answering(question.id), self._settling(question):
            yield from self._answer_to(request, question)

    def ask_again(self, request: AskRequest) -> Iterator[Event]:
        """Answer the question that another process left at the end of a conversation.

        It is asked as it was there, whatever the options of `request`. No event where it is not
        to be answered here: it was taken over already, say. Raises as `ask` does.
        """
        said = self.conversations.messages(request.session, request.conversation_id or "")
        if not said or said[-1].asked is None:
            return
        question, asked = said[-1], said[-1].asked
        request = replace(request, question=question.text, options=asked.options, model=asked.model)
        with self.catalogue.database.answering(question.id) as mine:
            taken = self.catalogue.conversations.take_over(question) if mine else None
            if taken is None:
                return
            with self._settling(taken):
                request = replace(self._completed(request), history=said[:-1])
                yield from self._answer_to(request, taken)

    def _answer_left(self, patience: float) -> None:
        """Answer, in the background, what ended processes left and no page has taken over."""
        for left in self.catalogue.conversations.left(max(patience, _NO_PAGE)):
            in_background("answering what was left", partial(self._answer_alone, left))

    def _answer_alone(self, left: LeftQuestion) -> None:
        try:
            session = self.catalogue.sessions.get(left.person, left.session_id)
            if session is None:  # it is not shared with them any more
                self.catalogue.conversations.release(left.message)
                return
            for _ in self.ask_again(AskRequest(session, left.message.text, left.conversation_id)):
                pass
        except AppError as error:
            log.info("A question that was left could not be answered: %s", error.code)

    @contextmanager
    def _settling(self, question: Message) -> Iterator[None]:
        """Leave a question to nobody after the block, however it ends; at `close` to others."""
        try:
            yield
        finally:
            if question.asked is not None and not self._closing.is_set():
                with suppress(AppError):  # the database is away, say
                    self.catalogue.conversations.release(question)

    def _answer_to(self, request: AskRequest, question: Message) -> Iterator[Event]:
        """The events of the answer to a question of a conversation, which is kept there."""
        for event in self._events(request):
            if isinstance(event, Answer):
                self._keep_answer(request, question, event)
            yield event

    def _events(self, request: AskRequest) -> Iterator[Event]:
        turns = self._turns(request)
        for event in turns.through(request.session.viewer_id, lambda: self.pipeline.ask(request)):
            if isinstance(event, Answer):
                prometheus.answered(event)
            yield event

    def _asked(self, request: AskRequest) -> Asked | None:
        """How it is asked, for another process; None with a key, which stays in this one."""
        with_key = request.model is not None and request.model.key is not None
        if with_key or not self.catalogue.database.is_shared:
            return None
        return Asked(request.options, request.model)

    def _completed(self, request: AskRequest) -> AskRequest:
        """The request with the history of its conversation and what the session prefers.

        Raises `NotAllowed` where it asks for the web and the role does not allow that.
        """
        session, options = request.session, request.options
        if options.web:
            roles.check(session, roles.LIVE_WEB, self.catalogue.sharing)
        if request.conversation_id:
            history = self.conversations.messages(session, request.conversation_id)
            request = replace(request, history=history)
        search = options.search or self.sessions.search_options(session)
        preset = options.preset or self.sessions.preset(session)
        return replace(request, options=replace(options, search=search, preset=preset))

    def _turns(self, request: AskRequest) -> Turns:
        """The queue for a request: one for a model or the web waits for it, not for a processor."""
        model = request.model is not None and bool(request.model.provider)
        return self.queue.of(waits=model or request.options.web)

    # ------------------------------------------------------------------------------ inside

    def _follow_language(self, session_id: str) -> None:
        """Have a session indexed by the model for its language, once that is seen."""
        try:
            if choose_by_language(self.stores, session_id):
                self.recutter.wake()
        except AppError as error:  # the next document that becomes ready tries again
            log.warning("The embedding model was not chosen by language: %s", error.message)

    def _quoted(self, request: AskRequest) -> Answer | None:
        """The answer to a question that nobody waits for; None once it is cancelled."""
        for event in self.pipeline.ask(self._completed(request)):
            if request.cancelled():
                return None
            if isinstance(event, Answer):
                return event
        return None

    def _erase_quotes(self, document: Document) -> None:
        self.catalogue.conversations.erase_quotes(document.session_id, document.id)
        self.evaluations.erase(document)

    def _keep_answer(self, request: AskRequest, question: Message, answer: Answer) -> None:
        session, conversation_id = request.session, request.conversation_id or ""
        if answer.search is not None:
            answer = replace(answer, search=answer.search.shortened(MOST_DROPPED))
        self.catalogue.conversations.add_message(
            session.id, conversation_id, "assistant", answer.text, answer, to=question
        )
        self.catalogue.sessions.touch(session.id)


_default: Service | None = None
_default_lock = threading.Lock()


def default_service() -> Service:
    """The service of this process, built at its first use from the environment's settings."""
    global _default
    with _default_lock:
        if _default is None:
            settings = load_settings()
            hide_secrets()
            _default = Service(settings)
            # What libraries put aside, beside our own: on the disk of the data, swept at the start.
            tempfile.tempdir = str(_default.stores.originals.scratch_made())
        return _default


def close_default_service() -> None:
    """Close the service of this process, if there is one."""
    global _default
    with _default_lock:
        if _default is not None:
            _default.close()
            _default = None
