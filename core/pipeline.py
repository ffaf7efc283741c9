"""From a question to its answer: plan, search (the web too), answer, verify."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace

from core.answering.conflicts import with_conflicts
from core.answering.factory import make_answerer
from core.answering.generative.prompts import PRESETS
from core.answering.recall import recalled
from core.answering.routes import smalltalk
from core.answering.routes.overview import matching_documents, overview
from core.citations.placing import place_citations
from core.config import Settings
from core.planning.budget import ModelBudget
from core.planning.plan import make_plan
from core.planning.routes import Route, route_of
from core.retrieval.ambiguity import with_ambiguity
from core.retrieval.question_pairs import with_answers
from core.retrieval.retriever import Retriever
from core.retrieval.search import search
from core.steps import Recorder
from core.storage.catalogue import Catalogue
from core.types import Answer, AskRequest, Event, Notice, SearchResult, Step, TextPiece
from core.types.steps import Planned
from core.web_search.search import WebFindings, WebSearch


@dataclass(frozen=True)
class Pipeline:
    """The policy of a whole answer: which stages a question passes, in which order."""

    settings: Settings
    catalogue: Catalogue
    retriever: Callable[[], Retriever]
    web: WebSearch

    def search(self, request: AskRequest) -> Generator[Step, None, SearchResult]:
        """Everything before the answer: plan, web, search; with the steps as they are done.

        Raises an `AppError` where neither side of the search works, or the web is asked for and
        no SearXNG is set.
        """
        began = time.monotonic()
        session_id, options, recorder = request.session.id, request.options, Recorder()
        budget = ModelBudget.of(self.settings, request.model, request.cancelled)
        planning = make_plan(request.question, request.history, options, budget)
        plan = yield from recorder.run(planning)
        yield Step("understood", Planned(plan.goal), time.monotonic() - began)
        web = WebFindings()
        if options.web:
            reading = self.web.search(session_id, plan, options, budget.model, request.cancelled)
            web = yield from recorder.run(reading)
        searching = search(self.retriever(), session_id, plan, options, budget)
        result = yield from recorder.run(searching)
        result = replace(web.added_to(result), steps=tuple(recorder.steps))
        return with_ambiguity(result)

    def ask(self, request: AskRequest) -> Iterator[Event]:
        """Steps and pieces of text, then exactly one `Answer`. Raises as `search` does."""
        began = time.monotonic()
        session_id, question, options = request.session.id, request.question, request.options
        if not (options.queries or options.web) and (answer := self._unsearched(request)):
            yield from (TextPiece(answer.text), replace(answer, seconds=time.monotonic() - began))
            return
        limit = TimeLimit(began, self.settings.question_seconds, request.cancelled)
        prompt, embedder = PRESETS[options.preset or "balanced"], self.retriever().embedder
        answerer = make_answerer(request.model, self.settings, embedder, limit.over, prompt=prompt)
        result = yield from self.search(request)
        result = with_answers(result, self.catalogue.content, session_id)
        history = request.history if result.plan.follows else ()  # a new topic has none
        searched = self.catalogue.documents.searched_counts(session_id)
        for event in answerer.answer(question, result, history, searched=searched):
            if isinstance(event, Answer):
                answer = limit.with_notice(with_conflicts(event, result))
                answer = place_citations(answer, self.catalogue.content, session_id)
                event = replace(answer, seconds=time.monotonic() - began)
            yield event

    def _unsearched(self, request: AskRequest) -> Answer | None:
        """The answer to a message that needs no search, None to one that does."""
        if (answer := recalled(request.question, request.history)) is not None:
            return answer
        session_id, routed = request.session.id, route_of(request.question)
        documents = list(self.catalogue.documents.ready(session_id).values())
        if routed.says is not None:
            return smalltalk.reply(request.question, routed.says, documents)
        quotes = request.model is None or not request.model.provider
        if routed.route is Route.OVERVIEW and quotes and documents:
            if routed.subjects:
                documents = matching_documents(routed.subjects[0], documents)
            if documents:
                return overview(request.question, documents, self.catalogue.content, session_id)
        return None


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """The time that a whole answer may take; `cancelled` ends it earlier."""

    began: float
    seconds: float
    cancelled: Callable[[], bool]

    def over(self) -> bool:
        """Whether the work is to end."""
        return self.cancelled() or time.monotonic() - self.began >= self.seconds

    def with_notice(self, answer: Answer) -> Answer:
        """The answer, with a notice where the limit ended it."""
        if answer.complete or self.cancelled() or not self.over():
            return answer
        text = f"This answer took the {self.seconds:g} seconds that a question may take."
        notice = Notice("time-limit", text, "Raise QUESTION_SECONDS, or ask for less at once.")
        others = tuple(notice for notice in answer.notices if notice.code != "stopped")
        return replace(answer, notices=(notice, *others))
