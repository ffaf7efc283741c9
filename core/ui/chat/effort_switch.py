"""The switch beside the chat box: how much effort goes into understanding a question."""

from __future__ import annotations

import streamlit as st

from core.types import Level
from core.ui.answer.search_view import LEVELS
from core.ui.shell.context import PageContext

EFFORT_HELP = (
    "As typed: the message is the query. Rewritten: a model makes it stand by itself. Several: a "
    "model makes up to four queries. In depth: a model grades what is found and searches on. Auto "
    "chooses. Without a model the queries are made by rule."
)


def show_effort_switch(context: PageContext) -> None:
    """The switch; what is chosen is kept with the session."""
    name = effort_key(context)
    st.pills(
        "Understanding the question",
        list(LEVELS),
        default=current_level(context),
        format_func=LEVELS.__getitem__,
        key=name,
        label_visibility="collapsed",
        help=EFFORT_HELP,
        required=True,
        on_change=_save,
        args=(context, name),
    )


def current_level(context: PageContext) -> Level:
    """The level that was chosen for this session, else the one that chooses by itself."""
    kept = context.service.sessions.preferences(context.session).get("level")
    if not context.may(
        "sessions.set_preferences"
    ):  # for this tab, as the session's is not theirs to change
        kept = st.session_state.get(effort_key(context), kept)
    return Level(kept) if kept in set(Level) else Level.AUTO


def effort_key(context: PageContext) -> str:
    """Under which the page remembers the switch."""
    return f"level-{context.session.id}"


def _save(context: PageContext, name: str) -> None:
    chosen = st.session_state.get(name)
    if chosen in LEVELS and context.may("sessions.set_preferences"):
        context.service.sessions.set_preferences(context.session, {"level": str(chosen)})
