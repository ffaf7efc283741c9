"""The first screen of the Chat page: what this is, and the shortest way to a first answer."""

from __future__ import annotations

import streamlit as st

from core.types import Document, DocumentState
from core.ui.chat.page import ask_next
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

UNREADY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_SUGGESTED = 4


def show_welcome(context: PageContext) -> None:
    """What stands where no question has been asked yet."""
    documents = context.service.documents(context.session)
    st.space("large")
    st.title("Ask your documents. Check every answer.", anchor=False)
    st.text(
        "Footnote answers from the documents that you give it, and marks each claim with its "
        "source.\nOne click on a mark shows the page it stands on, with the passage highlighted."
    )
    if not documents and context.may("add_file"):
        _first_step(context)
        return
    if not documents:
        st.caption("This session has no documents yet. Its editors can add some.")
        return
    if any(document.state in UNREADY for document in documents):
        _reading(context)
    else:
        _ready(context, documents)


def _first_step(context: PageContext) -> None:
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            "Load the sample library",
            type="primary",
            icon=":material/library_books:",
            on_click=_load_samples,
            args=(context,),
        )
        st.page_link(
            "pages/1_Documents.py", label="Add your own documents", icon=":material/upload_file:"
        )


def _load_samples(context: PageContext) -> None:
    with show_errors():
        context.service.load_samples(context.session)
        context.service.set_preferences(context.session, {"samples": True})


def _ready(context: PageContext, documents: list[Document]) -> None:
    searched = [d for d in documents if d.state is DocumentState.READY and d.searched]
    passages = sum(document.chunks for document in searched)
    st.caption(f"{count(len(searched), 'document')} ready, {count(passages, 'passage')} to search.")
    if context.service.preferences(context.session).get("samples"):
        st.space("small")
        st.markdown("**Try one of these**")
        with st.container(gap="xsmall"):
            for question in context.service.suggestions(context.session)[:_SUGGESTED]:
                st.button(
                    escape_markdown(question),
                    icon=":material/arrow_forward:",
                    on_click=ask_next,
                    args=(question,),
                )


@st.fragment(run_every=0.7)
def _reading(context: PageContext) -> None:
    """How far the documents are; draws the page anew when all can be asked."""
    documents = context.service.documents(context.session)
    unready = [document for document in documents if document.state in UNREADY]
    if not unready:
        st.rerun()
    done = sum(1.0 if d.state not in UNREADY else d.progress for d in documents)
    st.progress(
        min(done / len(documents), 1.0),
        text=f"Reading {count(len(unready), 'document')}. You can ask as soon as they are ready.",
    )
