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
_ROLES = {Role.READER: "a reader", Role.EDITOR: "an editor", Role.ADMIN: "an admin"}
_MOST_SHOWN = 5
"""Invitations at once: somebody could send any number."""


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
        "Everybody sees only their own conversations. People find the invitation beside their "
        "sessions and accept it there. No message is sent: tell them yourself."
        if members
        else "Not shared with anybody yet."
    )


def show_invitations(context: PageContext) -> None:
    """Draw what others would share with this person, to accept or decline (in the side bar)."""
    assert context.person is not None
    for one in context.service.people.invitations(context.person.id)[:_MOST_SHOWN]:
        with st.container(border=True, key=f"invitation-{one.session_id}"):
            who, name = escape_markdown(one.shared_by), escape_markdown(one.name)
            st.caption(f"{who} invites you to “{name}” as {_ROLES[one.role]}.")
            with st.container(horizontal=True):
                for label, answer in (("Accept", "accept"), ("Decline", "decline")):
                    st.button(
                        label,
                        key=f"{answer}-{one.session_id}",
                        on_click=_answer,
                        args=(context, one.session_id, answer),
                    )


def _answer(context: PageContext, session_id: str, answer: str) -> None:
    assert context.person is not None
    people = context.service.people
    with show_errors():
        if answer == "accept":
            people.accept(context.person.id, session_id)
            state.remember_session(session_id)
        else:
            people.decline(context.person.id, session_id)


def _row(context: PageContext, member: Member) -> None:
    key = f"role-{context.session.id}-{member.email}"
    with st.container(horizontal=True, vertical_alignment="center", key=f"member-{member.email}"):
        with st.container(gap=None):
            if member.name:
                st.markdown(f"**{escape_markdown(member.name)}**")
            st.text(printable(member.email))
            if not member.accepted:
                st.caption("Invited, has not accepted yet")
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
        "It disappears from your list. Your conversations in it stay stored, and answers that you "
        "share there stay shared: delete them first if you do not want that."
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
