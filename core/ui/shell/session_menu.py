"""The choice of session in the side bar, and the dialogs of its menu."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.retrieval.presets import USUAL
from core.types import Indexing, Role, Session
from core.ui.chat.background import runs
from core.ui.chat.preset_choice import LABELS, chosen_models, models_input
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count
from core.ui.shell.sharing import leave_dialog, share_dialog, show_invitations

LONGEST_NAME = 120
_ROLES = {Role.READER: "a reader", Role.EDITOR: "an editor", Role.ADMIN: "an admin"}


def show_session_menu(context: PageContext) -> None:
    """Draw the choice of session and its menu (in the side bar)."""
    names = {session.id: _session_label(session) for session in context.sessions}
    st.session_state["session_choice"] = context.session.id
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.selectbox(
            "Session",
            list(names),
            format_func=lambda session_id: names.get(session_id, ""),
            key="session_choice",
            on_change=_open_chosen,
        )
        dialogs = _dialogs(context)
        chosen = st.menu_button(
            "",
            list(dialogs),
            icon=":material/more_horiz:",
            key="session_menu",
            type="tertiary",
            help=", ".join(dialogs),
        )
    if context.session.shared_by:
        role = _ROLES[context.session.role]
        st.caption(
            escape_markdown(f"{context.session.shared_by} shares this session: you are {role}.")
        )
    if context.person:
        show_invitations(context)
    if chosen in dialogs:
        dialogs[chosen](context)


def _dialogs(context: PageContext) -> dict[str, Callable[[PageContext], None]]:
    """What the menu of a session offers to the person who has it open."""
    return {
        "New session": _new_dialog,
        **({"Rename": _rename_dialog} if context.may("sessions.rename") else {}),
        **({"Share…": share_dialog} if context.person and context.may("people.share") else {}),
        **({"Leave": leave_dialog} if context.session.shared_by else {}),
        **({"Delete": _delete_dialog} if context.may("sessions.delete") else {}),
    }


def _session_label(session: Session) -> str:
    return f"{session.name} · {session.shared_by}" if session.shared_by else session.name


def _open_chosen() -> None:
    state.remember_session(st.session_state["session_choice"])


@st.dialog("New session")
def _new_dialog(context: PageContext) -> None:
    st.caption("A session keeps its documents and conversations apart from all others.")
    with st.form("new_session", border=False):
        st.text_input(
            "Name", max_chars=LONGEST_NAME, placeholder="Annual reports", key="new_session_name"
        )
        st.selectbox(
            "Preset", list(LABELS), format_func=LABELS.__getitem__, key="new_session_preset"
        )
        models_input(context.service, "new_session", Indexing(USUAL))
        if st.form_submit_button("Create", type="primary", on_click=_create, args=(context,)):
            st.rerun()


def _create(context: PageContext) -> None:
    with show_errors():
        name = str(st.session_state["new_session_name"])
        preset = str(st.session_state["new_session_preset"])
        embedding, reranker = chosen_models(context.service, "new_session")
        made = context.service.sessions.create(
            context.session.viewer_id,
            name,
            preset,
            embedding_model=embedding,
            reranker_model=reranker,
        )
        state.remember_session(made.id)


@st.dialog("Rename session")
def _rename_dialog(context: PageContext) -> None:
    with st.form("rename_session", border=False):
        st.text_input("Name", context.session.name, max_chars=LONGEST_NAME, key="session_name")
        if st.form_submit_button("Rename", type="primary", on_click=_rename, args=(context,)):
            st.rerun()


def _rename(context: PageContext) -> None:
    name = str(st.session_state["session_name"]).strip()
    if name:
        with show_errors():
            context.service.sessions.rename(context.session, name)


@st.dialog("Delete session")
def _delete_dialog(context: PageContext) -> None:
    documents = count(len(context.service.documents.list(context.session)), "document")
    st.text(f"“{context.session.name}”, with {documents} and all conversations.")
    st.caption("Everything is erased from the disk. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button("Delete permanently", type="primary", on_click=_delete, args=(context,)):
            st.rerun()
        if st.button("Cancel", key="keep_session"):
            st.rerun()


def _delete(context: PageContext) -> None:
    runs().forget(context.session.id)
    with show_errors():
        context.service.sessions.delete(context.session)
        state.open_another_session(context)
