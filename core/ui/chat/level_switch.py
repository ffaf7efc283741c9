"""The switch beside the chat box: how much effort goes into understanding a question."""

from __future__ import annotations

import streamlit as st

from core.types import Level
from core.ui.answer.search_view import LEVELS
from core.ui.shell.state import Desk

HELP = (
    "As typed: the message is the query. Rewritten: a model makes it stand by itself. Several: a "
    "model makes up to four queries. In depth: a model grades what is found and searches on. Auto "
    "chooses. Without a model the queries are made by rule."
)


def show(desk: Desk) -> None:
    """The switch; what is chosen is kept with the session."""
    name = key(desk)
    st.pills(
        "Understanding the question",
        list(LEVELS),
        default=current(desk),
        format_func=LEVELS.__getitem__,
        key=name,
        label_visibility="collapsed",
        help=HELP,
        required=True,
        on_change=_keep,
        args=(desk, name),
    )


def current(desk: Desk) -> Level:
    """The level that was chosen for this session, else the one that chooses by itself."""
    kept = desk.service.preferences(desk.session).get("level")
    if not desk.may("set_preferences"):  # for this tab, as the session's is not theirs to change
        kept = st.session_state.get(key(desk), kept)
    return Level(kept) if kept in set(Level) else Level.AUTO


def key(desk: Desk) -> str:
    """Under which the page remembers the switch."""
    return f"level-{desk.session.id}"


def _keep(desk: Desk, name: str) -> None:
    chosen = st.session_state.get(name)
    if chosen in LEVELS and desk.may("set_preferences"):
        desk.service.set_preferences(desk.session, {"level": str(chosen)})
