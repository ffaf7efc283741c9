"""Thumbs under an answer of the chat, with a reason: they become a golden set."""

from __future__ import annotations

import streamlit as st

from core.types import Message
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors

_REASON = 500


def show_thumbs(context: PageContext, message: Message, question: str) -> None:
    """Thumbs up and down; once one is given, a line for the reason."""
    key = f"thumb-{message.id}"
    given = context.service.evaluations.thumbs.of(context.session, message.id)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.feedback(
            "thumbs",
            default=None if given is None else int(given.up),
            key=key,
            on_change=_save,
            args=(context, message, question, key),
        )
        if chosen is not None:
            st.text_input(
                "Why?",
                given.reason if given else "",
                key=f"{key}-reason",
                max_chars=_REASON,
                placeholder="Why? It is saved with the question for Evaluation.",
                label_visibility="collapsed",
                on_change=_save,
                args=(context, message, question, key),
            )


def _save(context: PageContext, message: Message, question: str, key: str) -> None:
    value = st.session_state.get(key)
    if value is not None:
        reason = str(st.session_state.get(f"{key}-reason", ""))
        with show_errors():
            context.service.evaluations.thumbs.give(
                context.session, message, question, bool(value), reason
            )
