"""From a question to its answer: understood, looked for (in the web too), answered, placed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from core.answering.answerers import make_answerer
from core.answering.places import placed
from core.answering.prompts import PRESETS
from core.config import Settings
from core.models.chat import ChatModel, make_chat_model
from core.models.choice import ModelChoice
from core.retrieval.hybrid import Retriever
from core.retrieval.seeking import seek
from core.retrieval.understanding import understand
from core.retrieval.web import Gathered, WebSearch
from core.storage.catalogue import Catalogue
from core.types import Answer, Citation, Event, Message, SearchResult, Session, Step, Wish

Cancelled = Callable[[], bool]
T = TypeVar("T")


@dataclass(frozen=True)
class Asker:
    """Answers questions about the documents of a session; the policy of a whole answer."""

    settings: Settings
    catalogue: Catalogue
    retriever: Callable[[], Retriever]
    web: WebSearch

    def search(
        self,
        session: Session,
        question: str,
        wish: Wish,
        history: Sequence[Message] = (),
        model: ModelChoice | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> Generator[Step, None, SearchResult]:
        """Everything before the answer: the question understood, the web read, the search."""
        began = time.monotonic()
        chat = self._chat(model)
        plan = yield from understand(question, history, wish, chat, cancelled)
        yield Step("understood", plan.goal, time.monotonic() - began)
        found = Gathered()
        if wish.web:
            found = yield from self.web.gather(session.id, plan, wish, chat, cancelled)
        result = yield from seek(self.retriever(), session.id, plan, wish, chat, cancelled)
        return found.added_to(result)

    def ask(
        self,
        session: Session,
        question: str,
        wish: Wish,
        history: Sequence[Message] = (),
        model: ModelChoice | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> Iterator[Event]:
        """Steps and pieces of text, then exactly one `Answer`."""
        began = time.monotonic()
        embedder = self.retriever().embedder
        prompt = PRESETS[wish.preset]
        answerer = make_answerer(model, self.settings, embedder, cancelled, prompt=prompt)
        result = yield from self.search(session, question, wish, history, model, cancelled)
        searched = self.catalogue.counts(session.id)
        for event in answerer.answer(question, result, history, searched=searched):
            if isinstance(event, Answer):
                event = self._placed(session, replace(event, seconds=time.monotonic() - began))
            yield event

    def _chat(self, choice: ModelChoice | None) -> ChatModel | None:
        if choice is None or not choice.provider:
            return None
        return make_chat_model(choice, self.settings)

    def _placed(self, session: Session, answer: Answer) -> Answer:
        """The answer with each citation's headings and anchor at the place of its quote."""

        def place(citation: Citation) -> Citation:
            where = (session.id, citation.document_id, citation.page_ordinal)
            page = self.catalogue.page(*where)
            if page is None or not page.headings:
                return citation
            return placed(citation, page.headings, self.catalogue.page_chunks(*where))

        return replace(
            answer,
            citations=tuple(map(place, answer.citations)),
            unused=tuple(map(place, answer.unused)),
        )


def finished(work: Generator[Step, None, T]) -> T:
    """What a stage returns, where nobody looks at its steps as they are done."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
