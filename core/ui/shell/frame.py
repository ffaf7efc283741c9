"""What every page has around it: the name, the menu, and the choice of session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.types import Role, Session
from core.ui.answer.component import closing_menu
from core.ui.answer.markdown import plain
from core.ui.chat.background import runs
from core.ui.shell import failures, signing_in, state
from core.ui.shell.sharing import leave_dialog, share_dialog
from core.ui.shell.state import Desk
from core.ui.shell.words import count

_WEB = Path(__file__).parents[1] / "web"
_ROOT = Path(__file__).resolve().parents[3]
LONGEST_NAME = 120

MENU = (
    ("app.py", "Chat", ":material/forum:"),
    ("pages/1_Documents.py", "Documents", ":material/folder_open:"),
    ("pages/2_Collect.py", "Collect", ":material/travel_explore:"),
    ("pages/3_Search.py", "Search", ":material/search:"),
    ("pages/4_Evaluation.py", "Evaluation", ":material/monitoring:"),
    ("pages/5_Status.py", "Status", ":material/stethoscope:"),
)


_ROLES = {Role.READER: "a reader", Role.EDITOR: "an editor", Role.ADMIN: "an admin"}


def frame(title: str, *, wide: bool = False) -> Desk:
    """Set up a page; the first call on each. Gives the service and the session that is open.

    The menu shows the pages that this installation has. Ends the run where somebody has to sign in
    and has not.
    """
    st.set_page_config(
        page_title=f"{title} · Footnote",
        page_icon=str(_WEB / "icon.png"),
        layout="wide" if wide else "centered",
        menu_items={"About": "Footnote answers from your own documents, with citations to check."},
    )
    st.logo(str(_WEB / "logo.svg"), icon_image=str(_WEB / "icon.png"), size="large")
    service = state.the_service()
    desk = state.open_desk(service, signing_in.required(service))
    with st.sidebar:
        with st.container(gap="xsmall"):
            for path, label, icon in MENU:
                if (_ROOT / path).is_file():
                    st.page_link(path, label=label, icon=icon, width="stretch")
            closing_menu()
        _session_chooser(desk)
        if desk.person:
            signing_in.show(service, desk.person)
    return desk


def _session_chooser(desk: Desk) -> None:
    names = {session.id: _named(session) for session in desk.sessions}
    st.session_state["session_choice"] = desk.session.id
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.selectbox(
            "Session",
            list(names),
            format_func=lambda session_id: names.get(session_id, ""),
            key="session_choice",
            on_change=_choose,
            help="Each session has its own documents and conversations.",
        )
        dialogs = _dialogs(desk)
        chosen = st.menu_button(
            "",
            list(dialogs),
            icon=":material/more_horiz:",
            key="session_menu",
            type="tertiary",
            help=", ".join(dialogs),
        )
    if desk.session.shared_by:
        role = _ROLES[desk.session.role]
        st.caption(plain(f"{desk.session.shared_by} shares this session: you are {role}."))
    if chosen in dialogs:
        dialogs[chosen](desk)


def _dialogs(desk: Desk) -> dict[str, Callable[[Desk], None]]:
    """What the menu of a session offers to whoever has it open."""
    return {
        "New session": _new_dialog,
        **({"Rename": _rename_dialog} if desk.may("rename_session") else {}),
        **({"Share…": share_dialog} if desk.person and desk.may("people.share") else {}),
        **({"Leave": leave_dialog} if desk.session.shared_by else {}),
        **({"Delete": _delete_dialog} if desk.may("delete_session") else {}),
    }


def _named(session: Session) -> str:
    return f"{session.name} · {session.shared_by}" if session.shared_by else session.name


def _choose() -> None:
    state.remember_session(st.session_state["session_choice"])


@st.dialog("New session")
def _new_dialog(desk: Desk) -> None:
    st.caption("A session keeps its documents and conversations apart from all others.")
    with st.form("new_session", border=False):
        st.text_input(
            "Name", max_chars=LONGEST_NAME, placeholder="Annual reports", key="new_session_name"
        )
        if st.form_submit_button("Create", type="primary", on_click=_create, args=(desk,)):
            st.rerun()


def _create(desk: Desk) -> None:
    with failures.told():
        name = str(st.session_state["new_session_name"])
        state.remember_session(desk.service.create_session(desk.session.viewer_id, name).id)


@st.dialog("Rename session")
def _rename_dialog(desk: Desk) -> None:
    with st.form("rename_session", border=False):
        st.text_input("Name", desk.session.name, max_chars=LONGEST_NAME, key="session_name")
        if st.form_submit_button("Rename", type="primary", on_click=_rename, args=(desk,)):
            st.rerun()


def _rename(desk: Desk) -> None:
    name = str(st.session_state["session_name"]).strip()
    if name:
        with failures.told():
            desk.service.rename_session(desk.session, name)


@st.dialog("Delete session")
def _delete_dialog(desk: Desk) -> None:
    documents = count(len(desk.service.documents(desk.session)), "document")
    st.text(f"“{desk.session.name}”, with {documents} and all conversations.")
    st.caption("Everything is erased from the disk. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button("Delete for good", type="primary", on_click=_delete, args=(desk,)):
            st.rerun()
        if st.button("Keep it", key="keep_session"):
            st.rerun()


def _delete(desk: Desk) -> None:
    runs().forget(desk.session.id)
    with failures.told():
        desk.service.delete_session(desk.session)
        state.open_another(desk)


def heading(title: str, under: str = "") -> None:
    """The title of a page with a line under it; both are words of ours."""
    st.title(plain(title), anchor=False)
    if under:
        st.caption(plain(under))
