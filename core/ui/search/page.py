"""The Search page: the hits of a search with every stage's score, and the settings at hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import streamlit as st

from core.citations.passages import citation_of
from core.retrieval.cut_off import MEASURED
from core.retrieval.presets import PRESETS
from core.types import AskRequest, Level, QueryOptions, SearchOptions, SearchResult
from core.types.search import BY_MODEL, ByModel
from core.types.steps import ByMethod
from core.ui.answer import views
from core.ui.answer.search_view import EFFORTS
from core.ui.answer.sheet import show_sheet
from core.ui.chat.effort_switch import EFFORT_HELP, current_level, effort_key
from core.ui.chat.language_model import current_choice
from core.ui.search.link import LONGEST_QUERY, NAMES, Link, is_cut, read_link
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.folding import is_wanted

_LINKED = "link-in-address"
_OPENED = "search-link"
"""The link that was opened last, and how many were: the settings begin with it."""
_NAMES = {
    "mode": "search by",
    "fusion": "combine both by",
    "level": "effort",
    "top_k": "passages shown",
    "fetch_k": "passages they are chosen from",
    "candidates": "passages found by each way of searching",
    "dense_weight": "weight of meaning against words",
    "min_similarity": "least likeness in meaning",
    "mmr_lambda": "best fit against variety",
    "votes": "weight of votes",
}
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
    queries: tuple[str, ...] = ()

    @property
    def link(self) -> Link:
        """The address that leads back to it."""
        return Link(self.question, self.options, self.level, self.queries)


def show_search(context: PageContext) -> None:
    """The query, its settings, and the hits; the address of the page leads back to them."""
    linked = _take_link(context)
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
    options = _settings(_start(context)[0])
    _chat_settings(context, options, level)
    last = _last(context)
    own = st.session_state.pop("own-queries", ()) or (linked.queries if linked else ())
    changed = last and (last.options, last.level) != (options, level)
    if question.strip() and (pressed or changed or own or linked is not None):
        with show_errors(), st.spinner("Searching"):
            last = _search(context, question, options, level, own)
            st.session_state["searched"] = last
    if last:
        _put_in_address(last.link)
        _hits(context, last)


def _take_link(context: PageContext) -> Link | None:
    """The search that the address asks for where this tab has not done it.

    Its query is put into the box, and the settings begin with its own. What cannot be read of it
    is said, and everything else of it is searched.
    """
    sent = _address()
    if not sent or sent == st.session_state.get(_LINKED):
        return None
    own = context.service.sessions.search_options(context.session), current_level(context)
    link, unread = read_link(sent, *own)
    st.session_state[_LINKED] = sent
    st.session_state[_OPENED] = link, _opened()[1] + 1
    if unread:
        names = ", ".join(_NAMES.get(name, name.replace("_", " ")) for name in unread)
        st.warning(
            f"This link has settings that cannot be read: {names}. The usual ones are used instead."
        )
    if is_cut(sent):
        st.warning(f"The query of this link was cut: at most {LONGEST_QUERY:,} characters fit.")
    if not link.question.strip():
        st.info("This link has settings but no query. Type one to search with them.")
        return None
    st.session_state["query"] = link.question
    return link


def _put_in_address(link: Link) -> None:
    parameters = link.parameters()
    st.session_state[_LINKED] = parameters
    if _address() != parameters:
        others = {k: v for k in st.query_params if (v := st.query_params.get_all(k))}
        kept = {name: values for name, values in others.items() if name not in NAMES}
        st.query_params.from_dict({**kept, **parameters})


def _address() -> dict[str, list[str]]:
    """The parameters of the address that belong to a search."""
    return {name: st.query_params.get_all(name) for name in st.query_params if name in NAMES}


def _opened() -> tuple[Link | None, int]:
    link, number = st.session_state.get(_OPENED, (None, 0))
    return link, number


def _start(context: PageContext) -> tuple[SearchOptions, Level]:
    """The settings to begin with: those of the link that was opened, else those of the chat."""
    link, _ = _opened()
    if link is not None:
        return link.options, link.level
    return context.service.sessions.search_options(context.session), current_level(context)


def _key(name: str) -> str:
    """The key of a setting: another one after each link, which brings values of its own."""
    number = _opened()[1]
    return f"search-{name}-{number}" if number else f"search-{name}"


def _level(context: PageContext) -> Level:
    """The effort for understanding the query; it begins with that of the chat."""
    efforts = list(EFFORTS)
    return st.selectbox(
        "Effort",
        efforts,
        index=efforts.index(_start(context)[1]),
        format_func=EFFORTS.__getitem__,
        key=_key("level"),
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
    return Searched(context.session.id, question, options, result, seconds, level, tuple(own))


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
    if measured := _measured(last):
        st.caption(measured)
    content = views.hits_view(last.result, last.seconds)
    show_sheet(context, content, {"hits": found}, key="search-hits", again=_search_with)


def _measured(last: Searched) -> str:
    """What the least likeness was and why, where it was that of the embedding model."""
    of_model = last.options.min_similarity == BY_MODEL
    details = [step.detail for step in last.result.steps if of_model and step.name == "dense"]
    for detail in details:
        if isinstance(detail, ByMethod) and detail.least is not None:
            why = "" if detail.least == MEASURED else ", measured with these documents"
            return (
                f"By meaning, passages from a likeness of {detail.least:.2f} on are found: the "
                f"preset's, for {detail.method}{why}."
            )
        return "By meaning, no passage is left out: there are too few to measure a least likeness."
    return ""


def _settings(start: SearchOptions) -> SearchOptions:
    """The settings as the person has set them; they begin with those of the chat."""
    block = st.expander(
        "Settings", icon=":material/tune:", key="settings-of-search", on_change="rerun"
    )
    if not is_wanted(block, "settings-of-search"):
        return start
    with block:
        left, right = st.columns(2, gap="large")
        with left:
            mode = st.segmented_control(
                "Search by",
                list(_MODES),
                default=start.mode,
                format_func=_MODES.__getitem__,
                key=_key("mode"),
                help="Meaning finds other words for the same thing. Words finds names and numbers "
                "as they are typed.",
                required=True,
            )
            fusion = st.segmented_control(
                "Combine both by",
                list(_FUSIONS),
                default=start.fusion,
                format_func=_FUSIONS.__getitem__,
                key=_key("fusion"),
                disabled=mode != "hybrid",
                required=True,
            )
            weight = st.slider(
                "Weight of meaning against words",
                0.0,
                1.0,
                start.dense_weight,
                0.05,
                key=_key("weight"),
                disabled=mode != "hybrid" or fusion != "weighted",
            )
            least = _least_likeness(start, without=mode == "lexical")
            rerank = st.toggle(
                "Sort the best again with a second model", start.rerank, key=_key("rerank")
            )
            join = st.toggle("Join neighbouring passages", start.join_neighbours, key=_key("join"))
        with right:
            top_k = st.number_input("Passages shown", 1, 50, start.top_k, key=_key("top-k"))
            fetch_k = st.number_input(
                "Passages they are chosen from",
                1,
                500,
                start.fetch_k,
                key=_key("fetch-k"),
            )
            candidates = st.number_input(
                "Passages found by each way of searching",
                1,
                1000,
                start.candidates,
                key=_key("candidates"),
            )
            diversify = st.toggle(
                "Avoid passages that repeat each other", start.diversify, key=_key("diversify")
            )
            lambda_ = st.slider(
                "Best fit against variety",
                0.0,
                1.0,
                start.mmr_lambda,
                0.05,
                key=_key("lambda"),
                disabled=not diversify,
            )
            votes = st.slider(
                "Weight of votes",
                0.0,
                1.0,
                start.votes,
                0.05,
                key=_key("votes"),
                help="How much the votes for collected answers count beside the order found. "
                "Documents without votes stay in the middle.",
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
        min_similarity=least,
        votes=float(votes),
    )


def _least_likeness(start: SearchOptions, *, without: bool) -> float | ByModel:
    """The least likeness as set: that of the embedding model, or a number."""
    least = start.min_similarity
    if least == BY_MODEL:
        if st.toggle(
            "Least likeness as measured for the embedding model",
            True,
            key=_key("by-model"),
            disabled=without,
            help=f"{MEASURED:g} by the model that is part of the program. For another one it is "
            "measured with passages of these documents, when they are first searched so.",
        ):
            return BY_MODEL
        least = MEASURED
    chosen = st.slider(
        "Least likeness in meaning",
        0.0,
        1.0,
        max(0.0, least),
        0.05,
        key=_key("similarity"),
        disabled=without,
        help="Passages less like the query than this are left out; at 0 none are. A good "
        "value depends on the embedding model.",
    )
    return float(chosen) if chosen else min(0.0, least)


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
        for name in _address():  # it has the settings that were given up
            del st.query_params[name]
