"""Questions to ask next that the documents answer: made by rule, asked, and kept if answered."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from core.answering.routes.overview import MOST
from core.answering.suggestions.questions import Suggestion, answers, suggestions
from core.errors import AppError
from core.ingestion.samples import sample_questions
from core.storage.stores import Stores
from core.supervision import in_background
from core.types import Answer, AskRequest, Citation, Document, Page, Session

KEPT, KEPT_AFTER = 4, 3
"""Questions for a library, and after an answer."""
_ASKED, _ASKED_AFTER = 20, 12  # questions that are tried for them
_LOOK_SECONDS = 0.5
_DOCUMENTS = 8
_PAGES = 15
_LETTERS = 40_000  # of a page
_BEFORE, _AFTER = 6_000, 15_000  # characters around what is cited
_REMEMBERED = 200  # libraries and pages
_ENDING_SECONDS = 10.0

Key = tuple[str, ...]


class Suggestions:
    """Suggestions for libraries and after answers, made in the background when first needed.

    They are remembered by what the session's search looks into, so a new document makes new ones.
    One list is made at a time, and people's own questions come first: while `busy` nothing is
    asked, and what is being asked is given up and asked again later. `ask` returns None where its
    request was cancelled. Thread-safe.
    """

    def __init__(
        self, stores: Stores, ask: Callable[[AskRequest], Answer | None], busy: Callable[[], bool]
    ) -> None:
        self._stores, self._ask, self._busy = stores, ask, busy
        self._made: OrderedDict[Key, tuple[str, ...]] = OrderedDict()
        self._threads: dict[Key, threading.Thread] = {}
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._closing = threading.Event()

    def of_library(self, session: Session) -> list[str] | None:
        """Return questions to begin with; None while they are being made."""
        if self._has_samples(session.id):
            return sample_questions(self._stores.settings)
        documents = self._documents(session.id)
        key = ("library", session.id, _digest(documents))
        return self._get(key, session, lambda: self._from_library(session.id, documents))

    def after(self, session: Session, answer: Answer) -> list[str] | None:
        """Return questions that what an answer cites answers too; None while they are made."""
        if answer.abstention is not None or not answer.citations:
            return []
        cited = answer.citations[0]
        documents = {one.id: one for one in self._documents(session.id)}
        document = documents.get(cited.document_id)
        if document is None:
            return []
        place = (document.id, str(cited.page_ordinal), str(cited.start))
        key = ("after", session.id, _digest(documents.values()), *place)
        found = self._get(
            key, session, lambda: self._from_pages(self._around(document, cited), document)
        )
        asked = answer.question.casefold()
        return None if found is None else [one for one in found if one.casefold() != asked]

    def known(self, session_id: str) -> list[str]:
        """Return the questions for a library that are there already; nothing is made for it."""
        if self._has_samples(session_id):
            return sample_questions(self._stores.settings)
        key = ("library", session_id, _digest(self._documents(session_id)))
        with self._lock:
            return list(self._made.get(key, ()))

    def close(self) -> None:
        """End what is being made, and wait for it."""
        self._closing.set()
        with self._lock:
            threads = list(self._threads.values())
        for thread in threads:
            thread.join(_ENDING_SECONDS)

    # ------------------------------------------------------------------------------ making

    def _get(
        self, key: Key, session: Session, candidates: Callable[[], Iterable[Suggestion]]
    ) -> list[str] | None:
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return list(self._made[key])
            if key not in self._threads and not self._closing.is_set():
                self._threads[key] = in_background(
                    "suggestions",
                    lambda: self._make(key, session, candidates),
                    lambda error: self._keep(key, ()),
                )
            return None

    def _make(
        self, key: Key, session: Session, candidates: Callable[[], Iterable[Suggestion]]
    ) -> None:
        kept: list[str] = []
        after = key[0] == "after"
        most, wanted = (_ASKED_AFTER, KEPT_AFTER) if after else (_ASKED, KEPT)
        with self._turn:
            try:
                for asked, one in enumerate(candidates()):
                    if asked >= most or len(kept) >= wanted:
                        break
                    answer = self._answer(session, one.question)
                    if answer is None:
                        break
                    if answers(answer, one):
                        kept.append(one.question)
                if not after and len(kept) < wanted:
                    kept += self._about(session.id)
            except AppError:  # a store or a model that fails: there is nothing to suggest
                kept = []
            finally:
                self._keep(key, kept)

    def _answer(self, session: Session, question: str) -> Answer | None:
        """The answer, made while nobody else asks; None where the program ends."""
        request = AskRequest(session, question, cancelled=self._given_up)
        while not self._closing.is_set():
            if self._busy():
                self._closing.wait(_LOOK_SECONDS)
            elif (answer := self._ask(request)) is not None:
                return answer
        return None

    def _about(self, session_id: str) -> list[str]:
        """What every library can be asked, in its language: an overview answers it."""
        documents = self._documents(session_id)
        if not documents:
            return []
        german = all(document.language == "de" for document in documents)
        if len(documents) > MOST:
            return ["Welche Dokumente gibt es?" if german else "Which documents are there?"]
        return ["Worum geht es?" if german else "What is this about?"]

    def _given_up(self) -> bool:
        return self._busy() or self._closing.is_set()

    def _keep(self, key: Key, questions: Sequence[str]) -> None:
        with self._lock:
            self._made[key] = tuple(questions)
            self._threads.pop(key, None)
            while len(self._made) > _REMEMBERED:
                self._made.popitem(last=False)

    # -------------------------------------------------------------------------- candidates

    def _from_library(self, session_id: str, documents: Sequence[Document]) -> list[Suggestion]:
        """What the beginnings of some documents give, in turns, definitions and facts first."""
        step = max(1, len(documents) // _DOCUMENTS)
        lists = [
            self._from_pages(self._beginning(document), document)
            for document in documents[::step][:_DOCUMENTS]
        ]
        found = Counter(one.question for of_one in lists for one in of_one)
        turns = [one for one in chain.from_iterable(zip_longest(*lists)) if one is not None]
        own = [one for one in turns if found[one.question] == 1]  # a running foot is in several
        return _varied(own)

    def _from_pages(self, pages: Iterable[Page], document: Document) -> list[Suggestion]:
        return _varied(suggestions(document.id, document.language, pages))

    def _beginning(self, document: Document) -> Iterator[Page]:
        for ordinal in range(min(_PAGES, document.pages)):
            yield from self._page(document, ordinal, 0, _LETTERS)

    def _around(self, document: Document, cited: Citation) -> Iterator[Page]:
        """What stands around a quote, on its page and on two before and behind it."""
        start = max(0, cited.start - _BEFORE)
        yield from self._page(document, cited.page_ordinal, start, cited.start + _AFTER)
        for away in (1, -1, 2, -2):
            if (ordinal := cited.page_ordinal + away) >= 0:
                yield from self._page(document, ordinal, 0, _BEFORE)

    def _page(self, document: Document, ordinal: int, start: int, end: int) -> Iterator[Page]:
        """A stretch of a page with its headings; nothing where there is no such page."""
        page = self._stores.catalogue.content.page(document.session_id, document.id, ordinal)
        if page is not None and not self._closing.is_set():
            headings = tuple(one for one in page.headings if start <= one.offset < end)
            yield replace(page, text=page.text[start:end], headings=headings)

    def _documents(self, session_id: str) -> list[Document]:
        ready = self._stores.catalogue.documents.ready(session_id).values()
        return [document for document in ready if document.expires_at is None]

    def _has_samples(self, session_id: str) -> bool:
        preferences = self._stores.catalogue.sessions.preferences(session_id)
        return bool(preferences.get("samples"))


def _varied(found: Iterable[Suggestion]) -> list[Suggestion]:
    """The questions of sentences first, those of each kind (what, when, how many) in turns."""
    kinds: dict[tuple[bool, str], list[Suggestion]] = {}
    for one in found:
        kind = " ".join(one.question.split()[:2])
        kinds.setdefault((bool(one.heading), kind), []).append(one)
    of_sentences = [ones for (headed, _), ones in kinds.items() if not headed]
    of_headings = [ones for (headed, _), ones in kinds.items() if headed]
    turns = chain(chain.from_iterable(zip_longest(*of_sentences)), *of_headings)
    return [one for one in turns if one is not None]


def _digest(documents: Iterable[Document]) -> str:
    return hashlib.sha256("\n".join(document.id for document in documents).encode()).hexdigest()
