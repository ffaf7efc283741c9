"""From a question to its answer: plan, search (the web too), answer, verify."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.answering.conflicts import with_conflicts
from core.answering.factory import make_answerer
from core.answering.generative.draft import STOPPED
from core.answering.generative.prompts import PRESETS
from core.answering.port import Answerer
from core.answering.recall import recalled
from core.answering.report import Report, together
from core.answering.routes import smalltalk
from core.answering.routes.authors import authors, unnamed
from core.answering.routes.comparison import contrasts, side_by_side, sides_asked, told_of_both
from core.answering.routes.evidence import better, is_settled, not_of, quotes_again, said_again
from core.answering.routes.ledger import ledger_answer, read_through
from core.answering.routes.overview import (
    documents_called,
    matching_documents,
    named_in,
    overview,
)
from core.answering.routes.silence import (
    SCOPE_EMPTY,
    of_another_refusal,
    rare_words,
    unknown_refusal,
    unknown_words,
    with_state,
)
from core.answering.routes.table_rows import of_last, read_tables
from core.answering.routes.tables import table_answer
from core.answering.whole_parts import with_whole_parts
from core.citations.placing import place_citations
from core.config import Settings
from core.errors import AppError
from core.llm.metering import Meter
from core.models.embedding import sentence_embedder
from core.models.vocabulary import common_words
from core.planning.budget import ModelBudget
from core.planning.follow_ups.completing import whole
from core.planning.follow_ups.leaning import leans
from core.planning.other_language import OTHER_LANGUAGE, in_their_language, language_asked
from core.planning.paraphrases import beside, formal_words
from core.planning.parsing import Section
from core.planning.plan import make_plan
from core.planning.routes import Route, Routed, route_of
from core.planning.rules import other_reading
from core.planning.said_about import said_about
from core.planning.sections import plan_sections
from core.planning.spelling import Spelled, without_whole, written_out
from core.planning.table_questions import TableQuestion, table_question, words_of_rows
from core.retrieval.ambiguity import with_ambiguity
from core.retrieval.compounds import with_compounds
from core.retrieval.imports import with_imports
from core.retrieval.presets import PRESETS as WAYS
from core.retrieval.question_pairs import with_answers
from core.retrieval.retriever import Retriever
from core.retrieval.search import search
from core.retrieval.spelling import in_words_of, nearest_word
from core.steps import Recorder
from core.storage.catalogue import Catalogue
from core.types import (
    Answer,
    AskRequest,
    Chunk,
    Cut,
    Document,
    DocumentKind,
    Event,
    Level,
    Notice,
    QueryPlan,
    SearchResult,
    Step,
    TextPiece,
)
from core.types.steps import Planned
from core.web_search.search import WebFindings, WebSearch

_FEWEST_SECTIONS = 2
_TABULAR = frozenset({DocumentKind.CSV, DocumentKind.XLSX, DocumentKind.DATA})
_LARGEST_TABLE = 1_000
"""Passages of a table from which answers are computed: reading one takes up to a second."""
_ALIKE = 0.8
"""How alike (`LexicalIndex.like`) a word must be to one of theirs to be no stranger there."""
_NONE_ASKED = Notice(
    SCOPE_EMPTY,
    "None of the documents is in the scope of this question.",
    "Choose other documents, or all of them.",
)


@dataclass(frozen=True)
class Pipeline:
    """The policy of a whole answer: which stages a question passes, in which order."""

    settings: Settings
    catalogue: Catalogue
    retriever: Callable[[], Retriever]
    web: WebSearch
    suggested: Callable[[str], Sequence[str]] = lambda session_id: ()
    """Questions to begin with in a session, as far as they are there."""

    def search(self, request: AskRequest) -> Generator[Step, None, SearchResult]:
        """Everything before the answer: plan, web, search; with the steps as they are done.

        Raises an `AppError` where neither side of the search works, or the web is asked for and
        no SearXNG is set.
        """
        return (yield from self._searched(request, self._budget(request, Meter())))

    def _budget(self, request: AskRequest, meter: Meter) -> ModelBudget:
        return ModelBudget.of(self.settings, request.model, request.cancelled, meter)

    def _searched(
        self, request: AskRequest, budget: ModelBudget
    ) -> Generator[Step, None, SearchResult]:
        began = time.monotonic()
        options, recorder = request.options, Recorder()
        read = self._spelled(request)
        library = list(self._asked(request).values())
        planning = make_plan(read.question, request.history, options, budget, library)
        plan = yield from recorder.run(planning)
        plan = replace(plan, notices=(*read.notices, *plan.notices))
        if not _is_literal(request) and not options.web:
            plan = self._in_their_words(request, plan)
        yield Step("understood", Planned(plan.asked), time.monotonic() - began)
        return (yield from self._found(request, plan, budget, recorder))

    def _in_their_words(
        self, request: AskRequest, plan: QueryPlan, *, mixed: bool = False
    ) -> QueryPlan:
        """The plan in the language of the documents, where no document has that of the question.

        With `mixed` it is in the language of the others where some have it.
        """
        documents = self._asked(request)
        languages = language_asked(plan.goal, documents.values(), mixed=mixed)
        if not all(languages):
            return plan
        lexical, cut = self.retriever().lexical, self._cut(request)

        def holds(word: str) -> bool:
            return bool(lexical.query(cut.index, word, 1, documents))

        def like(word: str) -> str | None:
            return nearest_word(word, documents, cut, lexical, self.catalogue.content)

        is_word = common_words().__contains__
        return in_their_language(plan, languages, holds, like, is_word, mixed=mixed)

    def _spelled(self, request: AskRequest) -> Spelled:
        """The question with its short forms written out and its mistyped words mended.

        As typed where a model reads it.
        """
        if _is_literal(request) or request.options.web:
            return Spelled(request.question)
        documents = self._asked(request)
        lexical, content = self.retriever().lexical, self.catalogue.content
        question = without_whole(written_out(request.question))
        if all(language_asked(question, documents.values())):
            return Spelled(question)
        return in_words_of(documents, question, self._cut(request), lexical, content)

    def _found(
        self, request: AskRequest, plan: QueryPlan, budget: ModelBudget, recorder: Recorder
    ) -> Generator[Step, None, SearchResult]:
        """What is found for a plan, on the web too where that is asked for."""
        session_id, options = request.session.id, request.options
        web = WebFindings()
        if options.web:
            typed = [one.text for one in request.history if one.role == "user"]
            reading = self.web.search(
                session_id, plan, options, budget.model, request.cancelled, typed
            )
            web = yield from recorder.run(reading)
        if not _is_literal(request):
            words = formal_words(plan.own)
            plan = replace(plan, queries=tuple(beside(query, words) for query in plan.queries))
        retriever = replace(self.retriever(), cut=lambda _: self._cut(request))
        result = yield from recorder.run(search(retriever, session_id, plan, options, budget))
        result = replace(web.added_to(result), steps=tuple(recorder.steps))
        result = replace(
            result, notices=(*result.notices, *_other_cut(request, self._cut(request)))
        )
        return with_ambiguity(with_compounds(result))

    def _cut(self, request: AskRequest) -> Cut:
        """The cut that is searched: that of the question's preset where it stands, whole."""
        standing = self.catalogue.cuts.standing(request.session.id)
        name = request.options.preset
        wanted = WAYS[name].cutting if name else None
        fitting = (one for one in standing if wanted and one.ready and one.cutting.cuts_as(wanted))
        return next(fitting, next(iter(standing), Cut(request.session.id)))

    def ask(self, request: AskRequest) -> Iterator[Event]:
        """Steps and pieces of text, then exactly one `Answer`. Raises as `search` does."""
        meter = Meter(self.settings.prices)
        asked = self._asked_of_named(request)
        for event in meter.counting("embedding", self._events(asked, meter)):
            if isinstance(event, Answer):
                event = replace(event, question=request.question, spent=meter.spent())
            yield event

    def _asked_of_named(self, request: AskRequest) -> AskRequest:
        """What documents are asked to say of something, asked of these alone; else as it is."""
        about = None if _is_literal(request) else said_about(request.question)
        if about is None:
            return request
        scope = request.options.scope
        if about.who:
            documents = list(self._asked(request).values())
            named = documents_called(about.who, documents)
            if not named:
                return request  # "what does Jo Reed say about it"
            if len(named) < len(documents):
                scope = replace(scope, documents=frozenset(one.id for one in named))
        options = replace(request.options, scope=scope)
        return replace(request, question=about.question, options=options)

    def _events(self, request: AskRequest, meter: Meter) -> Generator[Event, None, None]:
        began = time.monotonic()
        options = request.options
        if not (options.queries or options.web) and (answer := self._unsearched(request)):
            answer = self._scoped(request, answer)
            yield from (TextPiece(answer.text), replace(answer, seconds=time.monotonic() - began))
            return
        limit = TimeLimit(began, self.settings.question_seconds, request.cancelled)
        if answer := self._computed(request):
            answer = self._scoped(request, answer)
            yield from (TextPiece(answer.text), replace(answer, seconds=time.monotonic() - began))
            return
        routed = self._routed(request)
        if routed.route is Route.LEDGER and (documents := self._to_read(request, routed)):
            answer = yield from self._read_through(request, routed, documents, limit)
            answer = self._scoped(request, answer)
            yield from (TextPiece(answer.text), replace(answer, seconds=time.monotonic() - began))
            return
        prompt = PRESETS[options.preset or "balanced"]
        embedder = sentence_embedder(self.retriever().embedder)
        answerer = make_answerer(
            request.model, self.settings, embedder, limit.over, prompt=prompt, meter=meter
        )
        recorder, budget = Recorder(), self._budget(request, meter)
        if sections := (yield from recorder.run(self._sections(request, budget))):
            events = self._reported(request, sections, answerer, limit, recorder)
        else:
            events = yield from self._looked_up(request, routed, answerer, budget)
        for event in events:
            if isinstance(event, Answer):
                found = (
                    event
                    if event.search is None
                    else with_conflicts(event, event.search, request.zone)
                )
                answer = self._scoped(request, self._said(request, limit.with_notice(found)))
                answer = place_citations(answer, self.catalogue.content, request.session.id)
                took = time.monotonic() - began
                event = replace(answer, seconds=took)
            yield event

    def _looked_up(
        self, request: AskRequest, routed: Routed, answerer: Answerer, budget: ModelBudget
    ) -> Generator[Step, None, Iterator[Event]]:
        """The events of the answer to one search, or to the reading that it bears out."""
        result = yield from self._searched(request, budget)
        answering = self._answered(request, result, answerer)
        other = self._other_reading(request, result.plan)
        if routed.route is Route.COMPARISON:
            return iter((yield from self._compared(request, routed, answering, answerer)))
        if other is not None:
            answering = iter((yield from self._borne_out(request, answering, other, answerer)))
        if _is_literal(request) or request.options.web:
            return answering
        return iter((yield from self._in_either_language(request, answering, result, answerer)))

    def _in_either_language(
        self,
        request: AskRequest,
        answering: Iterator[Event],
        result: SearchResult,
        answerer: Answerer,
    ) -> Generator[Step, None, list[Event]]:
        """The events of the answer; of a refusal where some documents are in another language, of
        the answer that is found in theirs, else of the refusal, which says so.
        """
        events = list(answering)
        answer = _answer_of(iter(events))
        if answer.abstention is None or result.plan.translated:
            return events
        plan = self._in_their_words(request, result.plan, mixed=True)
        if plan.translated:
            found = yield from self._found(request, plan, ModelBudget(), Recorder())
            other = _answer_of(self._answered(request, found, answerer))
            if other.abstention is None:
                return [TextPiece(other.text), other]
        said = (notice for notice in plan.notices if notice.code == OTHER_LANGUAGE)
        return [*events[:-1], replace(answer, notices=(*answer.notices, *said))]

    def _sections(
        self, request: AskRequest, budget: ModelBudget
    ) -> Generator[Step, None, tuple[Section, ...]]:
        """The sections of an answer in depth, as a model plans them; () for one without."""
        options, settings = request.options, self.settings
        if options.level is not Level.IN_DEPTH or options.queries or options.web:
            return ()
        if budget.model is None:
            return ()
        each = settings.context_tokens + settings.answer_tokens
        searches = min(settings.depth_rounds, settings.question_tokens // each)
        if searches < _FEWEST_SECTIONS:
            return ()
        library = list(self._asked(request).values())
        planning = plan_sections(
            request.question, request.history, budget, library,
            searches=searches, seconds=settings.question_seconds,
        )  # fmt: skip
        return (yield from planning)

    def _reported(
        self,
        request: AskRequest,
        sections: Sequence[Section],
        answerer: Answerer,
        limit: TimeLimit,
        recorder: Recorder,
    ) -> Iterator[Event]:
        """The events of an answer in sections: each is searched, written and checked by itself.

        A section is shown when it is done. Those that the limit leaves no time for are named.
        """
        report, found, reached = Report(), list[SearchResult](), True
        for section in sections:
            if limit.over():
                reached = False
                report.missing.append((section.title, _unreached(request)))
                continue
            asked = replace(request, question=section.question, history=())
            query = section.query or section.question
            plan = QueryPlan(section.question, section.question, (query,))
            try:
                result = yield from self._found(asked, plan, ModelBudget(), recorder)
            except AppError as error:
                if not report.answers:
                    raise
                reached = False
                report.missing.append((section.title, error.message))
                continue
            found.append(result)
            for event in self._answered(asked, result, answerer):
                if isinstance(event, Step):
                    yield event
                elif isinstance(event, Answer) and event.abstention is None and event.text.strip():
                    yield TextPiece(report.add(section.title, event))
                elif isinstance(event, Answer):
                    reached = reached and not limit.over()
                    why = _unreached(request) if limit.over() else "The documents do not say."
                    report.missing.append((section.title, why))
        if (report.answers or not reached) and (end := report.end()):
            yield TextPiece(end)
        plan = QueryPlan(request.question, request.question, (), Level.IN_DEPTH)
        whole = together(SearchResult(plan, (), steps=tuple(recorder.steps)), found)
        searched = _counts(self._asked(request).values())
        stopped = () if reached else (STOPPED,)
        answer = report.answer(whole, searched, stopped, reached=reached)
        yield replace(answer, answerer=answerer.name)

    def _answered(
        self, request: AskRequest, result: SearchResult, answerer: Answerer
    ) -> Iterator[Event]:
        """The events of the answer from what was found."""
        session_id = request.session.id
        content = self.catalogue.content
        result = with_imports(with_answers(result, content, session_id), content, session_id)
        result = with_whole_parts(result, content, session_id)
        history = request.history if result.plan.follows else ()  # a new topic has none
        searched = _counts(self._asked(request).values())
        return answerer.answer(request.question, result, history, searched=searched)

    def _asked(self, request: AskRequest) -> dict[str, Document]:
        """The documents that the question is asked of, by id."""
        ready = self.catalogue.documents.ready(request.session.id)
        return {key: one for key, one in ready.items() if request.options.asks(one)}

    def _library(self, request: AskRequest) -> list[Document]:
        """The person's own documents in the scope of the question, whatever their state."""
        library = self.catalogue.documents.library(request.session.id)
        return [one for one in library if request.options.scope.holds(one)]

    def _scoped(self, request: AskRequest, answer: Answer) -> Answer:
        """The answer with the documents that it was asked of, where these are not all."""
        scope = request.options.scope
        if scope.is_whole:
            return answer
        asked, ready = self._asked(request), self.catalogue.documents.ready(request.session.id)
        # What is in the scope and was not looked into has notices that say why.
        if ready and not asked and answer.search and not self._library(request):
            answer = replace(answer, notices=(*answer.notices, _NONE_ASKED))
        return replace(answer, scope=scope, asked_of=(len(asked), len(ready)))

    def _said(self, request: AskRequest, answer: Answer) -> Answer:
        """The answer with what it could not look into; a refusal where a name is in no document."""
        ready = self._asked(request)
        if answer.answerer == "extractive" and ready and not request.options.web:
            lexical, index = self.retriever().lexical, self._cut(request).index

            def held(word: str) -> bool:
                return bool(lexical.query(index, word, 1, ready))

            unknown = unknown_words(request.question, held)
            if not unknown and any(one.language in ("", "en") for one in ready.values()):
                rare = rare_words(request.question)
                missing = [word for word in rare if not held(word)]
                unknown = tuple(w for w in missing if lexical.like(index, w)[1] < _ALIKE)
            last = _last(request)
            if unknown:
                answer = unknown_refusal(answer, unknown, _counts(ready.values()))
            elif other := not_of(answer, request.question, last):
                answer = of_another_refusal(answer, other, _counts(ready.values()))
            elif last and quotes_again(answer, last):
                answer = said_again(answer, last)
        return with_state(answer, self._library(request))

    def _routed(self, request: AskRequest) -> Routed:
        """The route of a question; own queries and the web are always searched for.

        With a language model, only a ledger is: what it is shown are too few passages to count in.
        """
        options = request.options
        if options.queries or options.web:
            return Routed()
        routed = route_of(request.question, last.route if (last := _last(request)) else "")
        with_model = request.model is not None and bool(request.model.provider)
        return Routed() if with_model and routed.route is not Route.LEDGER else routed

    def _to_read(self, request: AskRequest, routed: Routed) -> dict[str, Document]:
        """The documents that a ledger is to read, by id: those in its scope that are searched."""
        documents = self._asked(request)
        if not routed.scope:
            return documents
        return {one.id: one for one in named_in(routed.scope, list(documents.values()))}

    def _computed(self, request: AskRequest) -> Answer | None:
        """The answer that is computed from all rows of a table, None where none has the column."""
        options = request.options
        question = written_out(request.question)
        reading = whole(question, request.history) if leans(question) else None
        asked = (reading and table_question(reading.goal)) or table_question(question)
        last = _last(request)
        follows = last is not None and last.route == Route.TABLE
        if (asked is None and not follows) or options.queries or options.web:
            return None
        documents, session_id = list(self._asked(request).values()), request.session.id
        content = self.catalogue.content
        tables = [
            table
            for one in documents
            if one.kind in _TABULAR and one.chunks <= _LARGEST_TABLE
            for table in read_tables(one, content.pages(session_id, one.id))
        ]
        tabular = {table.document.id for table in tables}
        others = {
            one.id: one
            for one in documents
            if one.kind is not DocumentKind.CSV and one.id not in tabular
        }

        @cache
        def chunks(document: Document, page: int) -> Sequence[Chunk]:
            return content.page_chunks(session_id, document.id, page)

        continued = of_last(question, tables, last) if follows and last else None
        told = False
        if continued is not None:
            asked, table, told = continued
            tables = [table]
        if asked is None:
            return None
        alone = continued or (tables and not self._stands_elsewhere(request, asked, others))
        answer = table_answer(request.question, asked, tables, chunks, alone=bool(alone), told=told)
        return answer and with_state(answer, self._library(request), whole=True)

    def _stands_elsewhere(
        self, request: AskRequest, asked: TableQuestion, others: Mapping[str, Document]
    ) -> bool:
        """Whether one of the `others` has one of the words that are asked for in a table's rows."""
        words = words_of_rows(written_out(request.question), asked)
        lexical, index = self.retriever().lexical, self._cut(request).index
        found = any(lexical.query(index, word, 1, others) for word in words) or not words
        return bool(others) and found

    def _read_through(
        self,
        request: AskRequest,
        routed: Routed,
        documents: Mapping[str, Document],
        limit: TimeLimit,
    ) -> Generator[Step, None, Answer]:
        """The answer to where a phrase is mentioned, from every passage of the documents."""
        session_id, recorder, content = request.session.id, Recorder(), self.catalogue.content
        retriever, cut = self.retriever(), self.catalogue.cuts.in_force(session_id)
        ledger = yield from recorder.run(
            read_through(
                routed.subjects[0],
                documents,
                content.chunk_batches(session_id, documents.keys()),
                retriever.embedder_of(cut),
                lambda ids: retriever.vectors.vectors(cut.index, ids),
                limit.over,
            )
        )
        embedder = sentence_embedder(retriever.embedder)
        answer = ledger_answer(request.question, ledger, embedder, without=routed.without)
        if answer.search is not None:
            answer = replace(answer, search=replace(answer.search, steps=tuple(recorder.steps)))
        answer = place_citations(limit.with_notice(answer), content, session_id)
        return with_state(answer, self._library(request), whole=True)

    def _compared(
        self, request: AskRequest, routed: Routed, answering: Iterator[Event], answerer: Answerer
    ) -> Generator[Step, None, list[Event]]:
        """The answer to a comparison: one sentence that contrasts, or one of each side."""
        whole = _answer_of(answering)
        if contrasts(whole, routed.subjects):
            answer = replace(whole, route=Route.COMPARISON)
            return [TextPiece(answer.text), answer]
        if told := told_of_both(whole, routed.subjects, routed.aspect):
            return [TextPiece(told.text), told]
        sides = []
        for asked in sides_asked(routed.subjects, routed.aspect):
            side = replace(request, question=asked, history=())
            plan = QueryPlan(asked, asked, (asked,))
            found = yield from self._found(side, plan, ModelBudget(), Recorder())
            sides.append(_answer_of(self._answered(side, found, answerer)))
        answer = side_by_side(whole, routed.subjects, sides, routed.aspect)
        return [TextPiece(answer.text), answer]

    def _other_reading(self, request: AskRequest, plan: QueryPlan) -> QueryPlan | None:
        """The plan of the other reading of a question in a conversation, None without one."""
        options = request.options
        if request.model is not None and request.model.provider:
            return None
        if not request.history or options.queries or options.web:
            return None
        return None if options.level is Level.AS_TYPED else other_reading(plan, request.history)

    def _borne_out(
        self, request: AskRequest, answering: Iterator[Event], plan: QueryPlan, answerer: Answerer
    ) -> Generator[Step, None, list[Event]]:
        """The answer to the reading that the documents bear out."""
        likely, last = _answer_of(answering), _last(request)
        if is_settled(likely, plan.question, last):
            return [TextPiece(likely.text), likely]
        result = yield from self._found(request, plan, ModelBudget(), Recorder())
        other = _answer_of(self._answered(request, result, answerer))
        answer = better(likely, other, plan.question, last)
        return [TextPiece(answer.text), answer]

    def _unsearched(self, request: AskRequest) -> Answer | None:
        """The answer to a message that needs no search, None to one that does."""
        if (answer := recalled(request.question, request.history)) is not None:
            return answer
        session_id, routed = request.session.id, route_of(request.question)
        documents = list(self._asked(request).values())
        if routed.says is not None:
            whole = request.options.scope.is_whole
            suggested = self.suggested(session_id) if whole else ()
            return smalltalk.reply(request.question, routed.says, documents, suggested)
        quotes = request.model is None or not request.model.provider
        if routed.route not in (Route.OVERVIEW, Route.AUTHORS) or not quotes:
            return None
        if routed.scope:
            documents = named_in(routed.scope, documents)
        elif routed.subjects:
            documents = matching_documents(routed.subjects[0], documents)
        elif routed.route is Route.AUTHORS and (last := _last(request)):
            cited = {citation.document_id for citation in last.citations}
            documents = [one for one in documents if one.id in cited]
        if not documents:
            return None
        read = (request.question, documents, self.catalogue.content, session_id)
        if routed.route is Route.OVERVIEW:
            about = overview(*read, request.zone, routed.aspect)
            return about and with_state(about, self._library(request), whole=not routed.scope)
        answer = authors(*read)
        # A name, or "it", may be something that a document tells of; "it" not before anything
        # was asked.
        told = routed.scope or request.history
        return answer or (None if told else unnamed(request.question, documents))


def _other_cut(request: AskRequest, cut: Cut) -> tuple[Notice, ...]:
    """A notice where the documents are not cut as the preset of the question describes."""
    name = request.options.preset
    if not name or cut.cutting.cuts_as(WAYS[name].cutting):
        return ()
    text = f"The documents are not cut as the preset {name} describes: passages are as before."
    return (
        Notice(
            "other-cut", text, "Choose the preset for the session; then wait until it is indexed."
        ),
    )


def _unreached(request: AskRequest) -> str:
    """Why a section was not looked for."""
    return "You stopped it before." if request.cancelled() else "The time was used up."


def _is_literal(request: AskRequest) -> bool:
    """Whether nothing is made of the words of a question: a model reads them, or all are given."""
    by_model = request.model is not None and bool(request.model.provider)
    options = request.options
    return by_model or bool(options.queries) or options.level is Level.AS_TYPED


def _counts(documents: Collection[Document]) -> tuple[int, int]:
    """How many documents they are, and how many chunks they have."""
    return len(documents), sum(one.chunks for one in documents)


def _answer_of(events: Iterator[Event]) -> Answer:
    """The answer at the end of the events."""
    return next(event for event in events if isinstance(event, Answer))


def _last(request: AskRequest) -> Answer | None:
    """The last answer of the conversation."""
    return next((m.answer for m in reversed(request.history) if m.answer is not None), None)


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
        """The answer, with a notice where the limit stopped it, not the model or a failure."""
        others = tuple(notice for notice in answer.notices if notice.code != STOPPED.code)
        if len(others) == len(answer.notices) or self.cancelled() or not self.over():
            return answer
        text = f"This answer took the {self.seconds:g} seconds that a question may take."
        notice = Notice("time-limit", text, "Raise QUESTION_SECONDS, or ask for less at once.")
        return replace(answer, notices=(notice, *others))
