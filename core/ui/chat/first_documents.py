"""The way from an empty library to documents that can be asked."""

from __future__ import annotations

import streamlit as st

from core.types import Document, DocumentKind, DocumentState
from core.ui.documents.upload import add_files, show_results
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.formatting import count

_UNREADY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)


def show_first_step(context: PageContext) -> None:
    """Offer the sample library, or the way to documents of one's own."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            "Load the sample library",
            type="primary",
            icon=":material/library_books:",
            on_click=_load_samples,
            args=(context,),
        )
        st.page_link(
            "pages/1_Documents.py", label="Add folders or web pages", icon=":material/upload_file:"
        )
    files = st.file_uploader(
        f"Or drop your own files here: {DocumentKind.files()}",
        accept_multiple_files=True,
        key=f"first-files-{state.number('files')}",
    )
    if files:
        add_files(context, files)
        if context.service.documents.list(context.session):
            st.rerun()
        if not st.session_state.get("given"):  # else it is shown above the box
            show_results(context)


def show_way_to_documents(label: str) -> None:
    """A link to the page on which documents that failed or are left out are mended."""
    st.page_link("pages/1_Documents.py", label=label, icon=":material/folder_open:")


def being_read(documents: list[Document]) -> bool:
    """Whether some documents are not ready yet."""
    return any(document.state in _UNREADY for document in documents)


@st.fragment(run_every=0.7)
def show_reading(context: PageContext) -> None:
    """Show how far the documents are; draw the page anew when all are ready."""
    documents = context.service.documents.list(context.session)
    unready = [document for document in documents if document.state in _UNREADY]
    if not unready:
        st.rerun()
    done = sum(1.0 if d.state not in _UNREADY else d.progress for d in documents)
    st.progress(
        min(done / len(documents), 1.0),
        text=f"Reading {count(len(unready), 'document')}. {_when_to_ask(documents, unready)}",
    )


def _when_to_ask(documents: list[Document], unready: list[Document]) -> str:
    if any(document.state is DocumentState.READY for document in documents):
        return "What is ready can be asked already."
    return f"You can ask as soon as {'it is' if len(unready) == 1 else 'they are'} ready."


def _load_samples(context: PageContext) -> None:
    with show_errors():
        context.service.documents.load_samples(context.session)
        context.service.sessions.set_preferences(context.session, {"samples": True})
