"""The conversations of a session in the side bar of the Chat page."""

from __future__ import annotations

import contextlib

import streamlit as st

from core.errors import NotFound
from core.types import Conversation
from core.ui.chat.background import runs
from core.ui.chat.exports import export_dialog
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.session_menu import LONGEST_NAME

_LISTED = 15
_TITLE = 34
"""Characters of a title that fit into the side bar; fewer beside the menu."""


def conversation_list(context: PageContext) -> str | None:
    """Draw the list; gives the id of the conversation that is open, if one is."""
    current = state.conversation_id(context)
    listed = context.service.conversations.list(context.session)
    more = state.number("conversations")
    with st.sidebar:
        st.button(
            "New conversation",
            key="new-conversation",
            icon=":material/edit_square:",
            on_click=state.forget_conversation,
            width="stretch",
            disabled=current is None,
        )
        with st.container(gap=None):
            for conversation in listed[: _LISTED * (1 + more)]:
                _row(context, conversation, conversation.id == current)
        if len(listed) > _LISTED * (1 + more):
            st.button("Show more", type="tertiary", on_click=state.advance, args=("conversations",))
    return current


def _row(context: PageContext, conversation: Conversation, current: bool) -> None:
    title = escape_markdown(_cut(conversation.title, _TITLE - 7 * current))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", wrap=False):
        st.button(
            f"**{title}**" if current else title,
            key=f"conversation-{conversation.id}",
            type="tertiary",
            on_click=state.remember_conversation,
            args=(conversation.id,),
            wrap=False,
        )
        if current:
            _menu(context, conversation)


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else f"{title[: longest - 1].rstrip()}…"


def _menu(context: PageContext, conversation: Conversation) -> None:
    with (
        st.popover(
            "", icon=":material/more_horiz:", type="tertiary", help="Export, rename, delete"
        ),
        st.container(gap=None),
    ):
        if st.button("Export", icon=":material/download:", type="tertiary"):
            export_dialog(context, conversation)
        if st.button("Rename", icon=":material/edit:", type="tertiary"):
            _rename_dialog(context, conversation)
        if st.button("Delete", icon=":material/delete:", type="tertiary"):
            _delete_dialog(context, conversation)


@st.dialog("Rename conversation")
def _rename_dialog(context: PageContext, conversation: Conversation) -> None:
    with st.form("rename_conversation", border=False):
        st.text_input("Title", conversation.title, max_chars=LONGEST_NAME, key="new_title")
        asked = (context, conversation.id)
        if st.form_submit_button("Rename", type="primary", on_click=_rename, args=asked):
            st.rerun()


def _rename(context: PageContext, conversation_id: str) -> None:
    title = str(st.session_state["new_title"]).strip()
    if title:
        with show_errors():
            context.service.conversations.rename(context.session, conversation_id, title)


@st.dialog("Delete conversation")
def _delete_dialog(context: PageContext, conversation: Conversation) -> None:
    st.text(f"“{conversation.title}” with its questions and answers.")
    st.caption("It is erased from the disk. This cannot be undone.")
    with st.container(horizontal=True):
        asked = (context, conversation.id)
        if st.button("Delete permanently", type="primary", on_click=_delete, args=asked):
            st.rerun()
        if st.button("Cancel", key="keep_conversation"):
            st.rerun()


def _delete(context: PageContext, conversation_id: str) -> None:
    runs().forget(context.session.id, conversation_id)
    with show_errors(), contextlib.suppress(NotFound):  # another tab may have been faster
        context.service.conversations.delete(context.session, conversation_id)
    state.forget_conversation()
