"""Query SearXNG, one query after another for the whole process, with a pause and a breaker.

An instance sends each query to many engines, which answer bursts with captchas; its own limiter
answers them with 429. So the queries of all sessions take turns, recent ones are answered from
memory, and after a failure no query is sent for a while.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from core.config import Settings
from core.errors import (
    AddressNotAllowed,
    BadStatus,
    FetchError,
    FetchTooLarge,
    InvalidUrl,
    WebSearchBadAnswer,
    WebSearchBusy,
    WebSearchEnginesFailed,
    WebSearchError,
    WebSearchForbidden,
    WebSearchLimited,
    WebSearchOff,
    WebSearchUnreachable,
)
from core.urls import parse_url
from core.web_search.results import WebAnswers, read_answers
from scraper.fetch import Fetched, fetch

LONGEST_QUERY = 400
_LARGEST_ANSWER = 4 << 20  # bytes
_REMEMBERED, _REMEMBER_SECONDS = 256, 600.0
_TURN_SECONDS = 20.0  # the longest wait for other queries
_FIRST_PAUSES = {WebSearchLimited: 60.0, WebSearchForbidden: 10.0}
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 900.0


@dataclass
class Breaker:
    """Remembers a failure and raises it again, without a request, until its time is over.

    The time doubles with each further failure, up to a quarter of an hour. `Retry-After` of a
    server takes precedence.
    """

    clock: Callable[[], float] = time.monotonic
    _failure: WebSearchError | None = None
    _until: float = 0.0
    _failures: int = 0

    def check(self) -> None:
        """Raise the failure again if its time is not over."""
        left = self._until - self.clock()
        if self._failure is not None and left > 0:
            text = f"{self._failure.message} It is asked again in {left:.0f} seconds."
            raise type(self._failure)(text, self._failure.cure)

    def failed(self, error: WebSearchError, seconds: float | None = None) -> None:
        """Remember a failure for `seconds`, by default for the usual time of its kind."""
        usual = _FIRST_PAUSES.get(type(error), _FIRST_PAUSE)
        usual = min(usual * 2**self._failures, _LONGEST_PAUSE)
        self._failures += 1
        self._failure = error
        self._until = self.clock() + max(usual, min(seconds or 0.0, _LONGEST_PAUSE))

    def worked(self) -> None:
        """Forget earlier failures."""
        self._failure, self._failures = None, 0

    @property
    def failure(self) -> WebSearchError | None:
        """Return the last failure, if nothing has succeeded since."""
        return self._failure


@dataclass
class SearXNG:
    """The client of one instance; one for each process. Thread-safe."""

    settings: Settings
    breaker: Breaker = field(default_factory=Breaker)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _last: float = 0.0
    _known: OrderedDict[str, tuple[float, WebAnswers]] = field(default_factory=OrderedDict)

    def search(
        self,
        query: str,
        *,
        time_range: str = "",
        cancelled: Callable[[], bool] = lambda: False,
    ) -> WebAnswers:
        """Return the answers to one query, which may be empty.

        `time_range` is day, week, month or year. Raises a `WebSearchError`:
        `WebSearchEnginesFailed` if there is no result and engines did not answer.
        """
        path = self._path(query, time_range)
        waited_since = time.monotonic()
        while not self._turn.acquire(timeout=0.1):
            if cancelled() or time.monotonic() - waited_since > _TURN_SECONDS:
                raise WebSearchBusy("The web search was busy with the queries of others.")
        try:
            if (known := self._remembered(path)) is not None:
                return known
            self.breaker.check()
            time.sleep(max(0.0, self._last + self.settings.searxng_pause - time.monotonic()))
            return self._asked(path, query)
        finally:
            self._turn.release()

    def check(self) -> None:
        """Raise what is wrong with the instance, without querying any engine.

        SearXNG refuses an empty query (400) after it has checked that JSON is enabled (403).
        """
        if not self.settings.searxng_url:
            raise WebSearchOff("No SearXNG is set.")
        try:
            _json(self._get("/search?q=&format=json"))
        except WebSearchBadAnswer as error:
            if getattr(error.__cause__, "status", 0) != 400:
                raise
        if (failure := self.breaker.failure) is not None:
            raise type(failure)(f"The last query failed: {failure.message}", failure.cure)

    def _asked(self, path: str, query: str) -> WebAnswers:
        try:
            found = read_answers(_json(self._get(path)), query, self.settings.web_results)
        except WebSearchError as error:
            wait = getattr(error.__cause__, "retry_after", None)
            self.breaker.failed(error, wait)
            raise
        finally:
            self._last = time.monotonic()
        self.breaker.worked()
        if not found.results and found.silent:
            names = ", ".join(found.silent[:5])
            # SearXNG names the engines that failed, not those that answered; there may be some.
            raise WebSearchEnginesFailed(
                f"Nothing was found, and engines behind SearXNG did not answer: {names}."
            )
        self._known[path] = (time.monotonic(), found)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return found

    def _remembered(self, path: str) -> WebAnswers | None:
        at, found = self._known.get(path, (0.0, None))
        return found if found and time.monotonic() - at < _REMEMBER_SECONDS else None

    def _path(self, query: str, time_range: str) -> str:
        given = {
            "q": neutral(query),
            "format": "json",
            "language": self.settings.searxng_language,
            "time_range": time_range,
            "engines": self.settings.searxng_engines,
            "categories": self.settings.searxng_categories,
        }
        return "/search?" + urlencode({name: value for name, value in given.items() if value})

    def _get(self, path: str) -> Fetched:
        """Send one request. Redirects are not followed: with a bang they lead to other sites."""
        base = self.settings.searxng_url.rstrip("/")
        try:
            return fetch(
                base + path,
                reaching(base, self.settings),
                deadline=time.monotonic() + self.settings.searxng_seconds,
                max_bytes=_LARGEST_ANSWER,
                headers={"Accept": "application/json"},
                follow=False,
            )
        except FetchError as error:
            raise _explained(error) from error


def neutral(query: str) -> str:
    """Return the query without commands of SearXNG: `!engine`, `:language`, `<timeout`.

    >>> neutral("!!w  :de rag <3 <9 a:b != !important")
    'rag 3 9 a:b = important'
    """
    words = (re.sub(r"^[!:<?]+|!!+", "", word) for word in query.split())
    # ":de" by itself is only a command; after other prefixes the word is kept.
    kept = [
        word
        for word, typed in zip(words, query.split(), strict=True)
        if word and not re.fullmatch(r"!!\w+|:[a-z]{2,3}([-_]\w+)?", typed, re.IGNORECASE)
    ]
    return " ".join(kept)[:LONGEST_QUERY]


def reaching(url: str, settings: Settings) -> Settings:
    """Return settings that allow the operator's own server, also in a private network."""
    address = parse_url(url)
    host = f"[{address.host}]" if ":" in address.host else address.host
    return settings.model_copy(update={"allowed_private_hosts": f"{host}:{address.port}"})


def _json(answer: Fetched) -> object:
    if answer.content_type != "application/json":
        kind = answer.content_type or "nothing that is named"
        raise WebSearchBadAnswer(f"What answers at SEARXNG_URL sends {kind}, not results.")
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise WebSearchBadAnswer("SearXNG's answer cannot be read, or it was cut off.") from None


def _explained(error: FetchError) -> WebSearchError:
    """Return the error for a failed request."""
    match error:
        case BadStatus(status=403):
            return WebSearchForbidden("SearXNG does not answer programs (status 403).")
        case BadStatus(status=429):
            return WebSearchLimited("SearXNG's limiter refuses further queries (status 429).")
        case BadStatus(status=status) if status < 500:
            return WebSearchBadAnswer(f"SearXNG did not take the query (status {status}).")
        case BadStatus(status=status):
            return WebSearchUnreachable(f"SearXNG failed (status {status}).")
        case FetchTooLarge():
            return WebSearchBadAnswer("SearXNG's answer is larger than any that it gives.")
        case InvalidUrl() | AddressNotAllowed():
            return WebSearchUnreachable("SEARXNG_URL is no address that can be reached.")
    return WebSearchUnreachable(f"SearXNG does not answer: {error.message}")
