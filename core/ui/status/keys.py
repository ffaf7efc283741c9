"""Keys for programs, on the Status page: made, shown once, revoked."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import streamlit as st

from core.access.roles import KEYS
from core.types import ApiKey, Role
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.time_zone import browser_zone

if TYPE_CHECKING:
    from core.service import Service

_LONGEST_NAME = 80
_ALL = ""
_MAY = {
    Role.ADMIN: "Everything that you may do",
    Role.EDITOR: "Ask and change documents",
    Role.READER: "Read and ask",
}


def show_keys(service: Service, owner_id: str) -> None:
    """The block: what keys there are, a form for a new one. A key opens this person's sessions."""
    block = st.expander("API keys", icon=":material/key:", key="api-keys", on_change="rerun")
    if block.open:
        with block:
            _keys(service, owner_id)


def _keys(service: Service, owner_id: str) -> None:
    reached = service.sessions.list(owner_id)
    sessions = {session.id: session.name for session in reached}
    mine = [session.id for session in reached if session.role.covers(KEYS)]
    st.caption(
        "A key lets a program use your sessions: the REST API under /api, clients of OpenAI's "
        "protocol under /api/v1, assistants over MCP at /mcp."
    )
    with st.form("new_key", border=False, clear_on_submit=True):
        name = st.text_input("Name", max_chars=_LONGEST_NAME, placeholder="My assistant")
        scope = st.selectbox(
            "Sessions",
            [_ALL, *mine],
            format_func=lambda chosen: printable(sessions.get(chosen, "All of my sessions")),
            help="A key for one session can neither see nor create others.",
        )
        role = st.selectbox(
            "Permissions",
            list(reversed(Role)),
            format_func=_MAY.__getitem__,
            help="Never more than your own role allows at the time.",
        )
        if st.form_submit_button("Create a key", icon=":material/add:"):
            with show_errors():
                most = role or Role.READER
                _show_once(service.keys.create(owner_id, name, scope or None, most))
    for key in service.keys.list(owner_id):
        _row(service, key, sessions)


def _show_once(token: str) -> None:
    st.success("This is the key. Copy it now: it is not shown again.")
    st.code(token, language=None)


def _row(service: Service, key: ApiKey, sessions: dict[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape_markdown(key.name)}**", width="stretch")
        opens = sessions.get(key.session_id, "a session") if key.session_id else "all sessions"
        created = f"created {_day(key.created_at)}"
        used = f"used {_day(key.last_used_at)}" if key.last_used_at else "not used yet"
        opens += "" if key.role is Role.ADMIN else f", {key.role}"
        st.caption(escape_markdown(f"{opens}, {created}, {used}"), width="content")
        st.button(
            "Revoke",
            icon=":material/key_off:",
            key=f"revoke-{key.id}",
            on_click=_revoke,
            args=(service, key),
        )


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(browser_zone()):%Y-%m-%d}"


def _revoke(service: Service, key: ApiKey) -> None:
    with show_errors():
        service.keys.revoke(key.owner_id, key.id)
