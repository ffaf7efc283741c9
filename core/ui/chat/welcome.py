"""The first screen of the Chat page: what this is, and the shortest way to a first answer."""

from __future__ import annotations

import functools

import streamlit as st

from core.answering.routes.silence import listed
from core.types import Document, DocumentState
from core.ui.chat.first_documents import (
    being_read,
    show_first_step,
    show_reading,
    show_way_to_documents,
)
from core.ui.chat.offers import show_offers
from core.ui.chat.suggestions import show_suggestions
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

_SUGGESTED = 4


def show_welcome(context: PageContext) -> None:
    """What stands where no question has been asked yet."""
    documents = context.service.documents.list(context.session)
    st.title("Ask your documents. Check every answer.", anchor=False)
    st.text(
        "Footnote answers questions from your documents, and marks each claim with its source.\n"
        "Click a mark to see the page with the passage highlighted."
    )
    if not documents and context.may("documents.add_file"):
        st.space("small")
        show_first_step(context)
        show_offers(context)
        return
    if not documents:
        st.caption("This session has no documents yet. Its editors can add some.")
        return
    _show_unread(documents)
    if being_read(documents):
        show_reading(context)
    else:
        _ready(context, documents)


def _show_unread(documents: list[Document]) -> None:
    """Name the documents that no answer can come from, and lead to the reasons."""
    unread = [d for d in documents if d.state in (DocumentState.FAILED, DocumentState.STOPPED)]
    if unread:
        names = escape_markdown(listed(unread))
        st.warning(
            f"{count(len(unread), 'document')} could not be read: {names}.",
            icon=":material/error:",
        )
        show_way_to_documents("See why")


def _ready(context: PageContext, documents: list[Document]) -> None:
    searched = [d for d in documents if d.state is DocumentState.READY and d.searched]
    passages = sum(document.chunks for document in searched)
    st.caption(f"{count(len(searched), 'document')} ready, {count(passages, 'passage')} to search.")
    look = functools.partial(context.service.documents.suggestions, context.session)
    show_suggestions("Try one of these", look, _SUGGESTED)
    show_offers(context)
