"""Citations that a person checks one by one, and the review that can be handed on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from datetime import datetime, tzinfo

import streamlit as st

from core.answering.exports.review import Checked, review_html
from core.citations.uses import Use
from core.types import Answer, Check, Message
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
    context: PageContext, message: Message, question: str, marks: Sequence[Use]
) -> None:
    """How much is checked, and the review as a file; nothing before the first check."""
    if not message.checks or message.answer is None:
        return
    done = sum(check.agrees is not None for check in message.checks)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{done} of {count(len(marks), 'citation')} checked")
        st.download_button(
            "Export the review",
            functools.partial(
                _review, context, message.answer, message.checks, question, marks, browser_zone()
            ),
            file_name="review.html",
            mime="text/html",
            icon=":material/fact_check:",
            on_click="ignore",
            type="tertiary",
            key=f"review-{message.id}",
        )


def _review(
    context: PageContext,
    answer: Answer,
    checks: Sequence[Check],
    question: str,
    marks: Sequence[Use],
    zone: tzinfo,
) -> str:
    """Made when the person clicks: every page is drawn for it."""
    citations = {citation.number: citation for citation in answer.citations}
    found = {check.mark: check for check in checks}
    evidence = context.service.documents.evidence
    checked = [
        Checked(
            use,
            citations[use.number],
            found.get(at),
            evidence(context.session, citations[use.number], use.spans),
        )
        for at, use in enumerate(marks)
    ]
    who = f"by {context.person.name} " if context.person else ""
    today = datetime.now(zone)
    signed = f"Checked {who}on {today:%d %B %Y}, with the sources as they were then."
    return review_html(question, answer, checked, signed, zone)
