"""A service without storage or models: canned documents, hits and answers, in memory.

It keeps what the pages change, so that a page can be tried and tested by itself. `pace` is the
time between two events of an answer, in seconds.
"""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from pydantic import SecretStr

from core.access.people import SignIn
from core.answering.exports.port import Exported
from core.answering.exports.registry import FORMS, FormName
from core.errors import (
    AppError,
    ConversationNotFound,
    DocumentNotFound,
    InvalidRequest,
    NotFound,
)
from core.evaluation.operations import Operations, Try, qualities
from core.llm.offers import Offer
from core.llm.port import ModelInfo
from core.text.mentions import occurrences
from core.types import (
    Abstention,
    AddOutcome,
    AddResult,
    Answer,
    ApiKey,
    AskRequest,
    Check,
    Chunk,
    Citation,
    Claim,
    Conversation,
    ConversationHit,
    Document,
    DocumentKind,
    DocumentState,
    Event,
    Evidence,
    Heading,
    Health,
    Hit,
    Indexing,
    Invitation,
    Match,
    Matches,
    Member,
    Message,
    Notice,
    Page,
    Person,
    QueryOptions,
    QueryPlan,
    Role,
    SearchOptions,
    SearchResult,
    Session,
    SharedAnswer,
    Step,
    Support,
    TextPiece,
    UpkeepState,
    UpkeepTask,
)
from core.types.steps import ByMethod
from tests.ui.app.fake_collector import FakeCollector

PAGE_LINES = (
    "Keeping what was said",
    "",
    "A passage is cut from a page with its place: the document, the page, the heading",
    "path, and the span of characters. That place is carried from the moment the chunk is",
    "cut. It is never rebuilt by searching.",
    "",
    "The catalogue is the truth, and the two indexes can be rebuilt from it. When a",
    "session is deleted, its rows, vectors, index folders and originals are erased.",
    "",
    "Fusion adds the dense and the lexical score after each was brought to the range",
    "from 0 to 1. With equal weights it found 0.728 where dense alone found 0.645.",
)
PAGE_TEXT = "\n".join(PAGE_LINES)
NOTES_TEXT = (
    "# Glossary\n\nDense retrieval compares meanings as vectors.\n\n"
    "Lexical retrieval compares words, and finds names and numbers as they are typed.\n\n"
    "Reciprocal rank fusion adds 1 / (60 + rank) over the lists in which a passage stands.\n"
)
QUESTIONS = (
    "What is carried with every passage?",
    "How are dense and lexical scores fused?",
    "What happens when a session is deleted?",
)


def now() -> datetime:
    return datetime.now(UTC)


class FakeUpkeep:
    """Work on the stores that is done at once."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.now = UpkeepState()

    def state(self) -> UpkeepState:
        return self.now

    def start(self, task: UpkeepTask, target: Path | None = None) -> bool:
        self.begun.append(task)
        self.now = UpkeepState(task, lines=("Files, catalogue and both indexes agree.",))
        return True


class FakeThumbs:
    """The thumbs of every answer, by its message's id."""

    def __init__(self) -> None:
        self.given: dict[int, SimpleNamespace] = {}

    def of(self, session: Session, message_id: int) -> SimpleNamespace | None:
        return self.given.get(message_id)

    def give(
        self, session: Session, message: Message, question: str, up: bool, reason: str = ""
    ) -> None:
        self.given[message.id] = SimpleNamespace(up=up, reason=reason, question=question)

    def golden_items(self, session: Session) -> list[Any]:
        return []


class FakeEvaluations:
    """Nothing was evaluated yet."""

    def __init__(self) -> None:
        self.thumbs = FakeThumbs()

    def making(self, session: Session) -> None:
        return None

    def talking(self, session: Session) -> None:
        return None

    def sets(self, session: Session) -> list[Any]:
        return []

    def runs(self, session: Session) -> list[Any]:
        return []

    def operations(self, session: Session, run_id: str = "") -> Operations:
        return Operations([Try("upload", 0.5)], qualities({}, []), 100.0)


class FakePeople:
    """Who signed in, and the members of sessions, by address."""

    def __init__(self, service: FakeService) -> None:
        self.service = service
        self.known: dict[str, Person] = {}
        self.out: set[str] = set()
        self.given: dict[str, dict[str, Role]] = {}
        self.accepted: set[tuple[str, str]] = set()

    def sign_in(self, who: SignIn) -> Person | None:
        owner_id = self.service.owners.for_token(who.subject)
        self.known[owner_id] = Person(owner_id, who.name, who.email)
        return None if who.nonce in self.out else self.known[owner_id]

    def sign_out(self, who: SignIn) -> None:
        self.out.add(who.nonce)

    def of_browser(self, owner_id: str, token: str) -> int:
        mine = [s.id for s in self.service._sessions.values() if s.owner_id == token]
        return sum(bool(self.service._documents[one]) for one in mine)

    def take_over(self, owner_id: str, token: str) -> int:
        for one in [s for s in self.service._sessions.values() if s.owner_id == token]:
            self.service._sessions[one.id] = replace(one, owner_id=owner_id, viewer_id=owner_id)
        return 1

    def shared_with(self, owner_id: str, sessions: Iterable[Session]) -> list[Session]:
        email = self.known[owner_id].email if owner_id in self.known else ""
        return [
            replace(s, viewer_id=owner_id, role=role, shared_by=self.known[s.owner_id].name)
            for s in sessions
            if (role := self.given.get(s.id, {}).get(email)) is not None
            and (owner_id, s.id) in self.accepted
        ]

    def invitations(self, owner_id: str) -> list[Invitation]:
        email = self.known[owner_id].email
        return [
            Invitation(s.id, s.name, self.given[s.id][email], self.known[s.owner_id].name)
            for s in self.service._sessions.values()
            if email in self.given.get(s.id, {}) and (owner_id, s.id) not in self.accepted
        ]

    def accept(self, owner_id: str, session_id: str) -> None:
        self.accepted.add((owner_id, session_id))

    def decline(self, owner_id: str, session_id: str) -> None:
        del self.given[session_id][self.known[owner_id].email]

    def members(self, session: Session) -> list[Member]:
        return [Member(email, role) for email, role in self.given.get(session.id, {}).items()]

    def share(self, session: Session, email: str, role: Role) -> Member:
        if "@" not in email:
            raise InvalidRequest("This is no e-mail address.", "Write it as name@example.org.")
        self.given.setdefault(session.id, {})[email.lower()] = role
        return Member(email.lower(), role)

    def unshare(self, session: Session, email: str) -> None:
        del self.given[session.id][email]

    def leave(self, session: Session) -> None:
        del self.given[session.id][self.known[session.viewer_id].email]


class FakeOwners:
    """An owner for each token."""

    def __init__(self, service: FakeService) -> None:
        self.service = service

    def for_token(self, token: str) -> str:
        return self.service._owners.setdefault(token, str(uuid.uuid4()))


class FakeSessions:
    """Sessions in memory."""

    def __init__(self, service: FakeService) -> None:
        self.service = service

    def create(
        self, owner_id: str, name: str = "", preset: str = "balanced", **models: str
    ) -> Session:
        session = Session(str(uuid.uuid4()), owner_id, name or "My library", now(), now())
        self.service._sessions[session.id] = session
        self.service._documents[session.id] = {}
        self.set_preferences(session, {"preset": preset, **models})
        return session

    def rename(self, session: Session, name: str) -> Session:
        self.service._sessions[session.id] = renamed = replace(session, name=name)
        return renamed

    def delete(self, session: Session) -> None:
        del self.service._sessions[session.id]
        del self.service._documents[session.id]

    def preferences(self, session: Session) -> dict[str, Any]:
        return dict(self.service._preferences.get(session.id, {}))

    def set_preferences(self, session: Session, values: dict[str, Any]) -> None:
        self.service._preferences[session.id] = {**self.preferences(session), **values}

    def preset(self, session: Session) -> str:
        return str(self.preferences(session).get("preset", "balanced"))

    def indexing(self, session: Session) -> Indexing:
        kept = self.preferences(session)
        models = (kept.get("embedding_model", ""), kept.get("reranker_model", ""))
        return Indexing(self.preset(session), tuple(kept.get("beside", ())), *models)

    def choose_preset(
        self, session: Session, name: str, beside: Sequence[str] = (), **models: str
    ) -> None:
        self.set_preferences(session, {"preset": name, "beside": tuple(beside), **models})

    def search_options(self, session: Session) -> SearchOptions:
        return SearchOptions(**self.preferences(session).get("search", {}))

    def list(self, owner_id: str) -> list[Session]:
        mine = [s for s in self.service._sessions.values() if s.owner_id == owner_id]
        mine += self.service.people.shared_with(owner_id, self.service._sessions.values())
        return sorted(mine, key=lambda s: s.updated_at, reverse=True)


class FakeKeys:
    """Keys, none of which opens anything."""

    def __init__(self, service: FakeService) -> None:
        self.service = service

    def create(
        self, owner_id: str, name: str, session_id: str | None = None, role: Role = Role.ADMIN
    ) -> str:
        key = ApiKey(str(uuid.uuid4()), owner_id, name or "Key", now(), session_id, role=role)
        self.service._keys[key.id] = key
        return f"fn_{key.id}"

    def revoke(self, owner_id: str, key_id: str) -> None:
        del self.service._keys[key_id]

    def list(self, owner_id: str) -> list[ApiKey]:
        return [key for key in self.service._keys.values() if key.owner_id == owner_id]


class FakeDocuments:
    """Documents that become ready by being looked at."""

    def __init__(self, service: FakeService) -> None:
        self.service = service
        self.documentations: set[str] = set()  # files that hold a whole one

    def get(self, session: Session, document_id: str) -> Document:
        try:
            return self.service._documents[session.id][document_id]
        except KeyError:
            raise DocumentNotFound("There is no such document in this session.") from None

    def add_file(
        self,
        session: Session,
        name: str,
        data: Any,
        on_same_name: str = "ask",
        tags: Sequence[str] = (),
    ) -> AddResult:
        content = data if isinstance(data, bytes) else data.read()
        self.service.added.append(name)
        if not content:
            return AddResult(name, AddOutcome.FAILED, None, "The file is empty.", "Save it again.")
        if name in self.documentations:
            return AddResult(name, AddOutcome.COLLECTED, None, "Its pages are taken in.")
        document_id = hashlib.sha256(content).hexdigest()
        mine = self.service._documents[session.id]
        if document_id in mine:
            reason = f"The same content is already there as {mine[document_id].label}."
            return AddResult(name, AddOutcome.DUPLICATE, mine[document_id], reason)
        same = [d for d in mine.values() if d.name == name]
        if same and on_same_name == "ask":
            reason = f"There already is a {name} with other content."
            return AddResult(name, AddOutcome.CONFLICT, same[-1], reason, "Choose.")
        if same and on_same_name == "replace":
            del mine[same[-1].id]
        label = name if not same or on_same_name == "replace" else f"{name} ({len(same) + 1})"
        made = a_document(document_id, session.id, name, label, len(content))
        mine[document_id] = replace(made, tags=tuple(tags))
        return AddResult(name, AddOutcome.ACCEPTED, mine[document_id])

    def add_urls(self, session: Session, urls: Sequence[str]) -> list[AddResult]:
        results = []
        for url in urls:
            if url.startswith("http"):
                result = self.add_file(session, url, url.encode())
                if result.outcome is AddOutcome.ACCEPTED and result.document:
                    self.service.put(
                        session, replace(result.document, kind=DocumentKind.WEB, url=url)
                    )
                results.append(result)
            else:
                reason = "Only http and https links can be added."
                results.append(AddResult(url, AddOutcome.FAILED, None, reason, "Give it whole."))
        return results

    def load_samples(self, session: Session) -> list[AddResult]:
        return [
            self.add_file(session, "handbook.pdf", b"%PDF handbook"),
            self.add_file(session, "glossary.md", b"# Glossary"),
            self.add_file(session, "measures.html", b"<h1>Measures</h1>"),
        ]

    def suggestions(self, session: Session) -> list[str]:
        return list(QUESTIONS)

    def suggestions_after(self, session: Session, answer: Answer) -> list[str] | None:
        return None if "being made" in answer.question else list(QUESTIONS)

    def retry(self, session: Session, document_id: str) -> None:
        document = self.get(session, document_id)
        waiting = DocumentState.WAITING
        self.service.put(
            session, replace(document, state=waiting, progress=0.0, reason="", cure="")
        )

    def remove(self, session: Session, document_id: str, *, answers_too: bool = False) -> None:
        self.service.erased_answers = answers_too
        del self.service._documents[session.id][self.get(session, document_id).id]

    def stop(self, session: Session) -> int:
        return self.service._change(session, UNREADY, DocumentState.STOPPED)

    def resume(self, session: Session) -> int:
        return self.service._change(session, (DocumentState.STOPPED,), DocumentState.WAITING)

    def set_searched(self, session: Session, document_id: str, searched: bool) -> None:
        self.service.put(session, replace(self.get(session, document_id), searched=searched))

    def set_all_searched(
        self, session: Session, document_ids: Sequence[str], searched: bool
    ) -> int:
        for document_id in document_ids:
            self.set_searched(session, document_id, searched)
        return len(document_ids)

    def unlock(self, session: Session, document_id: str, password: SecretStr) -> None:
        self.service.passwords.append(password.get_secret_value())
        self.retry(session, document_id)

    def retry_all(self, session: Session, document_ids: Sequence[str]) -> int:
        for document_id in document_ids:
            self.retry(session, document_id)
        return len(document_ids)

    def tag(
        self,
        session: Session,
        document_ids: Sequence[str],
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
    ) -> int:
        for document_id in document_ids:
            document = self.get(session, document_id)
            kept = [tag for tag in document.tags if tag not in remove]
            self.service.put(session, replace(document, tags=tuple(dict.fromkeys((*kept, *add)))))
        return len(document_ids)

    def keep_page(self, session: Session, document_id: str) -> None:
        self.service.kept.append(document_id)

    def searched(self, session: Session) -> Sequence[Document]:
        return [d for d in self.list(session) if d.state is DocumentState.READY and d.searched]

    def read_pages(self, session: Session) -> list[Document]:
        return self.service.read

    def pages(self, session: Session, document_id: str) -> list[Page]:
        self.get(session, document_id)
        return [Page(0, PAGE_TEXT, 1, (Heading(0, 1, PAGE_LINES[0]),)), Page(1, NOTES_TEXT, 2)]

    def chunks(self, session: Session, document_id: str) -> list[Chunk]:
        return [a_chunk(document_id, 0, PAGE_TEXT[23:240]), a_chunk(document_id, 1, NOTES_TEXT)]

    def evidence(
        self,
        session: Session,
        citation: Citation,
        claim: Sequence[tuple[int, int]] = (),
        found: Sequence[tuple[int, int]] = (),
    ) -> Evidence:
        if citation.document_id == "gone":
            return Evidence(citation, "", missing="This document was deleted.")
        if citation.kind is DocumentKind.PDF:
            image, boxes = draw_page(citation.quote.split("\n")[0])
            following = (citation.page_ordinal + 1,)
            return Evidence(
                citation, PAGE_TEXT, image, 1224, 1584, boxes, neighbours=following, pages=20,
                found=tuple(found), found_boxes=boxes_of(found),
            )  # fmt: skip
        link = f"{citation.url}#:~:text=rank" if citation.url else ""
        keepable = citation.document_id not in self.service.kept
        spans = ((citation.start, citation.end),)
        keepable = keepable and bool(link)
        return Evidence(
            citation, NOTES_TEXT, link=link, keepable=keepable, spans=spans, pages=1,
            found=tuple(found),
        )  # fmt: skip

    def draw_ahead(self, session: Session, places: Sequence[tuple[str, int]]) -> None:
        self.service.drawn_ahead += places

    def find(self, session: Session, document_id: str, words: str) -> Matches:
        """Every second page of the handbook has the text."""
        pdf = document_id == "doc-handbook.pdf"
        spans = occurrences(words, PAGE_TEXT if pdf else NOTES_TEXT)
        pages = range(0, 20, 2) if pdf else (0,)
        return Matches(tuple(Match(page, *span) for page in pages for span in spans))

    def page_evidence(
        self,
        session: Session,
        document_id: str,
        page_ordinal: int,
        found: Sequence[tuple[int, int]] = (),
    ) -> Evidence:
        image, _ = draw_page("")
        citation = a_citation(0, DocumentKind.PDF, "handbook.pdf", "", page_ordinal)
        around = tuple(n for n in (page_ordinal - 1, page_ordinal + 1) if n >= 0)
        return Evidence(
            citation, PAGE_TEXT, image, 1224, 1584, neighbours=around, pages=20,
            found=tuple(found), found_boxes=boxes_of(found),
        )  # fmt: skip

    def list(self, session: Session) -> list[Document]:
        with self.service._lock:
            self.service._work(session)
            return list(self.service._documents[session.id].values())


class FakeConversations:
    """Conversations in memory."""

    def __init__(self, service: FakeService) -> None:
        self.service = service

    def create(self, session: Session, title: str) -> Conversation:
        made = Conversation(str(uuid.uuid4()), session.id, title[:80], now(), now())
        self.service._conversations[made.id] = made
        self.service._messages[made.id] = []
        return made

    def get(self, session: Session, conversation_id: str) -> Conversation:
        found = self.service._conversations.get(conversation_id)
        if found is None or found.session_id != session.id:
            raise ConversationNotFound("There is no such conversation in this session.")
        return found

    def messages(self, session: Session, conversation_id: str) -> list[Message]:
        return list(self.service._messages[self.get(session, conversation_id).id])

    def is_left(self, session: Session, message: Message) -> bool:
        return self.service.others_ended

    def stop(self, session: Session, conversation_id: str) -> None:
        self.service.stopped.append(self.get(session, conversation_id).id)

    def rename(self, session: Session, conversation_id: str, title: str) -> None:
        found = self.get(session, conversation_id)
        self.service._conversations[found.id] = replace(found, title=title)

    def pin(self, session: Session, conversation_id: str, pinned: bool) -> None:
        found = self.get(session, conversation_id)
        self.service._conversations[found.id] = replace(found, pinned=pinned)

    def search(self, session: Session, words: str) -> Sequence[ConversationHit]:
        hits = []
        for one in self.list(session):
            said = [message.text for message in self.messages(session, one.id)]
            found = [text for text in said if words in text]
            if found or words in one.title:
                hits.append(ConversationHit(one, found[0][:80] if found else ""))
        return hits

    def delete(self, session: Session, conversation_id: str) -> None:
        del self.service._conversations[self.get(session, conversation_id).id]

    def check(self, session: Session, conversation_id: str, message_id: int, check: Check) -> None:
        said = self.service._messages[self.get(session, conversation_id).id]
        (at,) = (at for at, message in enumerate(said) if message.id == message_id)
        others = [one for one in said[at].checks if one.mark != check.mark]
        said[at] = replace(said[at], checks=(*others, check))

    def export(
        self,
        session: Session,
        conversation_id: str,
        form: FormName = "markdown",
        message_id: int | None = None,
        zone: tzinfo = UTC,
    ) -> bytes:
        found = self.messages(session, conversation_id)
        messages = [one for one in found if message_id in (None, one.id)]
        look = partial(self.service.documents.evidence, session)
        return FORMS[form].write(Exported(self.get(session, conversation_id), messages, look, zone))

    def list(self, session: Session) -> list[Conversation]:
        mine = [c for c in self.service._conversations.values() if c.session_id == session.id]
        return sorted(mine, key=lambda c: c.updated_at, reverse=True)


class FakeSharedAnswers:
    """Shared answers in memory; each has the id of its message."""

    def __init__(self, service: FakeService) -> None:
        self.service = service
        self.shared: dict[str, tuple[str, SharedAnswer]] = {}

    def share(self, session: Session, conversation_id: str, message_id: int) -> SharedAnswer:
        said = self.service._messages[conversation_id]
        (at,) = (at for at, message in enumerate(said) if message.id == message_id)
        shared_id = said[at].shared or str(uuid.uuid4())
        said[at] = replace(said[at], shared=shared_id)
        whose = self.service.people.known.get(session.viewer_id)
        found = SharedAnswer(
            shared_id, said[at - 1].text, now(), whose.name if whose else "", True, said[at].answer
        )
        self.shared[shared_id] = (session.id, found)
        return found

    def get(self, session: Session, shared_id: str) -> SharedAnswer:
        session_id, found = self.shared.get(shared_id, ("", None))
        if found is None or session_id != session.id:
            raise NotFound("There is no such answer in this session, or it is no longer shared.")
        return found

    def end(self, session: Session, shared_id: str) -> None:
        del self.shared[self.get(session, shared_id).id]
        for said in self.service._messages.values():
            said[:] = [replace(m, shared="") if m.shared == shared_id else m for m in said]

    def list(self, session: Session) -> list[SharedAnswer]:
        return [one for session_id, one in self.shared.values() if session_id == session.id]

    def own(self, shared_id: str, mine: bool) -> None:
        """Have it shared by who looks, or by somebody else."""
        session_id, found = self.shared[shared_id]
        self.shared[shared_id] = (session_id, replace(found, mine=mine))


class FakeService:
    """The rooms and methods of `Service` that pages call."""

    def __init__(self, pace: float = 0.0) -> None:
        self.pace = pace
        self.erased_answers = False
        self.settings = SimpleNamespace(
            chat_provider="",
            chat_model="",
            data_dir="data_main",
            chroma_dir="chroma_db",
            collect_pages=5_000,
            searxng_url="",
            login="off",
            public_url="",
            embedding_choices=("all-MiniLM-L6-v2",),
            reranker_choices=("",),
        )
        self.owners = FakeOwners(self)
        self.sessions = FakeSessions(self)
        self.keys = FakeKeys(self)
        self.documents = FakeDocuments(self)
        self.conversations = FakeConversations(self)
        self.shared_answers = FakeSharedAnswers(self)
        self.people = FakePeople(self)
        self.collecting = FakeCollector()
        self.upkeep = FakeUpkeep()
        self.others_ended = False  # the other processes
        self.stopped: list[str] = []  # conversations
        self.asked: list[str] = []
        self.drawn_ahead: list[tuple[str, int]] = []
        self.options: list[QueryOptions] = []
        self.zones: list[tzinfo] = []
        self.offers: tuple[Offer, ...] | None = ()
        self.models = SimpleNamespace(
            offers=lambda: self.offers, list=lambda choice: [ModelInfo("only-one")]
        )
        self.kept: list[str] = []
        self.passwords: list[str] = []
        self.read: list[Document] = []
        self._keys: dict[str, ApiKey] = {}
        self.added: list[str] = []
        self.error: AppError | None = None
        self.answer: Callable[[str], Answer] = canned_answer
        self._sessions: dict[str, Session] = {}
        self._owners: dict[str, str] = {}
        self._documents: dict[str, dict[str, Document]] = {}
        self._conversations: dict[str, Conversation] = {}
        self._messages: dict[str, list[Message]] = {}
        self._preferences: dict[str, dict[str, Any]] = {}
        self._ids = iter(range(1, 1_000_000))
        self._lock = threading.RLock()
        self.evaluations = FakeEvaluations()

    def put(self, session: Session, document: Document) -> None:
        self._documents[session.id][document.id] = document

    # search and answers

    def search(self, request: AskRequest) -> SearchResult:
        if self.error:
            raise self.error
        return canned_search(request.question, request.options.search or SearchOptions())

    def ask_again(self, request: AskRequest) -> Iterator[Event]:
        self._messages[request.conversation_id or ""].pop()  # `ask` says it again
        return self.ask(request)

    def ask(self, request: AskRequest) -> Iterator[Event]:
        question, conversation_id = request.question, request.conversation_id
        self.asked.append(question)
        self.options.append(request.options)
        self.zones.append(request.zone)
        if conversation_id:
            self._say(conversation_id, "user", question)
        if self.error:
            raise self.error
        answer = self.answer(question)
        if not (scope := request.options.scope).is_whole:
            documents = self.documents.searched(request.session)
            asked = sum(map(scope.holds, documents))
            answer = replace(answer, scope=scope, asked_of=(asked, len(documents)))
        for step in answer.search.steps if answer.search else ():
            time.sleep(self.pace)
            yield step
        for start in range(0, len(answer.text), 24):
            if request.cancelled():
                answer = replace(
                    answer,
                    text=answer.text[:start],
                    complete=False,
                    notices=(Notice("stopped", "You stopped this answer.", level="info"),),
                )
                break
            time.sleep(self.pace)
            yield TextPiece(answer.text[start : start + 24])
        if conversation_id:
            self._say(conversation_id, "assistant", answer.text, answer)
            if question.startswith("SHARE"):  # where nobody signs in no button offers it
                message = self._messages[conversation_id][-1].id
                self.shared_answers.share(request.session, conversation_id, message)
        yield answer

    # the process

    def may_maintain(self, owner_id: str) -> bool:
        return True

    def health(self) -> list[Health]:
        return [
            Health("Catalogue", "ok", "3 sessions in data_main", "", 0.001),
            Health("Embedding model", "ok", "all-MiniLM-L6-v2, 384 dimensions", "", 0.02),
            Health("Reranker", "warning", "Its weights are not here.", "Set RERANKER_MODEL."),
            Health("Language model", "off", "None is set: answers quote the sources.", "Choose."),
            Health("OCR", "error", "It is not installed.", "Run `make install` again."),
        ]

    def ready(self) -> bool:
        return True

    # inside

    def _say(
        self, conversation_id: str, role: Any, text: str, answer: Answer | None = None
    ) -> None:
        with self._lock:
            message = Message(next(self._ids), role, text, now(), answer)
            self._messages[conversation_id].append(message)
            conversation = self._conversations[conversation_id]
            self._conversations[conversation_id] = replace(conversation, updated_at=now())

    def _change(
        self, session: Session, old: Sequence[DocumentState], new: DocumentState
    ) -> int:  # fmt: skip
        changed = [d for d in self._documents[session.id].values() if d.state in old]
        for document in changed:
            self.put(session, replace(document, state=new))
        return len(changed)

    def _work(self, session: Session) -> None:
        """Every look at the documents brings those that are not ready a step further."""
        for document in list(self._documents[session.id].values()):
            if document.state in UNREADY:
                progress = document.progress + (0.2 if self.pace else 1.0)
                ready = progress >= 1
                self.put(
                    session,
                    replace(
                        document,
                        progress=min(progress, 1.0),
                        state=DocumentState.READY if ready else DocumentState.READING,
                        pages=20 if ready else 0,
                        chunks=61 if ready else 0,
                        seconds=1.4,
                    ),
                )


UNREADY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)


def a_document(
    document_id: str, session_id: str, name: str, label: str = "", size: int = 0
) -> Document:
    kinds = {".pdf": DocumentKind.PDF, ".md": DocumentKind.MARKDOWN, ".html": DocumentKind.HTML}
    return Document(
        document_id,
        session_id,
        name,
        label or name,
        kinds.get(Path(name).suffix, DocumentKind.TEXT),
        DocumentState.WAITING,
        size=size,
        added_at=now(),
    )


def a_chunk(document_id: str, ordinal: int, text: str) -> Chunk:
    start = max(PAGE_TEXT.find(text), 0)
    return Chunk(
        f"{document_id}:{ordinal}", document_id, ordinal, 2, 3, start, start + len(text), text,
        ("Storage", "Keeping what was said"),
    )  # fmt: skip


def a_citation(
    number: int, kind: DocumentKind, label: str, quote: str, page: int = 2, **more: Any
) -> Citation:
    text = PAGE_TEXT if kind is DocumentKind.PDF else NOTES_TEXT
    start = max(text.find(quote), 0)
    pdf = kind is DocumentKind.PDF
    fields: dict[str, Any] = {
        "number": number,
        "chunk_id": f"doc-{label}:{number}",
        "document_id": f"doc-{label}",
        "label": label,
        "kind": kind,
        "page_ordinal": page if pdf else 0,
        "page_number": page + 1 if pdf else None,
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "headings": ("Storage", "Keeping what was said") if pdf else ("Glossary",),
        "score": 0.83 - number / 50,
        "passage": text,
    }
    return Citation(**{**fields, **more})


def canned_search(question: str, options: SearchOptions) -> SearchResult:
    hits = []
    for place, label in enumerate(("handbook.pdf", "glossary.md", "measures.html")):
        text = PAGE_TEXT[23:240] if place == 0 else NOTES_TEXT[12:140]
        document = replace(
            a_document(f"doc-{label}", "s", label), state=DocumentState.READY, chunks=61
        )
        hits.append(
            Hit(
                a_chunk(document.id, place, text),
                document,
                dense=0.71 - place / 10,
                dense_rank=place + 1,
                lexical=11.4 - place if place < 2 else None,
                lexical_rank=2 - place if place < 2 else None,
                fused=0.92 - place / 8,
                fused_rank=place + 1,
                rank=place + 1,
                context=text,
            )
        )
    plan = QueryPlan(question, question, (question,))
    by_model = options.min_similarity == "by-model"
    by_meaning = ByMethod("another-model", least=0.52 if by_model else None)
    steps = (
        Step("understood", question, 0.0004),
        Step("dense", by_meaning, 0.021, 100),
        Step("lexical", "BM25", 0.002, 38),
        Step("fuse", f"weighted, {options.dense_weight:g} dense", 0.0003, 112),
        Step("diversify", f"MMR, lambda {options.mmr_lambda:g}", 0.003, options.top_k),
    )
    dropped = (replace(hits[2], rank=None, dropped="too like a better passage"),)
    return SearchResult(plan, tuple(hits[: options.top_k]), dropped, steps)


def canned_answer(question: str) -> Answer:
    if "okapi" in question:
        refused = _refusal(question)
        assert refused.abstention
        near = a_citation(2, DocumentKind.PDF, "zoo.pdf", "It looks like a striped horse.")
        return replace(
            refused,
            unused=(near, *refused.unused),
            abstention=replace(refused.abstention, is_near=True),
        )
    if "zebra" in question:
        return _refusal(question)
    if question.startswith("ECHO "):  # an answerer that writes whatever it is told to
        gone = (a_citation(1, DocumentKind.PDF, "gone.pdf", "x", document_id="gone"),)
        answer = replace(canned_answer(""), question=question, text=question[5:], claims=())
        at = answer.text.find("MARKED")
        answer = replace(answer, highlights=((at, at + 6),) if at >= 0 else ())
        return replace(answer, citations=gone) if "GONE" in question else answer
    if question.startswith("LONG "):  # its only source has a long passage and a long quote
        words = " ".join(f"alongword{n}" for n in range(300))
        quote = " ".join(f"alongword{n}" for n in range(100, 120))
        source = a_citation(1, DocumentKind.MARKDOWN, "glossary.md", quote, passage=words)
        return replace(
            canned_answer(""), question=question, text=f"{question[5:]} [1].", claims=(),
            citations=(source,),
        )  # fmt: skip
    first = "\n".join((PAGE_LINES[2], PAGE_LINES[3].partition(" That")[0]))
    second = "That place is carried from the moment the chunk is\ncut."
    third = "Reciprocal rank fusion adds 1 / (60 + rank) over the lists in which a passage stands."
    text = (
        "A passage is cut from a page with its place: the document, the page, the heading path, "
        "and the span of characters [1]. That place is carried from the moment the chunk is cut "
        "[2].\n\n- **Dense and lexical** scores are fused with equal weights.\n"
        "- It found 1,577 passages [3].\n\nReciprocal rank fusion adds `1 / (60 + rank)` over the "
        "lists in which a passage stands [3]."
    )
    matched = "**Dense and lexical** scores are fused with equal weights."
    wrong = "It found 1,577 passages [3]."
    return Answer(
        question,
        text,
        citations=(
            a_citation(1, DocumentKind.PDF, "handbook.pdf", first),
            a_citation(2, DocumentKind.PDF, "handbook.pdf", second),
            a_citation(3, DocumentKind.MARKDOWN, "glossary.md", third),
        ),
        unused=(
            a_citation(
                4,
                DocumentKind.WEB,
                "measures.html",
                "Dense retrieval compares meanings as vectors.",
                url="https://example.org/measures",
            ),
            a_citation(5, DocumentKind.PDF, "handbook.pdf", "The catalogue is the truth"),
        ),
        claims=(
            Claim(text.index(matched), text.index(matched) + len(matched), (2,), Support.MATCHED),
            Claim(
                text.index(wrong), text.index(wrong) + len(wrong), (3,), Support.UNSUPPORTED,
                "the number 1,577 is not in the source",
            ),
        ),
        search=canned_search(question, SearchOptions()),
        notices=(
            Notice("no-reranker", "Results stay as found.", "Set RERANKER_MODEL.", "info"),
        ),
        seconds=0.84,
        confidence=0.91,
        prompt="SYSTEM: answer only from the sources\nUSER: " + question,
    )  # fmt: skip


def _refusal(question: str) -> Answer:
    return Answer(
        question,
        "I searched and found no answer.",
        unused=(a_citation(1, DocumentKind.PDF, "handbook.pdf", "The catalogue is the truth"),),
        abstention=Abstention("No passage names “zebra”.", 3, 183, (question,)),
        search=canned_search(question, SearchOptions()),
        seconds=0.2,
        confidence=0.08,
    )


def boxes_of(
    spans: Sequence[tuple[int, int]],
) -> tuple[tuple[tuple[float, float, float, float], ...], ...]:
    """The box of each span on the page that `draw_page` draws; a span may be of two lines."""
    font, found = ImageFont.load_default(24), []
    for start, end in spans:
        at, boxes = 0, []
        for place, line in enumerate(PAGE_LINES):
            first, last = max(start - at, 0), min(end - at, len(line))
            if first < last:
                left, right = (130 + font.getlength(line[:cut]) for cut in (first, last))
                y = 620 + place * 42
                boxes.append((left / 1224, (y - 3) / 1584, right / 1224, (y + 31) / 1584))
            at += len(line) + 1
        found.append(tuple(boxes))
    return tuple(found)


def draw_page(
    marked: str,
) -> tuple[bytes, tuple[tuple[float, float, float, float], ...]]:
    """A page of 1224 x 1584 pixels with `PAGE_LINES`, and the boxes of the lines to mark."""
    width, height, left, top, step = 1224, 1584, 130, 620, 42
    image = Image.new("RGB", (width, height), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(24)
    pen.text((left, 120), "Handbook", fill="black", font=ImageFont.load_default(44))
    boxes = []
    for place, line in enumerate(PAGE_LINES):
        y = top + place * step
        pen.text((left, y), line, fill="black", font=font)
        if marked and line and (marked in line or line in marked):
            right = left + pen.textlength(line, font=font)
            boxes.append((left / width, (y - 3) / height, right / width, (y + 31) / height))
    data = BytesIO()
    image.save(data, "PNG")
    return data.getvalue(), tuple(boxes)
