"""With whom a session is shared: the dialogs behind the session's menu."""

from __future__ import annotations

import streamlit as st

from core.types import Member, Role
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable

WORDS = {
    Role.READER: "Reader: can look, search and ask",
    Role.EDITOR: "Editor: can also change documents and run evaluations",
    Role.ADMIN: "Admin: can also share, rename and delete",
}


@st.dialog("Share session")
def share_dialog(context: PageContext) -> None:
    """Add people by the address with which they sign in; change what they may; remove them."""
    st.text(f"“{context.session.name}”")
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
        with show_errors():
            email, role = st.session_state["share_email"], st.session_state["share_role"]
            context.service.people.share(context.session, str(email), Role(role))
    members = context.service.people.members(context.session)
    for member in members:
        _row(context, member)
    st.caption(
        "Everybody sees only their own conversations. No message is sent: give people the "
        "address of this page yourself."
        if members
        else "Not shared with anybody yet."
    )


def _row(context: PageContext, member: Member) -> None:
    key = f"role-{context.session.id}-{member.email}"
    with st.container(horizontal=True, vertical_alignment="center", key=f"member-{member.email}"):
        with st.container(gap=None):
            if member.name:
                st.markdown(f"**{escape_markdown(member.name)}**")
            st.text(printable(member.email))
        st.selectbox(
            "Role",
            list(Role),
            index=list(Role).index(member.role),
            format_func=str.capitalize,
            key=key,
            label_visibility="collapsed",
            on_change=_change,
            args=(context, member.email, key),
            width=120,
        )
        st.button(
            "Remove",
            icon=":material/person_remove:",
            type="tertiary",
            key=f"unshare-{member.email}",
            on_click=_remove,
            args=(context, member.email),
        )


def _change(context: PageContext, email: str, key: str) -> None:
    with show_errors():
        context.service.people.share(context.session, email, Role(st.session_state[key]))


def _remove(context: PageContext, email: str) -> None:
    with show_errors():
        context.service.people.unshare(context.session, email)


@st.dialog("Leave session")
def leave_dialog(context: PageContext) -> None:
    """Give up a session that somebody else shared."""
    st.text(f"“{context.session.name}”, shared by {context.session.shared_by}.")
    st.caption(
        "It disappears from your list. Your conversations in it stay stored: delete them first if "
        "you do not want that."
    )
    with st.container(horizontal=True):
        if st.button("Leave", type="primary", on_click=_leave, args=(context,)):
            st.rerun()
        if st.button("Cancel", key="stay"):
            st.rerun()


def _leave(context: PageContext) -> None:
    with show_errors():
        context.service.people.leave(context.session)
        state.open_another_session(context)
