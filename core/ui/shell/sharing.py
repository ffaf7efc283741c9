"""With whom a session is shared: the dialogs behind the session's menu."""

from __future__ import annotations

import streamlit as st

from core.types import Member, Role
from core.ui.answer.markdown import plain, shown
from core.ui.shell import failures, state
from core.ui.shell.state import Desk

WORDS = {
    Role.READER: "Reader: looks, searches, asks",
    Role.EDITOR: "Editor: also adds, removes, measures",
    Role.ADMIN: "Admin: also shares, renames, deletes",
}


@st.dialog("Share session")
def share_dialog(desk: Desk) -> None:
    """Add people by the address with which they sign in; change what they may; remove them."""
    st.text(f"“{desk.session.name}”")
    with st.form("share", border=False, clear_on_submit=True):
        st.text_input(
            "E-mail address with which they sign in",
            key="share_email",
            max_chars=320,
            placeholder="name@example.org",
        )
        st.selectbox("Role", list(Role), format_func=WORDS.__getitem__, key="share_role")
        pressed = st.form_submit_button("Share", type="primary")
    if pressed:
        with failures.told():
            email, role = st.session_state["share_email"], st.session_state["share_role"]
            desk.service.people.share(desk.session, str(email), Role(role))
    members = desk.service.people.members(desk.session)
    for member in members:
        _row(desk, member)
    st.caption(
        "What people ask is theirs alone: no role shows it to others. Nobody is told: send them "
        "the address of this page."
        if members
        else "Shared with nobody so far."
    )


def _row(desk: Desk, member: Member) -> None:
    key = f"role-{desk.session.id}-{member.email}"
    with st.container(horizontal=True, vertical_alignment="center", key=f"member-{member.email}"):
        with st.container(gap=None):
            if member.name:
                st.markdown(f"**{plain(member.name)}**")
            st.text(shown(member.email))
        st.selectbox(
            "Role",
            list(Role),
            index=list(Role).index(member.role),
            format_func=str.capitalize,
            key=key,
            label_visibility="collapsed",
            on_change=_change,
            args=(desk, member.email, key),
            width=120,
        )
        st.button(
            "Remove",
            icon=":material/person_remove:",
            type="tertiary",
            key=f"unshare-{member.email}",
            on_click=_remove,
            args=(desk, member.email),
        )


def _change(desk: Desk, email: str, key: str) -> None:
    with failures.told():
        desk.service.people.share(desk.session, email, Role(st.session_state[key]))


def _remove(desk: Desk, email: str) -> None:
    with failures.told():
        desk.service.people.unshare(desk.session, email)


@st.dialog("Leave session")
def leave_dialog(desk: Desk) -> None:
    """Give up a session that somebody else shared."""
    st.text(f"“{desk.session.name}”, shared by {desk.session.shared_by}.")
    st.caption("It is no longer listed for you. Delete your conversations first if they shall go.")
    with st.container(horizontal=True):
        if st.button("Leave", type="primary", on_click=_leave, args=(desk,)):
            st.rerun()
        if st.button("Stay", key="stay"):
            st.rerun()


def _leave(desk: Desk) -> None:
    with failures.told():
        desk.service.people.leave(desk.session)
        state.open_another(desk)
