"""The documents of a session: their rows, what can be done with them, and their preview."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.access.roles import ERASE_ANSWERS
from core.types import Chunk, Document, DocumentState
from core.ui.documents.rows import (
    BUSY,
    FILTERS,
    filtered,
    overall_progress,
    row_view,
    summary,
    worth_retrying,
)
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import count, place
from core.ui.web.components import draw_document_rows

_ROWS = 25
_CHUNKS = 10
_LOOK_EVERY = 1.0  # seconds between two looks at work that is going on
_READ = 20_000
"""Characters of a page that the preview shows at once."""


def show_documents(context: PageContext) -> None:
    """The rows; they are looked at again and again only while there is work."""
    if asked := st.session_state.pop("asked_row", None):
        st.session_state["row_dialog"] = asked
    busy = any(
        document.state in BUSY for document in context.service.documents.list(context.session)
    )
    st.fragment(_rows, run_every=_LOOK_EVERY if busy else None)(context, busy)
    if opened := st.session_state.get("row_dialog"):
        _dialog(context, opened)


def _rows(context: PageContext, busy: bool) -> None:
    documents = context.service.documents.list(context.session)
    if busy and not any(document.state in BUSY for document in documents):
        st.rerun()  # nothing left to look at: the page goes on without looking
    _head(context, documents)
    if not documents:
        return
    shown_documents = _filters(documents)
    pages = -(-len(shown_documents) // _ROWS)
    slot = st.container()
    at = 1
    if pages > 1:
        with st.container(horizontal_alignment="center"):
            at = st.pagination(pages, key=f"rows-page-{pages}")
    drawn, may = shown_documents[(at - 1) * _ROWS : at * _ROWS], context.may("documents.remove")
    with slot:
        if not shown_documents:
            st.caption("No document matches this filter.")
        draw_document_rows(
            [row_view(document, may) for document in drawn],
            key="rows",
            on_act=lambda sent: act(context, sent),
        )
    if "asked_row" in st.session_state:
        st.rerun()  # a dialog belongs to the whole page, not to the part that is drawn again


def _head(context: PageContext, documents: list[Document]) -> None:
    working = [document for document in documents if document.state in BUSY]
    stopped = any(document.state is DocumentState.STOPPED for document in documents)
    failed = [document for document in documents if document.state is DocumentState.FAILED]
    again = [document.id for document in failed if worth_retrying(document)]
    may = context.may("documents.stop")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(summary(documents))
        if working and may:
            st.button("Stop", icon=":material/stop_circle:", on_click=_stop, args=(context,))
        if stopped and may:
            st.button("Resume", icon=":material/play_circle:", on_click=_resume, args=(context,))
        if again and may:
            st.button(
                f"Retry {len(again)} failed",
                icon=":material/refresh:",
                on_click=_retry_all,
                args=(context, again),
            )
    if len(failed) > len(again) and may:
        st.caption(
            f"Another try cannot read {count(len(failed) - len(again), 'file')}: "
            "the list says for each what would help."
        )
    if working:
        st.progress(overall_progress(documents))


def _filters(documents: list[Document]) -> list[Document]:
    if len(documents) <= _ROWS // 2:
        return documents
    with st.container(horizontal=True, vertical_alignment="center"):
        states = st.segmented_control(
            "State", list(FILTERS), default="All", key="rows-state", label_visibility="collapsed"
        )
        words = st.text_input(
            "Filter", key="rows-words", placeholder="Filter by name", label_visibility="collapsed"
        )
    return filtered(documents, states or "All", words)


def act(context: PageContext, sent: dict[str, Any]) -> None:
    """Do what a person asked for in a row; an id that is not theirs is not found."""
    action, document_id = sent.get("action"), sent.get("id")
    if not isinstance(document_id, str):
        return
    with show_errors():
        match action:
            case "searched":
                value = sent.get("value") is True
                context.service.documents.set_searched(context.session, document_id, value)
            case "retry":
                context.service.documents.retry(context.session, document_id)
            case "preview" | "remove":
                st.session_state["asked_row"] = (action, document_id)


def _stop(context: PageContext) -> None:
    with show_errors():
        context.service.documents.stop(context.session)


def _resume(context: PageContext) -> None:
    with show_errors():
        context.service.documents.resume(context.session)


def _retry_all(context: PageContext, document_ids: list[str]) -> None:
    with show_errors():
        for document_id in document_ids:
            context.service.documents.retry(context.session, document_id)


def _dialog(context: PageContext, asked: tuple[str, str]) -> None:
    action, document_id = asked
    with show_errors():
        document = context.service.documents.get(context.session, document_id)
        if action == "remove":
            _remove_dialog(context, document)
        else:
            _preview_dialog(context, document)
        return
    _close()


def _close() -> None:
    st.session_state.pop("row_dialog", None)


@st.dialog("Remove document", on_dismiss=_close)
def _remove_dialog(context: PageContext, document: Document) -> None:
    st.text(printable(document.label))
    collected = " So is what was collected of it, and an uploaded dump that it came from."
    st.caption(
        "Its text, its index and the original file are erased from the disk."
        f"{collected if document.source else ''} Answers that quote it stay where they were kept."
    )
    answers = context.session.role.covers(ERASE_ANSWERS) and st.checkbox(
        "Also erase the answers that quote it",
        key="erase-answers",
        help="In everybody's conversations in this session, and in golden sets and runs of the "
        "evaluation. Questions stay. What somebody has exported is not reached.",
    )
    with st.container(horizontal=True):
        if st.button("Remove", type="primary", key="remove-document"):
            with show_errors():
                context.service.documents.remove(context.session, document.id, answers_too=answers)
            state.forget_evidence()
            _close()
            st.rerun()
        if st.button("Cancel", key="keep-document"):
            _close()
            st.rerun()


@st.dialog("Preview", width=880, on_dismiss=_close)
def _preview_dialog(context: PageContext, document: Document) -> None:
    """What was read, as the search has it."""
    st.text(printable(document.label))
    # Both are drawn at once: a tab that asks for a run loses the keyboard's focus while it waits,
    # and Escape would no longer close the dialog.
    text, chunks = st.tabs(["Extracted text", "Chunks"])
    with text:
        _pages(context, document)
    with chunks:
        _chunks(context.service.documents.chunks(context.session, document.id))


def _pages(context: PageContext, document: Document) -> None:
    pages = context.service.documents.pages(context.session, document.id)
    if not pages:
        st.caption("No text was found.")
        return
    at = st.pagination(len(pages), key="preview-page") if len(pages) > 1 else 1
    page = pages[min(at, len(pages)) - 1]
    said = [f"page {page.number}" if page.number else "", f"{len(page.text):,} characters"]
    st.caption(" · ".join([part for part in said if part] + ["read by OCR"] * page.ocr))
    with st.container(height=460, border=True):
        st.text(printable(page.text[:_READ]) or "This page has no text.")
        if len(page.text) > _READ:
            st.caption("The rest of this long page is not shown here.")


def _chunks(chunks: list[Chunk]) -> None:
    pages = -(-len(chunks) // _CHUNKS)
    at = st.pagination(pages, key="preview-chunks") if pages > 1 else 1
    with st.container(height=460, border=False):
        for chunk in chunks[(at - 1) * _CHUNKS : at * _CHUNKS]:
            with st.container(border=True):
                where = place(chunk.page_number, chunk.headings)
                st.text(f"{chunk.ordinal + 1} · {where}" if where else str(chunk.ordinal + 1))
                st.text(printable(chunk.text))
