"""The documents of a session: their rows, what can be done with them, and their preview."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st
from pydantic import SecretStr

from core.access.roles import ERASE_ANSWERS
from core.types import Chunk, CollectState, Document, DocumentState
from core.ui.documents.rows import (
    BUSY,
    FILTERS,
    ORDERS,
    ORIGINS,
    View,
    kind_of,
    overall_progress,
    row_view,
    summary,
    tags_of,
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
_NAMED = 5
"""Documents that a dialog names one by one."""
_LOOK_EVERY = 1.0  # seconds between two looks at work that is going on
_READ = 20_000
"""Characters of a page that the preview shows at once."""


def show_documents(context: PageContext) -> None:
    """The rows; they are looked at again and again only while there is work."""
    if asked := st.session_state.pop("asked_row", None):
        st.session_state["row_dialog"] = asked
    busy = _is_busy(context, context.service.documents.list(context.session))
    st.fragment(_rows, run_every=_LOOK_EVERY if busy else None)(context, busy)
    if opened := st.session_state.get("row_dialog"):
        _dialog(context, opened)


def _is_busy(context: PageContext, documents: Sequence[Document]) -> bool:
    """Whether documents are being read, or more of them are being collected."""
    return any(document.state in BUSY for document in documents) or any(
        run.state in (CollectState.WAITING, CollectState.RUNNING)
        for run in context.service.collecting.runs(context.session)
    )


def _rows(context: PageContext, busy: bool) -> None:
    documents = context.service.documents.list(context.session)
    if busy and not _is_busy(context, documents):
        st.rerun()  # nothing left to look at: the page goes on without looking
    _head(context, documents)
    if not documents:
        return
    view = _filters(documents)
    st.session_state["rows-view"] = view
    shown_documents = view.of(documents)
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
            total=len(shown_documents),
            groups=view.groups(shown_documents),
            selecting=f"{state.number('selecting')} {view}",
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


def _filters(documents: list[Document]) -> View:
    """What a person wants to see; only choices that make a difference are offered."""
    tags = tags_of(documents)
    if len(documents) <= _ROWS // 2 and not tags:
        return View()
    there = {document.origin for document in documents}
    origins = [name for name, origin in ORIGINS.items() if origin in there]
    kinds = sorted({kind_of(document) for document in documents} - {""})
    with st.container(horizontal=True, vertical_alignment="center"):
        states = st.segmented_control(
            "State", list(FILTERS), default="All", key="rows-state", label_visibility="collapsed"
        )
        words = st.text_input(
            "Filter", key="rows-words", placeholder="Find by name", label_visibility="collapsed"
        )
        tag = _choice("Tag", tags, 1)
        origin = _choice("Origin", origins, 2)
        kind = _choice("Type", kinds, 2)
        order = _choice("Order", list(ORDERS), 1)
        grouped = len(origins) > 1 and st.checkbox("Group by origin", key="rows-grouped")
    return View(states or "All", words, tag, origin, kind, order, grouped)


def _choice(label: str, options: list[str], least: int) -> str:
    """A box to choose one of the options, or none; nothing where there are too few."""
    if len(options) < least:
        return ""
    chosen = st.selectbox(
        label,
        options,
        index=None,
        placeholder=label,
        key=f"rows-{label.lower()}",
        label_visibility="collapsed",
        width=180,
    )
    return chosen or ""


def act(context: PageContext, sent: dict[str, Any]) -> None:
    """Do what a person asked for in a row, or for all that they selected.

    An id that is not theirs is not found.
    """
    if sent.get("many") is True:
        _act_on_many(context, sent)
        return
    action, document_id = sent.get("action"), sent.get("id")
    if action == "only-tag" and isinstance(tag := sent.get("value"), str):
        tags = tags_of(context.service.documents.list(context.session))
        st.session_state["rows-tag"] = tag if tag in tags else None
    if action == "only-origin" and sent.get("value") in list(ORIGINS):
        st.session_state["rows-origin"] = sent["value"]
    if not isinstance(document_id, str):
        return
    with show_errors():
        match action:
            case "searched":
                value = sent.get("value") is True
                context.service.documents.set_searched(context.session, document_id, value)
            case "retry":
                context.service.documents.retry(context.session, document_id)
            case "preview" | "remove" | "password":
                st.session_state["asked_row"] = (action, [document_id])


def _act_on_many(context: PageContext, sent: dict[str, Any]) -> None:
    documents = context.service.documents.list(context.session)
    if sent.get("all") is True:
        view = st.session_state.get("rows-view")
        ids = [document.id for document in (view.of(documents) if view else documents)]
    else:
        chosen = {one for one in sent.get("ids") or () if isinstance(one, str)}
        ids = [document.id for document in documents if document.id in chosen]
    room = context.service.documents
    with show_errors():
        match sent.get("action"):
            case "put-in":
                room.set_all_searched(context.session, ids, True)
            case "take-out":
                room.set_all_searched(context.session, ids, False)
            case "retry":
                room.retry_all(context.session, ids)
            case "tag" | "remove" as action if ids:
                st.session_state["asked_row"] = (action, ids)


def _stop(context: PageContext) -> None:
    with show_errors():
        context.service.documents.stop(context.session)


def _resume(context: PageContext) -> None:
    with show_errors():
        context.service.documents.resume(context.session)


def _retry_all(context: PageContext, document_ids: list[str]) -> None:
    with show_errors():
        context.service.documents.retry_all(context.session, document_ids)


def _dialog(context: PageContext, asked: tuple[str, list[str]]) -> None:
    action, document_ids = asked
    with show_errors():
        if len(document_ids) == 1:
            documents = [context.service.documents.get(context.session, document_ids[0])]
        else:
            wanted = set(document_ids)
            every = context.service.documents.list(context.session)
            documents = [document for document in every if document.id in wanted]
        match action:
            case "remove":
                _remove_dialog(context, documents)
            case "tag":
                _tag_dialog(context, documents)
            case "password":
                _password_dialog(context, documents[0])
            case _:
                _preview_dialog(context, documents[0])
        return
    _close()


def _close() -> None:
    st.session_state.pop("row_dialog", None)


def _named(documents: list[Document]) -> None:
    """The names of some documents, the first ones of many."""
    names = [printable(document.label) for document in documents[:_NAMED]]
    if len(documents) > _NAMED:
        names.append(f"and {count(len(documents) - _NAMED, 'other document')}")
    st.text("\n".join(names))


@st.dialog("Tags", on_dismiss=_close)
def _tag_dialog(context: PageContext, documents: list[Document]) -> None:
    _named(documents)
    known, theirs = tags_of(context.service.documents.list(context.session)), tags_of(documents)
    add = st.multiselect(
        "Add", known, accept_new_options=True, key="tags-add", placeholder="Choose or type a tag"
    )
    remove = st.multiselect("Remove", theirs, key="tags-remove") if theirs else []
    with st.container(horizontal=True):
        if st.button("Save", type="primary", key="save-tags"):
            with show_errors():
                ids = [document.id for document in documents]
                context.service.documents.tag(context.session, ids, add, remove)
                _close()
                st.rerun()
        if st.button("Cancel", key="keep-tags"):
            _close()
            st.rerun()


@st.dialog("Remove documents", on_dismiss=_close)
def _remove_dialog(context: PageContext, documents: list[Document]) -> None:
    _named(documents)
    collected = (
        " What was collected of them is erased too, and an uploaded dump that they came from."
    )
    said = collected if any(document.source for document in documents) else ""
    st.caption(
        f"Text, index and original files are erased from the disk.{said} "
        "Answers that quote them stay where they were kept."
    )
    answers = context.session.role.covers(ERASE_ANSWERS) and st.checkbox(
        "Also erase the answers that quote them",
        key="erase-answers",
        help="In everybody's conversations in this session, and in question sets and runs of the "
        "evaluation. Questions stay. Files that were exported stay.",
    )
    with st.container(horizontal=True):
        if st.button("Remove", type="primary", key="remove-document"):
            with show_errors():
                _remove(context, documents, answers)
            state.forget_evidence()
            state.advance("selecting")
            _close()
            st.rerun()
        if st.button("Cancel", key="keep-document"):
            _close()
            st.rerun()


@st.dialog("Password", on_dismiss=_close)
def _password_dialog(context: PageContext, document: Document) -> None:
    """Ask for the password of a PDF; the field is emptied as soon as it is taken."""
    st.text(printable(document.label))
    with st.form("unlock", border=False, clear_on_submit=True):
        password = st.text_input("Password", type="password", autocomplete="off")
        st.caption(
            "It is used to read the file once and is not stored. "
            "The text of the file is then in this session; its pages are not shown as images."
        )
        if st.form_submit_button("Read the file", type="primary") and password:
            with show_errors():
                context.service.documents.unlock(context.session, document.id, SecretStr(password))
                _close()
                st.rerun()


def _remove(context: PageContext, documents: list[Document], answers_too: bool) -> None:
    progress = st.progress(0.0) if len(documents) > 1 else None
    for done, document in enumerate(documents, 1):
        context.service.documents.remove(context.session, document.id, answers_too=answers_too)
        if progress is not None:
            progress.progress(done / len(documents), f"{done:,} of {len(documents):,} removed")


@st.dialog("Preview", width=880, on_dismiss=_close)
def _preview_dialog(context: PageContext, document: Document) -> None:
    """What was read, as the search has it."""
    st.text(printable(document.label))
    # Both are drawn at once: a tab that asks for a run loses the keyboard's focus while it waits,
    # and Escape would no longer close the dialog.
    text, chunks = st.tabs(["Extracted text", "Passages"])
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
        first = (at - 1) * _CHUNKS
        for number, chunk in enumerate(chunks[first : first + _CHUNKS], first + 1):
            with st.container(border=True):
                where = place(chunk.page_number, chunk.headings)
                st.text(f"{number} · {where}" if where else str(number))
                st.text(printable(chunk.text))
