"""From a question to its answer: understood, looked for (in the web too), answered, placed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from core.answering.conflicts import with_conflicts
from core.answering.factory import make_answerer
from core.answering.generative.prompts import PRESETS
from core.answering.recall import recalled
from core.citations.passages import placed
from core.config import Settings
from core.llm.port import ChatModel
from core.llm.providers import make_chat_model
from core.planning.budget import Thinking
from core.planning.plan import understand
from core.retrieval.ambiguity import ambiguity
from core.retrieval.multi_query import sent_to_web
from core.retrieval.question_pairs import with_answers
from core.retrieval.retriever import Retriever
from core.retrieval.search import seek
from core.storage.catalogue import Catalogue
from core.types import (
    Answer,
    AskRequest,
    Citation,
    Event,
    ModelChoice,
    Notice,
    SearchResult,
    Session,
    Step,
    TextPiece,
)
from core.web_search.search import Gathered, WebSearch

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
        request: AskRequest,
    ) -> Generator[Step, None, SearchResult]:
        """Everything before the answer: the question understood, the web read, the search."""
        began = time.monotonic()
        session, options, cancelled = request.session, request.options, request.cancelled
        chat = self._chat(request.model)
        thinking = Thinking.within(self.settings, chat, cancelled)
        steps: list[Step] = []
        plan = yield from noted(
            understand(request.question, request.history, options, thinking), steps
        )
        yield Step("understood", plan.goal, time.monotonic() - began)
        found = Gathered()
        if options.web:
            found = yield from self.web.gather(session.id, plan, options, chat, cancelled)
        result = found.added_to(
            (yield from seek(self.retriever(), session.id, plan, options, thinking))
        )
        unclear = ambiguity(plan, result.hits)
        return replace(
            result,
            steps=(*steps, *result.steps),
            sent=(*result.sent, *sent_to_web(found.steps)),
            notices=(*result.notices, *((unclear,) if unclear else ())),
        )

    def ask(
        self,
        request: AskRequest,
    ) -> Iterator[Event]:
        """Steps and pieces of text, then exactly one `Answer`."""
        began = time.monotonic()
        question, history, options = request.question, request.history, request.options
        if (known := recalled(question, history)) and not (options.queries or options.web):
            yield from (TextPiece(known.text), known)
            return
        limit = Limit(began, self.settings.question_seconds, request.cancelled)
        embedder = self.retriever().embedder
        prompt = PRESETS[options.preset or "balanced"]
        answerer = make_answerer(request.model, self.settings, embedder, limit.over, prompt=prompt)
        result = yield from self.search(request)
        if not result.plan.follows:
            history = ()  # a new topic: what was said before would only mislead
        result = self._with_answers(request.session, result)
        searched = self.catalogue.documents.searched_counts(request.session.id)
        for event in answerer.answer(question, result, history, searched=searched):
            if isinstance(event, Answer):
                event = limit.told(with_conflicts(event, result))
                event = replace(event, seconds=time.monotonic() - began)
                event = self._placed(request.session, event)
            yield event

    def _chat(self, choice: ModelChoice | None) -> ChatModel | None:
        if choice is None or not choice.provider:
            return None
        return make_chat_model(choice, self.settings)

    def _with_answers(self, session: Session, result: SearchResult) -> SearchResult:
        return with_answers(
            result,
            lambda document, page: self.catalogue.content.page(session.id, document, page),
            lambda document: self.catalogue.content.chunks(session.id, document),
        )

    def _placed(self, session: Session, answer: Answer) -> Answer:
        """The answer with each citation's headings and anchor at the place of its quote."""

        def place(citation: Citation) -> Citation:
            where = (session.id, citation.document_id, citation.page_ordinal)
            page = self.catalogue.content.page(*where)
            if page is None or not page.headings:
                return citation
            return placed(citation, page.headings, self.catalogue.content.page_chunks(*where))

        return replace(
            answer,
            citations=tuple(map(place, answer.citations)),
            unused=tuple(map(place, answer.unused)),
        )


@dataclass(frozen=True, slots=True)
class Limit:
    """The time that a whole answer may take, beside the person's own wish to stop."""

    began: float
    seconds: float
    cancelled: Cancelled

    def over(self) -> bool:
        """Whether the work is to end."""
        return self.cancelled() or time.monotonic() - self.began >= self.seconds

    def told(self, answer: Answer) -> Answer:
        """The answer, which says so where the time ended it."""
        if answer.complete or self.cancelled() or not self.over():
            return answer
        text = f"This answer took the {self.seconds:g} seconds that a question may take."
        notice = Notice("time-limit", text, "Raise QUESTION_SECONDS, or ask for less at once.")
        others = tuple(notice for notice in answer.notices if notice.code != "stopped")
        return replace(answer, notices=(notice, *others))


def noted(work: Generator[Step, None, T], steps: list[Step]) -> Generator[Step, None, T]:
    """The same work, whose steps are kept in `steps` as well."""
    while True:
        try:
            step = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        steps.append(step)
        yield step


def finished(work: Generator[Step, None, T]) -> T:
    """What a stage returns, where nobody looks at its steps as they are done."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
