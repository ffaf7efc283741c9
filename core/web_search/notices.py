"""Notices about a search of the web (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.errors import WebSearchError
from core.types import Notice
from core.web_search.results import WebAnswers

_NAMED = 5  # pages that are named; the others are counted


def search_notices(
    found: Sequence[WebAnswers], failures: Sequence[WebSearchError]
) -> Iterator[Notice]:
    """Return the notices of a search that failed or found nothing."""
    results = any(answers.results for answers in found)
    for error in failures[:1]:
        lead = "A part of the web search failed: " if results else "Web search is unavailable: "
        rest = "" if results else " What is here was searched all the same."
        yield Notice("web-search-failed", f"{lead}{error.message}{rest}", error.cure)
    refused = [address for answers in found for address in answers.refused]
    if refused:
        text = f"Left out {count(len(refused), 'result')} whose address is none of the web's."
        yield Notice("web-results-refused", text, "", "info")
    if found and not results and not failures:
        nothing = "nothing else" if refused else "nothing"
        yield Notice(
            "web-nothing-found",
            f"The web search found {nothing}.",
            "Ask in other words, or write the queries yourself.",
            "info",
        )


def left_out(reasons: Sequence[str]) -> Notice:
    """Return the notice about pages that were not read, or only in part."""
    named = "; ".join(reasons[:_NAMED])
    more = f"; and {len(reasons) - _NAMED} more" if len(reasons) > _NAMED else ""
    text = f"Left out {count(len(reasons), 'page')} of the web: {named}{more}."
    return Notice("web-pages-left-out", text, "The steps of the search name each.")


def count(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
