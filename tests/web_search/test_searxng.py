"""The client of SearXNG: what it sends, what it makes of every kind of answer."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest

from core.config import Settings
from core.errors import (
    WebSearchBadAnswer,
    WebSearchEnginesFailed,
    WebSearchError,
    WebSearchForbidden,
    WebSearchLimited,
    WebSearchUnreachable,
)
from core.web_search.results import WebAnswers, WebResult, merged, read_answers
from core.web_search.searxng import LONGEST_QUERY, Breaker, SearXNG, neutral
from tests.standins.searxng import SearxngStandin, index
from tests.standins.small_web import SmallWeb


def client(standin: SearxngStandin, **values: object) -> SearXNG:
    values = {"searxng_pause": 0.0, "searxng_seconds": 2.0, **values}
    return SearXNG(Settings(searxng_url=standin.url, **values))


def test_results_come_clean_with_their_dates() -> None:
    with SmallWeb() as web, SearxngStandin(index(web)) as standin:
        found = client(standin).search("Who built the lantern house of Velmark?")
    first = found.results[0]
    assert (first.title, first.url) == ("The lantern house of Velmark", f"{web.url}/velmark")
    assert first.published == "2025-03-04"
    assert first.engines == ("standin",)
    assert found.suggestions == ("Who built the lantern house of Velmark? history",)
    assert len(found.results) > 5


def test_what_is_asked() -> None:
    settings = {"searxng_language": "de", "searxng_engines": "a,b", "searxng_categories": "news"}
    with SearxngStandin() as standin:
        client(standin, **settings).search("rag", time_range="week")
    assert standin.requests == [
        {"q": "rag", "format": "json", "language": "de", "time_range": "week", "engines": "a,b",
         "categories": "news"}
    ]  # fmt: skip


def test_an_instance_below_a_path() -> None:
    with SearxngStandin() as standin:
        settings = Settings(searxng_url=f"{standin.url}/searxng/", searxng_pause=0)
        assert SearXNG(settings).search("rag").results == ()


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("!w rag", "w rag"),
        ("!!w rag", "rag"),
        ("rag !!g", "rag"),
        (":de rag", "rag"),
        ("<3 rag", "3 rag"),
        ("a !b :c! <d", "a b c! d"),
        ("was ist ein Äquator?", "was ist ein Äquator?"),
        ("!! :de", ""),
        ("x" * 9_000, "x" * LONGEST_QUERY),
        ("f(a):b a<b C!!", "f(a):b a<b C"),
    ],
)
def test_commands_are_taken_out(typed: str, sent: str) -> None:
    assert neutral(typed) == sent


def test_no_query_of_a_person_is_a_command() -> None:
    with SearxngStandin() as standin:
        client(standin).search("!!w secrets of rag")
    assert standin.requests[0]["q"] == "secrets of rag"


@pytest.mark.parametrize(
    ("mode", "error", "says"),
    [
        ("html-only", WebSearchForbidden, "search.formats"),
        ("limited", WebSearchLimited, "limiter"),
        ("engines-failed", WebSearchEnginesFailed, "standin, other"),
        ("html", WebSearchBadAnswer, "text/html"),
        ("empty", WebSearchBadAnswer, "cannot be read"),
        ("huge", WebSearchBadAnswer, "larger"),
        ("invalid-json", WebSearchBadAnswer, "cannot be read"),
        ("no-results-key", WebSearchBadAnswer, "no SearXNG"),
        ("error", WebSearchUnreachable, "status 500"),
        ("redirect", WebSearchBadAnswer, "status 302"),
    ],
)
def test_failures_are_told_apart(mode: str, error: type[WebSearchError], says: str) -> None:
    with SearxngStandin(mode=mode) as standin, pytest.raises(error) as caught:
        client(standin).search("rag")
    assert says in f"{caught.value.message} {caught.value.cure}"
    assert caught.value.cure


@pytest.mark.parametrize("mode", ["hang", "drip"])
def test_there_is_a_deadline_for_the_whole_answer(mode: str) -> None:
    with SearxngStandin(mode=mode) as standin, pytest.raises(WebSearchUnreachable, match="in time"):
        client(standin, searxng_seconds=0.5).search("rag")


def test_nothing_found_is_no_failure() -> None:
    with SearxngStandin(mode="nothing") as standin:
        assert client(standin).search("rag").results == ()


def test_old_instances_are_understood() -> None:
    with SearxngStandin(mode="old") as standin:
        assert client(standin).search("rag").answers == (("as plain text", ""),)


def test_what_was_asked_a_moment_ago_is_not_asked_again() -> None:
    with SmallWeb() as web, SearxngStandin(index(web)) as standin:
        asking = client(standin)
        assert asking.search("velmark") == asking.search("velmark")
    assert len(standin.requests) == 1


def test_queries_of_all_threads_take_turns_with_a_pause() -> None:
    with SearxngStandin() as standin:
        standin.seconds = 0.05
        asking = client(standin, searxng_pause=0.1)
        threads = [threading.Thread(target=asking.search, args=(f"q {n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    times = sorted(standin.times)
    assert all(later[0] - earlier[1] > 0.08 for earlier, later in itertools.pairwise(times))


def test_the_breaker_waits_longer_each_time_and_believes_the_server() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    error = WebSearchLimited("Refused.")
    waits = []
    for seconds in (None, None, 500.0):
        breaker.failed(error, seconds)
        waits.append(_open_for(breaker, now))
    assert waits == [60, 120, 500]
    breaker.worked()
    breaker.check()
    assert breaker.failure is None


def _open_for(breaker: Breaker, now: list[float]) -> int:
    began = now[0]
    while True:
        try:
            breaker.check()
        except WebSearchLimited:
            now[0] += 1
        else:
            return int(now[0] - began)


@pytest.mark.parametrize(
    ("mode", "error"),
    [("html-only", WebSearchForbidden), ("html", WebSearchBadAnswer), ("ok", None)],
)
def test_the_check_asks_no_engine(mode: str, error: type[WebSearchError] | None) -> None:
    with SearxngStandin(mode=mode) as standin:
        _raises(client(standin).check, error)
    assert [request.get("q") for request in standin.requests] == [None]


def test_the_check_of_an_instance_that_is_down() -> None:
    with pytest.raises(WebSearchUnreachable):
        SearXNG(Settings(searxng_url="http://127.0.0.1:9")).check()


def _raises(work: Callable[[], object], error: type[WebSearchError] | None) -> None:
    if error is None:
        work()
        return
    with pytest.raises(error):
        work()


# ------------------------------------------------------------------------------- reading answers


def test_hostile_results_become_plain_text_or_nothing() -> None:
    data = {
        "results": [
            {"url": "javascript:alert(1)", "title": "x"},
            {"url": "file:///etc/passwd", "title": "x"},
            {"url": "http://a.example/\\@b.example/", "title": "x"},
            {"title": "no address"},
            "no object",
            {"url": "https://a.example/1?utm_source=x", "title": "<script>alert(1)</script>T"},
            {"url": "https://a.example/1", "title": "the same page"},
            {"url": "https://a.example/2", "content": "<b>x</b> " * 300_000, "title": None},
            {"url": "https://a.example/3", "title": "&lt;img src=x&gt; t", "engines": "one"},
            {"url": "https://a.example/4", "publishedDate": "2026-02-03T10:00:00", "score": "x"},
        ],
        "unresponsive_engines": [["google", "Zugriff verweigert"], "old", 7],
    }
    found = read_answers(data, "q", 20)
    assert [result.title for result in found.results] == [
        "alert(1) T", "https://a.example/2", "t", "https://a.example/4"
    ]  # fmt: skip
    assert len(found.results[1].snippet) <= 1_000
    assert found.results[3].published == "2026-02-03"
    assert found.silent == ("google", "old")
    assert len(found.refused) == 4
    assert all("<" not in result.title + result.snippet for result in found.results)


def test_pages_that_several_queries_find_come_first() -> None:
    def answers(*urls: str) -> WebAnswers:
        return WebAnswers("q", tuple(WebResult(f"http://e.org/{url}", url) for url in urls))

    order = [result.title for result in merged([answers("a", "b", "c"), answers("c", "d")])]
    assert order == ["c", "a", "b", "d"]


def test_queries_are_encoded() -> None:
    path = SearXNG(Settings(searxng_url="http://e.org"))._path("a&b=c é", "")
    assert parse_qs(path.partition("?")[2])["q"] == ["a&b=c é"]
