"""Search the live web for a question, and read and index its pages before the session is searched.

A failure here never affects the search in the documents. Notices report which queries failed,
which pages were not read and why, and what the filter dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.config import Settings
from core.errors import (
    AppError,
    ModelUnavailable,
    WebSearchEnginesFailed,
    WebSearchError,
    WebSearchOff,
)
from core.llm.port import ChatModel
from core.types import Notice, QueryOptions, QueryPlan, SearchResult, SentQuery, Step
from core.types.steps import WebIndexed, WebPageRead, WebQueried, WebSearched
from core.urls import canonical_url, shown_url
from core.web_search.chunks import nearest, numbered
from core.web_search.freshness import asks_for_newest, newest_first
from core.web_search.notices import left_out, search_notices
from core.web_search.page_reader import Outcome, PageReader
from core.web_search.page_store import LivePage, LivePages
from core.web_search.quality import Filtered, QualityFilter
from core.web_search.queries import WebQueries, in_own_words, web_queries
from core.web_search.results import WebAnswers, WebResult, merged
from core.web_search.searxng import SearXNG

Cancelled = Callable[[], bool]
_WHY = {"yours": "yours", "model": "by the model", "words": "of its words"}


@dataclass(frozen=True, slots=True)
class WebFindings:
    """The findings of the web for a question: the queries sent, notices, and quality of pages.

    `quality` maps document ids to 0 to 1 if a classifier judged them.
    """

    sent: tuple[SentQuery, ...] = ()
    notices: tuple[Notice, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)

    def added_to(self, result: SearchResult) -> SearchResult:
        """Return the result of the session's search with the queries and notices of the web.

        Hits of better pages move up a little, newer ones only if the question asks for them.
        """
        hits = result.hits
        if self.quality:
            places = {
                hit.chunk.id: place - 2 * self.quality.get(hit.document.id, 0.5)
                for place, hit in enumerate(hits)
            }
            ordered = sorted(hits, key=lambda hit: places[hit.chunk.id])
            hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1))
        if asks_for_newest(result.plan.goal):
            hits = newest_first(hits, datetime.now(UTC).date())
        sent, notices = (*result.sent, *self.sent), (*self.notices, *result.notices)
        return replace(result, hits=hits, sent=sent, notices=notices)


@dataclass(frozen=True, slots=True)
class _Asked:
    """One query with its answers, or the error."""

    sent: SentQuery
    answers: WebAnswers | None = None
    failure: WebSearchError | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A page after the filter, None if nothing is left of it, with its step."""

    step: Step
    page: LivePage | None = None
    left_out: str = ""
    notice: Notice | None = None
    quality: Mapping[str, float] = field(default_factory=dict)


class WebSearch:
    """Searches the live web; one for each process. Thread-safe; call `close()` when done."""

    def __init__(self, settings: Settings, library: LivePages) -> None:
        self.settings = settings
        self.library = library
        self.searxng = SearXNG(settings)
        self.reader = PageReader(settings)
        self.quality = QualityFilter(settings)

    def close(self) -> None:
        """End the child processes that read pages."""
        self.reader.close()

    def search(
        self,
        session_id: str,
        plan: QueryPlan,
        options: QueryOptions,
        model: ChatModel | None = None,
        cancelled: Cancelled = lambda: False,
        typed: Sequence[str] = (),
    ) -> Generator[Step, None, WebFindings]:
        """Make the web's pages for a plan searchable in the session, and yield the steps.

        No word leaves for a search engine that comes from a document, an answer or the history
        and that the person did not type: in the question, or in one of the messages `typed`.
        Raises `WebSearchOff` if no SearXNG is configured; any other failure is a notice.
        """
        if not self.settings.searxng_url:
            raise WebSearchOff("The live web cannot be searched here.")
        self.reader.warm()
        plan, withheld = in_own_words(plan, (plan.question, *options.queries, *typed))
        queries = yield from self._queries(plan, options, model, withheld, cancelled)
        asked = yield from self._ask(queries, cancelled)
        found = [one.answers for one in asked if one.answers]
        failures = [one.failure for one in asked if one.failure]
        results = merged(found)[: self.settings.web_pages]
        pages = yield from self._read(session_id, results, queries.queries, cancelled)
        return WebFindings(
            tuple(one.sent for one in asked),
            (*queries.notices, *search_notices(found, failures), *pages.notices),
            pages.quality,
        )

    # ---------------------------------------------------------------------------- searching

    def _queries(
        self,
        plan: QueryPlan,
        options: QueryOptions,
        model: ChatModel | None,
        withheld: tuple[str, ...],
        cancelled: Cancelled,
    ) -> Generator[Step, None, WebQueries]:
        began = time.monotonic()
        most, today = self.settings.web_queries, datetime.now().astimezone().date()
        found = web_queries(plan, options, model, most, today, cancelled)
        detail = WebQueried(found.queries, found.by, found.time_range, withheld)
        yield Step("web queries", detail, time.monotonic() - began, len(found.queries))
        return found

    def _ask(
        self, queries: WebQueries, cancelled: Cancelled
    ) -> Generator[Step, None, list[_Asked]]:
        """Send each query to SearXNG; without results in the time range, again for any time."""
        asked: list[_Asked] = []
        for since in dict.fromkeys((queries.time_range, "")):
            for query in queries.queries:
                if cancelled():
                    return asked
                one, step = self._ask_one(query, _why(queries.by, since), since, cancelled)
                asked.append(one)
                yield step
                if one.failure and not isinstance(one.failure, WebSearchEnginesFailed):
                    return asked  # the other queries would fail in the same way
            if any(one.failure or (one.answers and one.answers.results) for one in asked):
                break
        return asked

    def _ask_one(
        self, query: str, why: str, since: str, cancelled: Cancelled
    ) -> tuple[_Asked, Step]:
        began = time.monotonic()
        try:
            answers = self.searxng.search(query, time_range=since, cancelled=cancelled)
        except WebSearchError as error:
            seconds = time.monotonic() - began
            step = Step("web search", WebSearched(query, failure=error.message), seconds, 0)
            return _Asked(SentQuery(query, "web", why, seconds=seconds), failure=error), step
        seconds, count = time.monotonic() - began, len(answers.results)
        step = Step("web search", searched(answers), seconds, count)
        return _Asked(SentQuery(query, "web", why, count, seconds=seconds), answers), step

    # ------------------------------------------------------------------------------ reading

    def _read(
        self,
        session_id: str,
        results: Sequence[WebResult],
        queries: Sequence[str],
        cancelled: Cancelled,
    ) -> Generator[Step, None, WebFindings]:
        """Read pages in parallel and index them as they arrive.

        The reading ends if a store fails, with a notice.
        """
        kept: list[_Kept] = []
        failure: tuple[Notice, ...] = ()
        try:
            self.library.forget_old(session_id)
            wanted: dict[str, WebResult] = {}
            for result in results:
                there = self.library.fresh(session_id, canonical_url(result.url))
                if there is None:
                    wanted[result.url] = result
                else:
                    title = there.title or there.label
                    yield Step("web page", WebPageRead(shown_url(there.url), title, reused=True))
            began, count, passages = time.monotonic(), 0, 0
            seconds = self.settings.web_seconds
            for outcomes in self.reader.read_all(list(wanted), seconds, cancelled):
                arrived = [self._kept(one, wanted[one.url], queries) for one in outcomes]
                kept += arrived
                yield from (one.step for one in arrived)
                ready = [one.page for one in arrived if one.page]
                passages += self.library.add(session_id, ready)
                count += len(ready)
            if results:
                detail = WebIndexed(passages, count)
                yield Step("web indexed", detail, time.monotonic() - began, count)
        except AppError as error:
            what = "What was found on the web could not be used"
            if not results:
                what = "Old pages of the web could not be removed"
            text = f"{what}: {error.message}"
            failure = (Notice("web-failed", text, error.cure),)
        reasons = [one.left_out for one in kept if one.left_out]
        notices = dict.fromkeys(one.notice for one in kept if one.notice)
        said = (*notices, *failure, *((left_out(reasons),) if reasons else ()))
        return WebFindings((), said, {k: v for one in kept for k, v in one.quality.items()})

    def _kept(self, outcome: Outcome, result: WebResult, queries: Sequence[str]) -> _Kept:
        """Return the page with the passages to be indexed."""
        shown = shown_url(outcome.url)
        if outcome.page is None:
            reason = outcome.error.message if outcome.error else "It was not read."
            step = Step("web page", WebPageRead(shown, failure=reason), outcome.seconds, 0)
            return _Kept(step, left_out=f"{shown} ({reason.rstrip('.')})")
        page = _dated(outcome.page, result)
        filtered, notice = self._filtered(page)
        chunks = nearest(filtered.kept, queries, self.settings.web_chunks)
        detail = WebPageRead(
            shown, page.loaded.title, len(chunks), len(page.chunks), filtered.dropped,
            page.loaded.published,
        )  # fmt: skip
        judged = self.settings.web_quality == "model"
        return _Kept(
            Step("web page", detail, outcome.seconds, len(chunks)),
            replace(page, chunks=tuple(numbered(chunks))) if chunks else None,
            f"{shown} (dropped {filtered.words})" if filtered.dropped else "",
            notice,
            {page.id: filtered.quality} if judged else {},
        )

    def _filtered(self, page: LivePage) -> tuple[Filtered, Notice | None]:
        try:
            return self.quality(page.chunks), None
        except ModelUnavailable as error:
            text = f"{error.message} Pages of the web were not filtered."
            return Filtered(page.chunks), Notice("web-quality-off", text, error.cure, "info")


def searched(answers: WebAnswers) -> WebSearched:
    """Return a query with the engines' answers besides results."""
    return WebSearched(
        answers.query,
        next(iter(answers.corrections), ""),
        answers.suggestions[:3],
        next((text for text, _ in answers.answers), ""),
        next((text for text, _ in answers.infoboxes), ""),
        answers.silent,
        len(answers.refused),
    )


def _why(by: str, since: str) -> str:
    return f"{_WHY[by]}, of the last {since}" if since else _WHY[by]


def _dated(page: LivePage, result: WebResult) -> LivePage:
    """Return the page with the engine's date if it has none itself."""
    if page.loaded.published or not result.published:
        return page
    return replace(page, loaded=replace(page.loaded, published=result.published))
