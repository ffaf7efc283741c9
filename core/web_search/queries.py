"""Write the queries for SearXNG: by a model, or from the words of the question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from core.errors import ModelError
from core.llm.port import ChatMessage, ChatModel, complete
from core.text.terms import Term, terms
from core.types import Notice, QueryOptions, QueryPlan
from core.web_search.freshness import time_range
from core.web_search.prompts import WEB_QUERIES, WEB_QUERIES_SCHEMA
from core.web_search.searxng import LONGEST_QUERY

_WORDS = 12
_TOKENS = 300
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,80})[\"”“»]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")


@dataclass(frozen=True, slots=True)
class WebQueries:
    """The queries, who wrote them ("yours", "model", "words"), and the time range of results."""

    queries: tuple[str, ...]
    by: Literal["yours", "model", "words"]
    time_range: str = ""
    notices: tuple[Notice, ...] = ()


def in_own_words(plan: QueryPlan, typed: Iterable[str]) -> tuple[QueryPlan, tuple[str, ...]]:
    """Return the plan as it may leave this machine, and the words that were taken out.

    What completed the question may come from a document or an answer: of such words only those
    stay that the person typed, in one of the messages `typed`.
    """
    messages = tuple(typed)
    own = {term.key for message in messages for term in terms(message)}
    out: dict[str, str] = {}

    def kept(text: str) -> str:
        pieces, end = [], 0
        for term in terms(text):
            if term.kind != "stop" and term.key not in own:
                out.setdefault(term.key, term.form)
                pieces.append(text[end : term.start])
                end = term.end
        pieces.append(text[end:])
        whole = " ".join("".join(pieces).split())
        return whole if any(term.kind != "stop" for term in terms(whole)) else plan.question

    goal = kept(plan.goal)
    queries = tuple(dict.fromkeys(map(kept, plan.queries)))
    return (replace(plan, goal=goal, queries=queries) if out else plan), tuple(out.values())


def web_queries(
    plan: QueryPlan,
    options: QueryOptions,
    model: ChatModel | None,
    most: int,
    today: date,
    cancelled: Callable[[], bool] = lambda: False,
) -> WebQueries:
    """Return the queries for a plan: the person's own, a model's, or content words.

    The model writes them from the goal even where the plan has several: those of a plan hold no
    word that `in_own_words` took out, and a web search engine wants others than an index does.
    """
    newest = time_range(plan.goal)
    if options.queries:
        return WebQueries(_checked(options.queries, most), "yours", newest)
    by_words = WebQueries(_checked(map(keywords, plan.queries), most), "words", newest)
    if model is None:
        return by_words
    try:
        found = _by_model(plan, model, most, today, cancelled)
    except ModelError as error:
        text = f"{error.message} The web was asked for the question's own words."
        notice = Notice("web-queries-by-words", text, error.cure, "info")
        return WebQueries(by_words.queries, "words", newest, (notice,))
    return WebQueries(found, "model", newest) if found else by_words


def keywords(question: str) -> str:
    """Return the content words of a question as written, quoted phrases as phrases.

    A question in a script without spaces is returned as it is.

    >>> keywords("Who built the lantern house of Velmark in 1783?")
    'built lantern house Velmark 1783'
    >>> keywords("What does “exit code 137” mean for Élodie's pod?")
    '"exit code 137" mean Élodie pod'
    """
    if _CJK.search(question):
        return question.strip()
    words: dict[str, str] = {}
    phrases = list(_QUOTED.finditer(question))
    for term in terms(question):
        phrase = next((p for p in phrases if p.start() <= term.start < p.end()), None)
        if phrase is not None:
            words.setdefault(f'"{phrase[1]}', f'"{phrase[1].strip()}"')
        elif term.kind != "stop" or _in_a_name(question, term):
            words.setdefault(term.key, re.sub(r"['’]s$", "", term.form))
    return " ".join(list(words.values())[:_WORDS]) or question.strip()


def _in_a_name(question: str, term: Term) -> bool:
    """Whether a function word is part of a name, such as the "São" of São Paulo."""
    within = any(sign.isalnum() for sign in question[: term.start])
    return within and len(term.form) > 1 and term.form[0].isupper()


def _by_model(
    plan: QueryPlan, model: ChatModel, most: int, today: date, cancelled: Callable[[], bool]
) -> tuple[str, ...]:
    task = WEB_QUERIES.format(
        most=max(most, 1),
        today=today.isoformat(),
        question=plan.goal,
        schema=json.dumps(WEB_QUERIES_SCHEMA),
    )
    text = complete(
        model,
        [ChatMessage("user", task)],
        max_tokens=_TOKENS,
        json_schema=WEB_QUERIES_SCHEMA,
        cancelled=cancelled,
    )
    try:
        given = list(json.loads(text[text.find("{") : text.rfind("}") + 1])["queries"])
    except (ValueError, KeyError, TypeError):
        return ()
    return _checked([query for query in given if isinstance(query, str)], most)


def _checked(queries: Iterable[str], most: int) -> tuple[str, ...]:
    """Return each query once, on one line, none too long, up to the limit."""
    lines = (" ".join(query.split())[:LONGEST_QUERY] for query in queries)
    return tuple(dict.fromkeys(filter(None, lines)))[:most]
