"""Answers that people share in a session: shared and listed in the chat, read on their own page."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode

import streamlit as st

from core.access.roles import END_SHARING
from core.citations.uses import uses
from core.errors import NotFound
from core.types import SharedAnswer
from core.ui.answer import views
from core.ui.answer.sheet import show_sheet
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.layout import heading
from core.ui.shell.time_zone import browser_zone

_PAGE = "pages/6_Answer.py"
_ASKED = "sharing-asked"
_QUESTION = 90
"""Characters of a question in the list."""


def offers_sharing(context: PageContext) -> bool:
    """Whether there can be others to share with: where people sign in."""
    return context.person is not None and context.may("shared_answers.share")


def ask_to_share(message_id: int) -> None:
    """Open the dialog for an answer at the next run of the page."""
    st.session_state[_ASKED] = message_id


def show_sharing_if_asked(context: PageContext, conversation_id: str, message_id: int) -> None:
    """Open the dialog if that was just wanted for this answer."""
    if st.session_state.get(_ASKED) == message_id:
        del st.session_state[_ASKED]
        _share_dialog(context, conversation_id, message_id)


@st.dialog("Share this answer", on_dismiss="rerun")
def _share_dialog(context: PageContext, conversation_id: str, message_id: int) -> None:
    session = escape_markdown(context.session.name)
    asked = (context, conversation_id, message_id)
    with show_errors():
        messages = context.service.conversations.messages(context.session, conversation_id)
        shared = next(one.shared for one in messages if one.id == message_id)
        if not shared:
            st.markdown(
                f"Everybody who may open “{session}” can then read this question, its answer and "
                "its sources. The rest of your conversation stays yours alone."
            )
            st.button("Share", type="primary", on_click=_share, args=asked, key="share-answer")
            return
        st.markdown(f"Everybody who may open “{session}” can read it at this address:")
        st.code(_address(context, shared), language=None, wrap_lines=True)
        st.button("Stop sharing", on_click=_end, args=(context, shared), key="end-sharing")


def _share(context: PageContext, conversation_id: str, message_id: int) -> None:
    with show_errors():
        context.service.shared_answers.share(context.session, conversation_id, message_id)


def _end(context: PageContext, shared_id: str) -> None:
    with show_errors():
        context.service.shared_answers.end(context.session, shared_id)


def _address(context: PageContext, shared_id: str) -> str:
    """The page of a shared answer; the dialog that shows it belongs to the home page."""
    home = context.service.settings.public_url or st.context.url or ""
    return f"{home.rstrip('/')}/Answer?{urlencode(_query(context, shared_id))}"


def _query(context: PageContext, shared_id: str) -> dict[str, str]:
    return {"session": context.session.id, "shared": shared_id}


def show_shared_list(context: PageContext) -> None:
    """Offer the list of what is shared in the session (in the side bar), if anything is."""
    if context.service.shared_answers.list(context.session):
        with st.sidebar:
            pressed = st.button(
                "Shared answers", icon=":material/share:", type="tertiary", key="shared-answers"
            )
        if pressed:
            _list_dialog(context)


@st.dialog("Shared answers", on_dismiss="rerun")
def _list_dialog(context: PageContext) -> None:
    shared = context.service.shared_answers.list(context.session)
    if not shared:
        st.caption("No answer is shared in this session.")
    for one in shared:
        with st.container(border=True, key=f"shared-{one.id}"):
            question = one.question
            short = question if len(question) <= _QUESTION else f"{question[:_QUESTION]}…"
            st.page_link(_PAGE, label=escape_markdown(short), query_params=_query(context, one.id))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(escape_markdown(_by(one)))
                if one.mine or context.session.role.covers(END_SHARING):
                    st.button(
                        "Stop sharing",
                        type="tertiary",
                        key=f"end-{one.id}",
                        on_click=_end,
                        args=(context, one.id),
                    )


def _by(shared: SharedAnswer) -> str:
    who = "You" if shared.mine else shared.shared_by
    day = _day(shared.shared_at)
    return f"{who}, {day}" if who else day


def _day(moment: datetime) -> str:
    local = moment.astimezone(browser_zone())
    return f"{local.day} {local:%B %Y}"


def show_shared_answer(context: PageContext) -> None:
    """The answer that the address names, with its sources, or a word that it is not there."""
    try:
        shared = context.service.shared_answers.get(
            context.session, st.query_params.get("shared", "")
        )
    except NotFound:
        state.take_dead_link()  # one word is enough
        heading("Shared answer")
        st.warning(
            "There is no such answer here: it is no longer shared, its conversation was deleted, "
            "or it belongs to a session that you cannot open.",
            icon=":material/link_off:",
        )
        return
    assert shared.answer is not None
    heading("Shared answer", _by(shared))
    show_sheet(
        context,
        views.answer_view(shared.answer, shared.question, browser_zone()),
        {"cited": shared.answer.citations, "unused": shared.answer.unused},
        key=f"shared-{shared.id}",
        marks=uses(shared.answer.text, shared.answer.citations),
    )
