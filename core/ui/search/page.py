"""The Search page: the hits of a search with every stage's score, and the settings at hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import streamlit as st

from core.citations.passages import citation_of
from core.retrieval.presets import PRESETS
from core.types import AskRequest, Level, QueryOptions, SearchOptions, SearchResult
from core.ui.answer import views
from core.ui.answer.search_view import EFFORTS
from core.ui.answer.sheet import show_sheet
from core.ui.chat.effort_switch import EFFORT_HELP, current_level, effort_key
from core.ui.chat.language_model import current_choice
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors

LONGEST_QUERY = 2_000
_IN_ADDRESS = "query"
_LINKED = "query-in-address"
_MODES: dict[Literal["hybrid", "dense", "lexical"], str] = {
    "hybrid": "Both",
    "dense": "Meaning",
    "lexical": "Words",
}
_FUSIONS: dict[Literal["weighted", "rrf"], str] = {
    "weighted": "Score",
    "rrf": "Rank",
}


@dataclass(frozen=True, slots=True)
class Searched:
    """The last search of this tab."""

    session_id: str
    question: str
    options: SearchOptions
    result: SearchResult
    seconds: float
    level: Level = Level.AUTO


def show_search(context: PageContext) -> None:
    """The query, its settings, and the hits; the address of the page names the query."""
    linked = _take_link()
    with (
        st.form("search", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        question = st.text_input(
            "Query",
            key="query",
            max_chars=LONGEST_QUERY,
            placeholder='Words, a question, or a "quoted phrase"',
            persist_state="session",
        )
        pressed = st.form_submit_button("Search", type="primary", icon=":material/search:")
    level = _level(context)
    options = _settings(context.service.sessions.search_options(context.session))
    _chat_settings(context, options, level)
    last = _last(context)
    own = st.session_state.pop("own-queries", ())
    changed = last and (last.options, last.level) != (options, level)
    if question.strip() and (pressed or changed or own or linked):
        with show_errors(), st.spinner("Searching"):
            last = _search(context, question, options, level, own)
            st.session_state["searched"] = last
    if last:
        _put_in_address(last.question)
        _hits(context, last)


def _take_link() -> bool:
    """Whether the address names a query that this tab has not searched; it is put into the box."""
    linked = st.query_params.get(_IN_ADDRESS, "")[:LONGEST_QUERY]
    if not linked.strip() or linked == st.session_state.get(_LINKED):
        return False
    st.session_state["query"] = st.session_state[_LINKED] = linked
    return True


def _put_in_address(question: str) -> None:
    st.session_state[_LINKED] = question
    if st.query_params.get(_IN_ADDRESS) != question:
        st.query_params[_IN_ADDRESS] = question


def _level(context: PageContext) -> Level:
    """The effort for understanding the query; it begins with that of the chat."""
    efforts = list(EFFORTS)
    return st.selectbox(
        "Effort",
        efforts,
        index=efforts.index(current_level(context)),
        format_func=EFFORTS.__getitem__,
        key="search-level",
        help=EFFORT_HELP,
        width=240,
    )


def _search(
    context: PageContext, question: str, options: SearchOptions, level: Level, own: Sequence[str]
) -> Searched:
    began = time.monotonic()
    model = (
        current_choice(context.service, context.session) if level is not Level.AS_TYPED else None
    )
    wanted = QueryOptions(search=options, level=level, queries=tuple(own))
    request = AskRequest(context.session, question, options=wanted, model=model)
    result = context.service.search(request)
    seconds = time.monotonic() - began
    return Searched(context.session.id, question, options, result, seconds, level)


def _search_with(queries: list[str]) -> None:
    """Search in the coming run with queries that a person edited."""
    st.session_state["own-queries"] = tuple(queries)


def _last(context: PageContext) -> Searched | None:
    last = st.session_state.get("searched")
    if isinstance(last, Searched) and last.session_id == context.session.id:
        return last
    return None


def _hits(context: PageContext, last: Searched) -> None:
    if not last.result.hits:
        st.text("Nothing was found. Only documents that are ready and ticked are searched.")
    found = [
        citation_of(number, hit, hit.chunk.start, hit.chunk.end)
        for number, hit in enumerate(last.result.hits, start=1)
    ]
    content = views.hits_view(last.result, last.seconds)
    show_sheet(context, content, {"hits": found}, key="search-hits", again=_search_with)


def _settings(start: SearchOptions) -> SearchOptions:
    """The settings as the person has set them; they begin with those of the chat."""
    with st.expander("Settings", icon=":material/tune:"):
        left, right = st.columns(2, gap="large")
        with left:
            mode = st.segmented_control(
                "Search by",
                list(_MODES),
                default=start.mode,
                format_func=_MODES.__getitem__,
                key="search-mode",
                help="Meaning finds other words for the same thing. Words finds names and numbers "
                "as they are typed.",
                required=True,
            )
            fusion = st.segmented_control(
                "Combine both by",
                list(_FUSIONS),
                default=start.fusion,
                format_func=_FUSIONS.__getitem__,
                key="search-fusion",
                disabled=mode != "hybrid",
                required=True,
            )
            weight = st.slider(
                "Weight of meaning against words",
                0.0,
                1.0,
                start.dense_weight,
                0.05,
                key="search-weight",
                disabled=mode != "hybrid" or fusion != "weighted",
            )
            similarity = st.slider(
                "Least likeness in meaning",
                0.0,
                1.0,
                max(0.0, start.min_similarity),
                0.05,
                key="search-similarity",
                disabled=mode == "lexical",
                help="Passages whose meaning is less like the query (cosine) are left out; at 0 "
                "none is. What a good value is depends on the embedding model.",
            )
            rerank = st.toggle(
                "Sort the best anew with a second model", start.rerank, key="search-rerank"
            )
            join = st.toggle("Join neighbouring passages", start.join_neighbours, key="search-join")
        with right:
            top_k = st.number_input("Passages shown", 1, 50, start.top_k, key="search-top-k")
            fetch_k = st.number_input(
                "Passages they are chosen from",
                1,
                500,
                start.fetch_k,
                key="search-fetch-k",
            )
            candidates = st.number_input(
                "Passages found by each way of searching",
                1,
                1000,
                start.candidates,
                key="search-candidates",
            )
            diversify = st.toggle(
                "Avoid passages that repeat each other", start.diversify, key="search-diversify"
            )
            lambda_ = st.slider(
                "Best fit against variety",
                0.0,
                1.0,
                start.mmr_lambda,
                0.05,
                key="search-lambda",
                disabled=not diversify,
            )
    return replace(
        start,
        mode=mode,
        fusion=fusion,
        top_k=within(top_k, 1, 50),
        fetch_k=within(fetch_k, top_k, 500),
        candidates=within(candidates, fetch_k, 1000),
        mmr_lambda=float(lambda_),
        diversify=bool(diversify),
        rerank=bool(rerank),
        dense_weight=float(weight),
        join_neighbours=bool(join),
        min_similarity=float(similarity) if similarity else min(0.0, start.min_similarity),
    )


def within(value: float, least: float, most: float) -> int:
    """The number inside its limits, which a browser can be made to pass.

    >>> within(10**9, 1, 50), within(3, 7, 500)
    (50, 7)
    """
    return int(min(max(value, least), most))


def _chat_settings(context: PageContext, options: SearchOptions, level: Level) -> None:
    """Offer to answer with these settings, or with the defaults again."""
    in_chat = context.service.sessions.search_options(context.session), current_level(context)
    usual = PRESETS[context.service.sessions.preset(context.session)].search, Level.AUTO
    if not context.may("sessions.set_preferences"):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if (options, level) != in_chat:
            st.button(
                "Use these settings in the chat",
                icon=":material/forum:",
                on_click=_save_settings,
                args=(context, asdict(options), level),
            )
        elif in_chat != usual:
            st.caption("The chat uses these settings.")
            st.button(
                "Use the defaults again",
                type="tertiary",
                on_click=_save_settings,
                args=(context, {}, Level.AUTO),
            )


def _save_settings(context: PageContext, values: dict[str, Any], level: Level) -> None:
    with show_errors():
        context.service.sessions.set_preferences(
            context.session, {"search": values, "level": str(level)}
        )
    st.session_state.pop(effort_key(context), None)  # the chat begins with this one
    if not values:
        for name in [str(key) for key in st.session_state if str(key).startswith("search-")]:
            del st.session_state[name]
