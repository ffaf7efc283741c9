"""The conversations of a session in the side bar of the Chat page."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo

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
from core.ui.shell.time_zone import browser_zone

_LISTED = 15
_FOUND = 30
_TITLE = 25
"""Characters of a title that fit into the side bar beside the menu."""
_SEARCHABLE = 2
"""Conversations from which on there is a box to search them."""


def conversation_list(context: PageContext) -> str | None:
    """Draw the list; gives the id of the conversation that is open, if one is."""
    current = state.conversation_id(context)
    listed = context.service.conversations.list(context.session)
    with st.sidebar:
        st.button(
            "New conversation",
            key="new-conversation",
            icon=":material/edit_square:",
            on_click=state.forget_conversation,
            width="stretch",
            disabled=current is None,
        )
        words = _search_box() if len(listed) >= _SEARCHABLE else ""
        if words:
            _show_found(context, words, current)
        else:
            _show_listed(context, listed, current)
    return current


def _search_box() -> str:
    typed = st.text_input(
        "Search conversations",
        key="conversation-words",
        placeholder="Search conversations",
        icon=":material/search:",
        label_visibility="collapsed",
        max_chars=LONGEST_NAME,
    )
    return typed.strip()


def _show_found(context: PageContext, words: str, current: str | None) -> None:
    hits = context.service.conversations.search(context.session, words)
    if not hits:
        st.caption("No conversation has these words.")
    with st.container(gap=None):
        for hit in hits[:_FOUND]:
            _row(context, hit.conversation, hit.conversation.id == current)
            if hit.excerpt:
                st.caption(escape_markdown(hit.excerpt))
    if len(hits) > _FOUND:
        st.caption(f"The last {_FOUND} of {len(hits):,} are shown. Add a word.")


def _show_listed(context: PageContext, listed: Iterable[Conversation], current: str | None) -> None:
    ordered = sorted(listed, key=lambda one: not one.pinned)  # otherwise as they are: last used
    most = _LISTED * (1 + state.number("conversations"))
    shown = ordered[:most]
    with st.container(gap=None):
        for group, members in grouped(shown, datetime.now(UTC), browser_zone()).items():
            st.caption(group)
            for conversation in members:
                _row(context, conversation, conversation.id == current)
    if len(ordered) > most:
        st.button("Show more", type="tertiary", on_click=state.advance, args=("conversations",))


def grouped(
    conversations: Iterable[Conversation], now: datetime, zone: tzinfo
) -> Mapping[str, list[Conversation]]:
    """The conversations in the order given, by when they were used in the person's time zone."""
    today = now.astimezone(zone).date()
    groups: dict[str, list[Conversation]] = {}
    for one in conversations:
        day = one.updated_at.astimezone(zone).date()
        if one.pinned:
            name = "Pinned"
        elif day >= today:
            name = "Today"
        elif day == today - timedelta(days=1):
            name = "Yesterday"
        elif day > today - timedelta(days=7):
            name = "Last 7 days"
        else:
            name = f"{day:%B %Y}"
        groups.setdefault(name, []).append(one)
    return groups


def _row(context: PageContext, conversation: Conversation, current: bool) -> None:
    title = escape_markdown(_cut(conversation.title, _TITLE))
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        gap="xsmall",
        vertical_alignment="center",
        wrap=False,
    ):
        st.button(
            f"**{title}**" if current else title,
            key=f"conversation-{conversation.id}",
            type="tertiary",
            on_click=state.remember_conversation,
            args=(conversation.id,),
            wrap=False,
        )
        actions: Mapping[str, Callable[[PageContext, Conversation], None]] = {
            "Unpin" if conversation.pinned else "Pin": _pin,
            "Rename": _rename_dialog,
            "Export": export_dialog,
            "Delete": _delete_dialog,
        }
        chosen = st.menu_button(
            "",
            list(actions),
            key=f"menu-{conversation.id}",
            icon=":material/more_horiz:",
            type="tertiary",
            help="Pin, rename, export, delete",
        )
    if chosen:
        actions[chosen](context, conversation)


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else f"{title[: longest - 1].rstrip()}…"


def _pin(context: PageContext, conversation: Conversation) -> None:
    with show_errors():
        context.service.conversations.pin(context.session, conversation.id, not conversation.pinned)
        st.rerun()


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
    if st.session_state.get("conversation_id") == conversation_id:
        state.forget_conversation()
