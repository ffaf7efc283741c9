"""What a model wrote, read as a query, a plan or a verdict on hits (pure).

A model may write anything. What comes out of here is always short, plain and without repeats, and
None where nothing usable was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.llm.replies import read_object
from core.text.invisible import clean
from core.text.terms import content_keys
from core.types import Level

LONGEST_QUERY = 300  # characters
MOST_QUERIES = 4
LONGEST_TITLE = 80  # characters
LONGEST_REASON = 160
LONGEST_SUMMARY = 2_000
_LEVELS = {"typed": Level.AS_TYPED, "several": Level.SEVERAL, "depth": Level.IN_DEPTH}
_QUOTES = " \t*`\"'“”„«»"
_SAID = re.compile(
    r"\b(?:quer(?:y|ies)|question|search|frage|suchanfrage|requête|consulta)\b[^:\n{]{0,40}:"
    r"[ \t*]*\n?[ \t]*([^\n{}]{3,300})",
    re.I,
)
"""A query in a plain line: "The rewritten query is: ..."."""
_APOLOGY = re.compile(r"(?:i['’ ]|sorry|unfortunately|as an ai|there is no)", re.I)
_LIVE = re.compile(r"\(?\w+://\S*|!?\[|\]|[<>`]")
"""What could make a link, an image or markup of a title."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PlannedQueries:
    """What a question is after, and one to four queries that look for it."""

    goal: str
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChosenPlan:
    """The level that a model chose, None where it named none, why, and its queries."""

    level: Level | None
    reason: str
    planned: PlannedQueries


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a model thinks of the hits that it was shown.

    `kept` are numbers of hits, from 1; `reasons` say why a hit was kept or dropped. `query` is
    the next one to search, "" for none.
    """

    kept: tuple[int, ...]
    reasons: dict[int, str]
    enough: bool
    query: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an answer, with the question that is answered for it.

    `query` is that question in the language of the library, "" where they have the same language.
    """

    title: str
    question: str
    query: str = ""


def read_sections(text: str, most: int) -> tuple[Section, ...] | None:
    """The first `most` sections that a model planned; () where it wants none, or only one."""
    given = read_object(text)
    planned = _first(given, "sections", "parts", "outline") if given is not None else None
    if not isinstance(planned, list):
        return None
    found: dict[str, Section] = {}
    for one in (one for one in planned if isinstance(one, dict)):
        question = _query(_first(one, "question", "query"))
        if question and distinct([question], list(found)):
            query = _query(one.get("query")) or ""
            title = _title(_first(one, "title", "heading", "name")) or _title(question)
            found[question] = Section(title, question, query)
    sections = tuple(found.values())[:most]
    return sections if len(sections) > 1 else ()


def read_rewrite(text: str) -> str | None:
    """The standalone query that a model wrote, as JSON or in a line that says what it is.

    >>> read_rewrite('Sure! The rewritten query is: "height of the Eiffel Tower"')
    'height of the Eiffel Tower'
    """
    if given := read_object(text):
        return _query(_first(given, "query", "question", "rewritten", "standalone"))
    said = _SAID.search(text)
    return _query(said[1].strip(_QUOTES)) if said else None


def read_line(text: str) -> str | None:
    """The query of a model that was asked for one line: its label, if it has one, is left out."""
    if (query := read_rewrite(text)) is not None:
        return query
    lines = [line.strip().strip(_QUOTES) for line in text.splitlines() if line.strip()]
    if len(lines) != 1 or len(lines[0]) > LONGEST_QUERY or _APOLOGY.match(lines[0]):
        return None
    return _query(lines[0])


def read_queries(text: str) -> PlannedQueries | None:
    """The goal and the queries that a model wrote; either may stand for the other."""
    given = read_object(text)
    if given is None:
        return None
    queries = distinct(_strings(_first(given, "queries", "query", "searches")))[:MOST_QUERIES]
    goal = _query(_first(given, "goal", "question", "intent")) or (queries[0] if queries else None)
    return PlannedQueries(goal, queries or (goal,)) if goal else None


def read_choice(text: str) -> ChosenPlan | None:
    """The level, goal and queries that a model wrote."""
    given, planned = read_object(text), read_queries(text)
    if given is None or planned is None:
        return None
    level = _LEVELS.get(_plain(_first(given, "level", "effort")).casefold())
    return ChosenPlan(level, _plain(_first(given, "reason", "why"))[:LONGEST_REASON], planned)


def read_verdict(text: str, shown: int) -> Verdict | None:
    """What a model says about hits 1 to `shown`; None where it says nothing about them."""
    given = read_object(text)
    if given is None:
        return None
    grades = _first(given, "hits", "grades", "passages", "results", "keep", "kept")
    if not isinstance(grades, list):
        return None
    kept: dict[int, None] = {}
    reasons: dict[int, str] = {}
    for grade in grades:
        number = _number(grade.get("id", grade.get("number")) if isinstance(grade, dict) else grade)
        if number is None or not 1 <= number <= shown:
            continue
        if not isinstance(grade, dict):
            kept[number] = None
            continue
        reasons[number] = _plain(grade.get("reason", ""))[:LONGEST_REASON]
        if _yes(grade.get("keep", grade.get("relevant", grade.get("grade", False)))):
            kept[number] = None
    enough = _yes(_first(given, "enough", "sufficient", "done"))
    query = _query(_first(given, "next_query", "query", "next"))
    return Verdict(tuple(kept), reasons, enough, "" if enough else query or "")


def read_summary(text: str) -> str | None:
    """The summary that a model wrote."""
    given = read_object(text)
    return _plain(_first(given, "summary", "text"))[:LONGEST_SUMMARY] or None if given else None


def distinct(queries: Iterable[str], earlier: Sequence[str] = ()) -> tuple[str, ...]:
    """Queries that differ in more than case, stop words and order, from each other and `earlier`.

    >>> distinct(["Price of apples", "apples price", "Price of pears"])
    ('Price of apples', 'Price of pears')
    """
    seen = {_same(query) for query in earlier}
    found: list[str] = []
    for query in queries:
        if _same(query) not in seen:
            seen.add(_same(query))
            found.append(query)
    return tuple(found)


def _same(query: str) -> frozenset[str]:
    return frozenset(content_keys(query)) or frozenset([query.casefold().strip()])


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [query for item in values if (query := _query(item))]


def _query(value: Any) -> str | None:
    """A query as one short line, None where it says nothing."""
    if isinstance(value, dict):
        value = _first(value, "query", "text", "q")
    text = _plain(value)[:LONGEST_QUERY].strip()
    return text if any(char.isalnum() for char in text) else None


def _title(value: Any) -> str:
    """A title in plain words, "" where there are none."""
    return (_query(_LIVE.sub(" ", _plain(value))) or "")[:LONGEST_TITLE].strip()


def _plain(value: Any) -> str:
    return " ".join(clean(value).text.split()) if isinstance(value, str) else ""


def _first(given: dict[str, Any], *names: str) -> Any:
    folded = {str(key).casefold().replace(" ", "_"): value for key, value in given.items()}
    return next((folded[name] for name in names if name in folded), None)


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    found = _NUMBER.search(value) if isinstance(value, str) else None
    return int(found.group()[:6]) if found else None


def _yes(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in ("true", "yes", "keep", "kept", "relevant", "1")
    return bool(value)
