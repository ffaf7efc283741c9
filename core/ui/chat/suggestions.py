"""Questions to ask next, as buttons: on the first screen and below the last answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import streamlit as st

from core.text.terms import content_keys
from core.types import Level, Scope
from core.ui.chat.scope_picker import repeat_scope
from core.ui.shell.escaping import escape_markdown

_LOOK_EVERY = 1.0  # seconds between two looks at questions that are being made

Look = Callable[[], list[str] | None]
"""Gives the questions, None while they are being made."""


def ask_next(
    question: str,
    queries: Sequence[str] = (),
    scope: Scope | None = None,
    level: Level | None = None,
) -> None:
    """Ask this question in the coming run (for buttons); `queries` are the person's own.

    It is asked of the documents of the `scope` and at the `level`, where they are given.
    """
    if scope is not None:
        repeat_scope(scope)
    st.session_state["chosen_question"] = question
    st.session_state["chosen_queries"] = tuple(queries)
    st.session_state["chosen_level"] = level


def show_suggestions(title: str, look: Look, most: int, asked: Collection[str] = ()) -> None:
    """Show at most so many questions that were not `asked`; nothing while there are none."""
    found = look()
    if found is None:
        _wait(look)
        return
    before = {_gist(question) for question in asked}
    left = [question for question in found if _gist(question) not in before][:most]
    if not left:
        return
    st.space("small")
    st.markdown(f"**{title}**")
    with st.container(gap="xsmall", key="suggestions"):
        for question in left:
            st.button(
                escape_markdown(question),
                icon=":material/arrow_forward:",
                on_click=ask_next,
                args=(question,),
            )


def _gist(question: str) -> frozenset[str]:
    """What a question asks about: "what is autogen" is "What is AutoGen?"."""
    folded = question.casefold()
    return frozenset(content_keys(folded)) or frozenset({folded})


@st.fragment(run_every=_LOOK_EVERY)
def _wait(look: Look) -> None:
    """Draw the page anew when the questions are there."""
    if look() is not None:
        st.rerun()
