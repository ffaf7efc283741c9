"""The live web for one question: searched, read, indexed in the session, before the search there.

The policy of the stage. Whatever of it fails leaves the search in the documents as it is, and is
said: which queries failed, which pages were not read and why, what the filter dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
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
from core.types import Notice, QueryOptions, QueryPlan, SearchResult, Step
from core.urls import canonical_url, shown_url
from core.web_search.chunks import nearest, numbered
from core.web_search.freshness import asks_for_newest, newest_first
from core.web_search.notices import count as in_words
from core.web_search.notices import left_out, said, search_notices
from core.web_search.page_reader import Outcome, PageReader
from core.web_search.page_store import LivePage, LivePages
from core.web_search.quality import Filtered, QualityFilter
from core.web_search.queries import WebQueries, web_queries
from core.web_search.results import WebAnswers, WebResult, merged
from core.web_search.searxng import SearXNG

Cancelled = Callable[[], bool]
Steps = Generator[Step, None, None]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the web gave for a question: what was done, what is to be told, how good pages are.

    `quality` is of documents by id, 0 to 1, where a classifier judged them.
    """

    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    quality: dict[str, float] = field(default_factory=dict)

    def added_to(self, result: SearchResult) -> SearchResult:
        """The result of the search in the session, with what was done before it.

        Hits of better pages come a little earlier; newer ones only if the question asks so.
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
        steps, notices = (*self.steps, *result.steps), (*self.notices, *result.notices)
        return replace(result, hits=hits, steps=steps, notices=notices)


class WebSearch:
    """Searches the live web; one a process. Thread-safe; `close()` when done."""

    def __init__(self, settings: Settings, library: LivePages) -> None:
        self.settings = settings
        self.library = library
        self.searxng = SearXNG(settings)
        self.reader = PageReader(settings)
        self.quality = QualityFilter(settings)

    def close(self) -> None:
        """End the child processes that read pages."""
        self.reader.close()

    def gather(
        self,
        session_id: str,
        plan: QueryPlan,
        options: QueryOptions,
        model: ChatModel | None = None,
        cancelled: Cancelled = lambda: False,
    ) -> Generator[Step, None, Gathered]:
        """Make what the web says on a plan searchable in the session, with the steps as done.

        Raises `WebSearchOff` where no SearXNG is set; any other failure is a notice.
        """
        if not self.settings.searxng_url:
            raise WebSearchOff("The live web cannot be searched here.")
        self.reader.warm()
        run = _Run(self, session_id, plan, options, cancelled)
        for step in run.steps(model):
            run.done.append(step)
            yield step
        return Gathered(tuple(run.done), tuple(run.notices), run.qualities)


@dataclass
class _Run:
    """One gathering: what it may use, what it has done, and what it has to tell."""

    web: WebSearch
    session_id: str
    plan: QueryPlan
    options: QueryOptions
    cancelled: Cancelled
    done: list[Step] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    qualities: dict[str, float] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def steps(self, model: ChatModel | None) -> Steps:
        """The whole way: queries, results, pages; a store that fails ends it."""
        try:
            self.web.library.forget_old(self.session_id)
            queries = yield from self._queries(model)
            found = yield from self._search(queries)
            yield from self._read(merged(found)[: self.web.settings.web_pages], queries.queries)
        except AppError as error:
            text = f"What was found on the web could not be used: {error.message}"
            self.notices.append(Notice("web-failed", text, error.cure))
        if self.left_out:
            self.notices.append(left_out(self.left_out))

    # ---------------------------------------------------------------------------- searching

    def _queries(self, model: ChatModel | None) -> Generator[Step, None, WebQueries]:
        began = time.monotonic()
        most, today = self.web.settings.web_queries, datetime.now().astimezone().date()
        found = web_queries(self.plan, self.options, model, most, today, self.cancelled)
        self.notices += found.notices
        how = {"yours": "yours", "model": "by the model", "words": "of its words"}[found.by]
        since = f", of the last {found.time_range}" if found.time_range else ""
        detail = f"{' | '.join(found.queries)} ({how}{since})"
        yield Step("web queries", detail, time.monotonic() - began, len(found.queries))
        return found

    def _search(self, queries: WebQueries) -> Generator[Step, None, list[WebAnswers]]:
        """The answers of SearXNG; where nothing new enough is found, of any time."""
        found: list[WebAnswers] = []
        failures: list[WebSearchError] = []
        for since in dict.fromkeys((queries.time_range, "")):
            yield from self._asked(queries.queries, since, found, failures)
            if failures or any(answers.results for answers in found) or self.cancelled():
                break
        self.notices += search_notices(found, failures)
        return found

    def _asked(
        self,
        queries: Sequence[str],
        since: str,
        found: list[WebAnswers],
        failures: list[WebSearchError],
    ) -> Steps:
        """Ask one query after another, into `found` and `failures`."""
        for query in queries:
            if self.cancelled():
                return
            began = time.monotonic()
            try:
                answers = self.web.searxng.search(query, time_range=since, cancelled=self.cancelled)
            except WebSearchError as error:
                failures.append(error)
                yield Step("web search", f"{query}: {error.message}", time.monotonic() - began, 0)
                if isinstance(error, WebSearchEnginesFailed):
                    continue
                return  # the others would fail in the same way
            found.append(answers)
            seconds = time.monotonic() - began
            yield Step("web search", said(answers), seconds, len(answers.results))

    # ------------------------------------------------------------------------------ reading

    def _read(self, results: Sequence[WebResult], queries: Sequence[str]) -> Steps:
        """Pages are read at once, and indexed in the order in which they come."""
        wanted: dict[str, WebResult] = {}
        for result in results:
            there = self.web.library.fresh(self.session_id, canonical_url(result.url))
            if there is None:
                wanted[result.url] = result
            else:
                yield Step("web page", f"{there.title or there.label}: read earlier, used again")
        began, count, passages = time.monotonic(), 0, 0
        seconds = self.web.settings.web_seconds
        for outcomes in self.web.reader.read_all(list(wanted), seconds, self.cancelled):
            ready: list[LivePage] = []
            for outcome in outcomes:
                page, step = self._passages(outcome, wanted[outcome.url], queries)
                ready += [page] if page else []
                yield step
            passages += self.web.library.add(self.session_id, ready)
            count += len(ready)
        if results:
            detail = f"{passages} passages of {in_words(count, 'page')}"
            yield Step("web indexed", detail, time.monotonic() - began, count)

    def _passages(
        self, outcome: Outcome, result: WebResult, queries: Sequence[str]
    ) -> tuple[LivePage | None, Step]:
        """The page with the passages that are to be indexed; None where nothing is left of it."""
        shown = shown_url(outcome.url)
        if outcome.page is None:
            reason = outcome.error.message if outcome.error else "It was not read."
            self.left_out.append(f"{shown} ({reason.rstrip('.')})")
            return None, Step("web page", f"{shown}: {reason}", outcome.seconds, 0)
        page = _dated(outcome.page, result)
        filtered = self._filtered(page)
        chunks = nearest(filtered.kept, queries, self.web.settings.web_chunks)
        told = [f"{len(chunks)} of {len(page.chunks)} passages"]
        told += [f"dropped {filtered.words}"] if filtered.dropped else []
        told += [f"published {page.loaded.published}"] if page.loaded.published else []
        step = Step(
            "web page",
            f"{page.loaded.title or shown} ({shown}): {', '.join(told)}",
            outcome.seconds,
            len(chunks),
        )
        if filtered.dropped:
            self.left_out.append(f"{shown} (dropped {filtered.words})")
        if self.web.settings.web_quality == "model":
            self.qualities[page.id] = filtered.quality
        kept = replace(page, chunks=tuple(numbered(chunks)))
        return (kept if chunks else None), step

    def _filtered(self, page: LivePage) -> Filtered:
        try:
            return self.web.quality(page.chunks)
        except ModelUnavailable as error:
            if not any(notice.code == "web-quality-off" for notice in self.notices):
                text = f"{error.message} Pages of the web were not filtered."
                self.notices.append(Notice("web-quality-off", text, error.cure, "info"))
            return Filtered(page.chunks)


def _dated(page: LivePage, result: WebResult) -> LivePage:
    """The page with the date that the engine knows, where it says none itself."""
    if page.loaded.published or not result.published:
        return page
    return replace(page, loaded=replace(page.loaded, published=result.published))
