"""What every page has around it: the name, the menu, and the choice of session."""

from __future__ import annotations

import functools
from pathlib import Path

import streamlit as st

from core.config import shipped
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.login import require_login, show_account
from core.ui.shell.session_menu import show_session_menu
from core.ui.web.components import draw_menu_closer

_WEB = Path(__file__).parents[1] / "web"

MENU = (
    ("app.py", "Chat", ":material/forum:"),
    ("pages/1_Documents.py", "Documents", ":material/folder_open:"),
    ("pages/2_Collect.py", "Collect", ":material/travel_explore:"),
    ("pages/3_Search.py", "Search", ":material/search:"),
    ("pages/4_Evaluation.py", "Evaluation", ":material/monitoring:"),
    ("pages/5_Status.py", "Status", ":material/stethoscope:"),
)


def open_page(title: str, *, wide: bool = False) -> PageContext:
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
    service = state.page_service()
    context = state.open_context(service, require_login(service))
    with st.sidebar:
        with st.container(gap="xsmall"):
            for path, label, icon in _menu():
                st.page_link(
                    path, label=label, icon=icon, width="stretch", query_params=state.address()
                )
            draw_menu_closer()
        show_session_menu(context)
        if context.person:
            show_account(service, context.person)
        elif not state.is_recognised():
            st.warning(
                "This browser is not recognised: what you add here is lost with this tab. Start "
                "Footnote with `make run` (not `streamlit run app.py`), and allow its cookie.",
                icon=":material/cookie_off:",
            )
    return context


@functools.cache
def _menu() -> list[tuple[str, str, str]]:
    """The pages that this installation has; looked up once, not at each drawing."""
    there = shipped()
    return [entry for entry in MENU if (there / entry[0]).is_file()]


def show_dead_link() -> None:
    """Say that the address of the page leads nowhere, if it does."""
    if state.take_dead_link():
        st.warning(
            "This link leads to nothing that you can open: what it names was deleted, or belongs "
            "to somebody else.",
            icon=":material/link_off:",
        )


def heading(title: str, under: str = "") -> None:
    """Draw the title of a page and a line below it, both our own words."""
    show_dead_link()
    st.title(escape_markdown(title), anchor=False)
    if under:
        st.caption(escape_markdown(under))
