"""A conversation or one answer as a file, in the format that the person chooses."""

from __future__ import annotations

import functools
import re
from datetime import tzinfo

import streamlit as st

from core.answering.exports.registry import FORMS, FormName
from core.types import Conversation
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.time_zone import browser_zone

_ASKED = "export-asked"


def ask_for_export(message_id: int) -> None:
    """Ask for the format of an answer's file at the next run of the page."""
    st.session_state[_ASKED] = message_id


def show_export_if_asked(context: PageContext, conversation_id: str, message_id: int) -> None:
    """Ask for the format if that was just wanted for this answer."""
    if st.session_state.get(_ASKED) == message_id:
        del st.session_state[_ASKED]
        with show_errors():
            found = context.service.conversations.get(context.session, conversation_id)
            export_dialog(context, found, message_id)


@st.dialog("Export")
def export_dialog(
    context: PageContext, conversation: Conversation, message_id: int | None = None
) -> None:
    """Offer every format; the file is made when the person clicks."""
    what = "One answer" if message_id else "The whole conversation"
    st.caption(f"{what} of “{escape_markdown(conversation.title)}”, with its sources.")
    for name, form in FORMS.items():  # a button each: a choice would draw the dialog anew
        st.download_button(
            form.label,
            functools.partial(_file, context, conversation.id, name, message_id, browser_zone()),
            file_name=f"{file_name(conversation.title)}.{form.suffix}",
            mime=form.media_type.partition(";")[0],
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        st.caption(form.about)


def _file(
    context: PageContext,
    conversation_id: str,
    form: FormName,
    message_id: int | None,
    zone: tzinfo,
) -> bytes:
    export = context.service.conversations.export
    return export(context.session, conversation_id, form, message_id, zone)


def file_name(title: str) -> str:
    """A name without its ending that every system takes.

    >>> file_name("What is 1/2?")
    'What-is-1-2'
    """
    return re.sub(r"\W+", "-", title).strip("-")[:60] or "conversation"
