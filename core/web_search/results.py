"""Parse the answers of SearXNG, in both of its formats, as untrusted data (pure).

Titles and snippets arrive with markup in them; addresses may be of any scheme. Values that are
missing or of the wrong type count as empty.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InvalidUrl, WebSearchBadAnswer
from core.urls import canonical_url, parse_url

_TAG = re.compile(r"<[^<>]{0,500}>")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TITLE, _SNIPPET = 300, 1_000  # characters
_K = 60


@dataclass(frozen=True, slots=True)
class WebResult:
    """One result. `published` is YYYY-MM-DD, "" if unknown; `score` is the instance's own."""

    url: str
    title: str
    snippet: str = ""
    engines: tuple[str, ...] = ()
    published: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class WebAnswers:
    """The answer to one query. `refused` names results whose address is not a web address.

    `answers` and `infoboxes` are the engines' own texts as (text, address): they are shown and
    never cited, since their sources are not read. `silent` are the engines that did not answer.
    """

    query: str
    results: tuple[WebResult, ...] = ()
    suggestions: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    infoboxes: tuple[tuple[str, str], ...] = ()
    silent: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def read_answers(data: Any, query: str, most: int) -> WebAnswers:
    """Return the answer to a query with up to `most` results, each address once.

    Raises `WebSearchBadAnswer` if it does not have the form of SearXNG's API.
    """
    if not isinstance(data, dict) or not isinstance(data.get("results"), list):
        raise WebSearchBadAnswer("What answers at SEARXNG_URL is no SearXNG: it sends no results.")
    found: dict[str, WebResult] = {}
    refused: list[str] = []
    for entry in data["results"]:
        if not isinstance(entry, dict):
            continue
        try:
            result = _result(entry)
            found.setdefault(canonical_url(result.url), result)
        except InvalidUrl:
            refused.append(_text(entry.get("url"), 100) or "a result without an address")
    return WebAnswers(
        query,
        tuple(found.values())[:most],
        suggestions=_texts(data.get("suggestions")),
        corrections=_texts(data.get("corrections")),
        answers=_said(data.get("answers"), "answer"),
        infoboxes=_said(data.get("infoboxes"), "content"),
        silent=_silent(data.get("unresponsive_engines")),
        refused=tuple(refused),
    )


def merged(found: Sequence[WebAnswers]) -> list[WebResult]:
    """Return the results of several queries, best first, each page once.

    By reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009; k = 60, ranks from 1):
    the scores of an instance have no bound and cannot be compared between queries.
    """
    scores: dict[str, float] = {}
    results: dict[str, WebResult] = {}
    for answers in found:
        for rank, result in enumerate(answers.results, 1):
            key = canonical_url(result.url)
            scores[key] = scores.get(key, 0.0) + 1 / (_K + rank)
            known = results.setdefault(key, result)
            if not known.published and result.published:
                results[key] = replace(known, published=result.published)
    return [results[key] for key in sorted(results, key=lambda key: -scores[key])]


def _result(entry: dict[str, Any]) -> WebResult:
    url = entry.get("url")
    if not isinstance(url, str):
        raise InvalidUrl("The result has no address.")
    parse_url(url)
    published = entry.get("publishedDate") or entry.get("pubdate") or ""
    date = _DATE.match(published) if isinstance(published, str) else None
    score = entry.get("score")
    return WebResult(
        url.strip(),
        _text(entry.get("title"), _TITLE) or url.strip()[:_TITLE],
        _text(entry.get("content"), _SNIPPET),
        tuple(sorted(_texts(entry.get("engines") or [entry.get("engine")]))),
        date[0] if date else "",
        float(score) if isinstance(score, int | float) else 0.0,
    )


def _text(value: Any, most: int) -> str:
    """Return a value as plain text: without markup, on one line, up to `most` characters."""
    if not isinstance(value, str):
        return ""
    text = html.unescape(_TAG.sub(" ", value[: most * 8]))
    return " ".join(_TAG.sub(" ", text).split())[:most]


def _texts(value: Any) -> tuple[str, ...]:
    entries: Iterable[Any] = value if isinstance(value, list) else ()
    return tuple(text for entry in entries if (text := _text(entry, 200)))[:20]


def _said(value: Any, name: str) -> tuple[tuple[str, str], ...]:
    """Return answers or infoboxes: objects, or plain strings from old instances."""
    found = []
    for entry in value if isinstance(value, list) else ():
        data = entry if isinstance(entry, dict) else {name: entry}
        if text := _text(data.get(name), _SNIPPET):
            found.append((text, _text(data.get("url"), 500)))
    return tuple(found[:5])


def _silent(value: Any) -> tuple[str, ...]:
    """Return names only: the reasons are in the instance's language."""
    entries = value if isinstance(value, list) else ()
    names = (entry[0] if isinstance(entry, list) and entry else entry for entry in entries)
    return tuple(text for name in names if (text := _text(name, 60)))
