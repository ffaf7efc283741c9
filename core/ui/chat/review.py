"""Citations that a person checks one by one, and the review that can be handed on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from datetime import datetime, tzinfo

import streamlit as st

from core.answering.exports.review import Checked, Reviewed, review_html
from core.citations.uses import uses
from core.types import Answer, Check, Message
from core.ui.chat.exports import file_name
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.formatting import count
from core.ui.shell.time_zone import browser_zone


def keep_check(context: PageContext, message: Message, check: Check) -> None:
    """Keep what the person found in the answer of the open conversation."""
    conversation = state.conversation_id(context)
    if conversation:
        with show_errors():
            context.service.conversations.check(context.session, conversation, message.id, check)


def show_review(
    context: PageContext,
    question: str,
    message: Message,
    conversation: Sequence[tuple[str, Message | None]],
) -> None:
    """How much is checked, and the review as a file; nothing before the first check.

    Below the last checked answer of a conversation all of its reviews are offered as one file.
    """
    if not message.checks or message.answer is None:
        return
    marks = uses(message.answer.text, message.answer.citations)
    done = sum(check.agrees is not None for check in message.checks)
    checked = [(asked, one) for asked, one in conversation if one and one.answer and one.checks]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{done} of {count(len(marks), 'citation')} checked")
        _export_button("Export the review", f"review-{message.id}", context, [(question, message)])
        if len(checked) > 1 and checked[-1][1] is message:
            _export_button(f"Export all {len(checked)} reviews", "reviews", context, checked)


def _export_button(
    label: str, key: str, context: PageContext, checked: Sequence[tuple[str, Message]]
) -> None:
    st.download_button(
        label,
        functools.partial(_review, context, checked, browser_zone()),
        file_name=f"{label.split()[-1]}-{file_name(checked[0][0])}.html",
        mime="text/html",
        icon=":material/fact_check:",
        on_click="ignore",
        type="tertiary",
        key=key,
    )


def _review(context: PageContext, checked: Sequence[tuple[str, Message]], zone: tzinfo) -> str:
    """Made when the person clicks: every page is drawn for it."""
    reviewed = [
        Reviewed(question, message.answer, _checked(context, message.answer, message.checks))
        for question, message in checked
        if message.answer
    ]
    who = f"by {context.person.name} " if context.person else ""
    today = datetime.now(zone)
    signed = f"Checked {who}on {today:%d %B %Y}, with the sources as they were then."
    return review_html(reviewed, signed, zone)


def _checked(context: PageContext, answer: Answer, checks: Sequence[Check]) -> list[Checked]:
    citations = {citation.number: citation for citation in answer.citations}
    found = {check.mark: check for check in checks}
    evidence = context.service.documents.evidence
    return [
        Checked(
            use,
            citations[use.number],
            found.get(at),
            evidence(context.session, citations[use.number], use.spans),
        )
        for at, use in enumerate(uses(answer.text, answer.citations))
    ]
