"""The switch beside the chat box that adds the live web, and what it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.access.roles import LIVE_WEB
from core.types import Message, QueryOptions
from core.ui.shell.context import PageContext

_WEB, _QUERIES = "web-on", "web-queries"
_MOST = 5


def show_web_switch(context: PageContext, said: Sequence[Message] = ()) -> None:
    """The switch, and while it is on the person's own queries; nothing where it cannot be used."""
    if not _offered(context):
        return
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        on = st.toggle(
            "Search the web",
            key=_WEB,
            help="Reads pages that SearXNG finds, and cites them beside your documents.",
            persist_state="session",
        )
        if on:
            with st.popover("Queries", icon=":material/edit:", type="tertiary"):
                _own_queries(said)


def with_web(context: PageContext, options: QueryOptions) -> QueryOptions:
    """The options with the web and the person's own queries, as they are set here."""
    if not _offered(context) or not st.session_state.get(_WEB):
        return options
    lines = str(st.session_state.get(_QUERIES) or "").splitlines()
    queries = [line.strip() for line in lines if line.strip()][:_MOST]
    return replace(options, web=True, queries=tuple(queries))


def _offered(context: PageContext) -> bool:
    """Shown where a SearXNG is set, to roles that may add to what the session searches."""
    return bool(context.service.settings.searxng_url) and context.session.role.covers(LIVE_WEB)


def last_queries(said: Sequence[Message]) -> list[str]:
    """The queries that the web was asked for the last question that searched it."""
    for message in reversed(said):
        search = message.answer.search if message.answer else None
        queries = [query.text for query in search.sent if query.where == "web"] if search else []
        if queries:
            return list(dict.fromkeys(queries))
    return []


def _own_queries(said: Sequence[Message]) -> None:
    st.text_area(
        "One query per line",
        key=_QUERIES,
        height=120,
        placeholder="Leave empty to make them from the question.",
        persist_state="session",
    )
    if last := last_queries(said):
        st.button("Use the last queries", on_click=_take, args=("\n".join(last),))


def _take(text: str) -> None:
    st.session_state[_QUERIES] = text
