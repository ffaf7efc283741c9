"""What every page has around it: the name, the menu, and the choice of session."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.login import require_login, show_account
from core.ui.shell.session_menu import show_session_menu
from core.ui.web.components import draw_menu_closer

_WEB = Path(__file__).parents[1] / "web"

_PAGES = (
    ("app_pages/0_Chat.py", "Chat", ":material/forum:"),
    ("app_pages/1_Documents.py", "Documents", ":material/folder_open:"),
    ("app_pages/2_Collect.py", "Collect", ":material/travel_explore:"),
    ("app_pages/3_Search.py", "Search", ":material/search:"),
    ("app_pages/4_Evaluation.py", "Evaluation", ":material/monitoring:"),
    ("app_pages/5_Status.py", "Status", ":material/stethoscope:"),
    ("app_pages/6_Answer.py", "Shared answer", None),
)
"""Each page: its script, its title and its icon in the menu; None keeps it out of the menu."""


def open_app() -> Page:
    """Draw what every page has around it, and give the page that is open, to be run.

    What is drawn here stays where it is when somebody goes to another page. Ends the run where
    somebody has to sign in and has not.
    """
    # Without its icon: as the icon of the tab Streamlit would ask Google for it.
    pages = [st.Page(path, title=title) for path, title, _ in _PAGES]
    page = st.navigation(pages, position="hidden")
    st.set_page_config(
        page_title=f"{page.title} · Footnote",
        page_icon=str(_WEB / "icon.png"),
        menu_items={"About": "Footnote answers from your own documents, with citations to check."},
    )
    st.logo(str(_WEB / "logo.svg"), icon_image=str(_WEB / "icon.png"), size="large")
    service = state.page_service()
    context = state.open_context(service, require_login(service))
    with st.sidebar:
        with st.container(gap="xsmall"):
            for path, title, icon in _PAGES:
                if icon:
                    st.page_link(path, label=title, icon=icon, width="stretch")
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
    return page


def open_page(*, wide: bool = False) -> PageContext:
    """Begin a page; the first call on each. Gives the service and the session that is open."""
    st.set_page_config(layout="wide" if wide else "centered")
    return state.page_context()


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
