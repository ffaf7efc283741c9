"""The first screen of the Chat page: what this is, and the shortest way to a first answer."""

from __future__ import annotations

import streamlit as st

from core.types import Document, DocumentState
from core.ui.answer.markdown import plain
from core.ui.chat import page as chat
from core.ui.shell import failures
from core.ui.shell.state import Desk
from core.ui.shell.words import count

UNREADY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_SUGGESTED = 4


def show(desk: Desk) -> None:
    """What stands where no question has been asked yet."""
    documents = desk.service.documents(desk.session)
    st.space("large")
    st.title("Ask your documents. Check every answer.", anchor=False)
    st.text(
        "Footnote answers from the documents that you give it, and marks each claim with its "
        "source.\nOne click on a mark shows the page it stands on, with the passage highlighted."
    )
    if not documents and desk.may("add_file"):
        _first_step(desk)
        return
    if not documents:
        st.caption("This session has no documents yet. Its editors can add some.")
        return
    if any(document.state in UNREADY for document in documents):
        _reading(desk)
    else:
        _ready(desk, documents)


def _first_step(desk: Desk) -> None:
    st.space("small")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            "Load the sample library",
            type="primary",
            icon=":material/library_books:",
            on_click=_load_samples,
            args=(desk,),
        )
        st.page_link(
            "pages/1_Documents.py", label="Add your own documents", icon=":material/upload_file:"
        )


def _load_samples(desk: Desk) -> None:
    with failures.told():
        desk.service.load_samples(desk.session)
        desk.service.set_preferences(desk.session, {"samples": True})


def _ready(desk: Desk, documents: list[Document]) -> None:
    searched = [d for d in documents if d.state is DocumentState.READY and d.searched]
    passages = sum(document.chunks for document in searched)
    st.caption(f"{count(len(searched), 'document')} ready, {count(passages, 'passage')} to search.")
    if desk.service.preferences(desk.session).get("samples"):
        st.space("small")
        st.markdown("**Try one of these**")
        with st.container(gap="xsmall"):
            for question in desk.service.suggestions(desk.session)[:_SUGGESTED]:
                st.button(
                    plain(question),
                    icon=":material/arrow_forward:",
                    on_click=chat.choose,
                    args=(question,),
                )


@st.fragment(run_every=0.7)
def _reading(desk: Desk) -> None:
    """How far the documents are; draws the page anew when all can be asked."""
    documents = desk.service.documents(desk.session)
    unready = [document for document in documents if document.state in UNREADY]
    if not unready:
        st.rerun()
    done = sum(1.0 if d.state not in UNREADY else d.progress for d in documents)
    st.progress(
        min(done / len(documents), 1.0),
        text=f"Reading {count(len(unready), 'document')}. You can ask as soon as they are ready.",
    )
