"""Thumbs under an answer of the chat, with a reason: they become a golden set."""

from __future__ import annotations

import streamlit as st

from core.types import Message
from core.ui.shell import failures
from core.ui.shell.state import Desk

_REASON = 500


def draw(desk: Desk, message: Message, question: str) -> None:
    """Thumbs up and down; once one is given, a line for the reason."""
    key = f"thumb-{message.id}"
    given = desk.service.evaluations.thumbs.of(desk.session, message.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.feedback(
            "thumbs",
            default=None if given is None else int(given.up),
            key=key,
            on_change=_give,
            args=(desk, message, question, key),
        )
        if chosen is not None:
            st.text_input(
                "Why?",
                given.reason if given else "",
                key=f"{key}-reason",
                max_chars=_REASON,
                placeholder="Why? It is kept with the question as a golden set in Evaluation.",
                label_visibility="collapsed",
                on_change=_give,
                args=(desk, message, question, key),
            )


def _give(desk: Desk, message: Message, question: str, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None:
        reason = str(st.session_state.get(f"{key}-reason", ""))
        with failures.told():
            desk.service.evaluations.thumbs.give(
                desk.session, message, question, bool(value), reason
            )
