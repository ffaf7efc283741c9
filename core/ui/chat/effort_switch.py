"""The switch beside the chat box: how much effort goes into understanding a question."""

from __future__ import annotations

import streamlit as st

from core.types import Level
from core.ui.answer.search_view import EFFORTS
from core.ui.shell.context import PageContext

_WIDE = 132
EFFORT_HELP = (
    "Quick searches for your words as they are. Standard first rewrites the question so that it "
    "stands by itself. Thorough searches with up to four queries. Deep reads what it finds and "
    "searches again; what needs a report is answered in sections. Automatic chooses for each "
    "question. Without a language model, fixed rules make the queries."
)


def show_effort_switch(context: PageContext) -> None:
    """The menu; what is chosen is kept with the session."""
    name, efforts = effort_key(context), list(EFFORTS)
    st.selectbox(
        "Effort",
        efforts,
        index=efforts.index(current_level(context)),
        format_func=EFFORTS.__getitem__,
        key=name,
        label_visibility="collapsed",
        width=_WIDE,
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
    if chosen in EFFORTS and context.may("sessions.set_preferences"):
        context.service.sessions.set_preferences(context.session, {"level": str(chosen)})
