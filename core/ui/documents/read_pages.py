"""Pages of the web that were read for answers: to be kept in the library, or removed at once."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from core.types import Document
from core.ui.answer.markdown import plain, shown
from core.ui.shell import failures, state
from core.ui.shell.state import Desk
from core.ui.shell.words import count

_SHOWN = 25


def show(desk: Desk) -> None:
    """A folded list, newest first; nothing where no page was read."""
    pages = desk.service.read_pages(desk.session)
    if not pages:
        return
    noun = count(len(pages), "page")
    with st.expander(f"Read for answers: {noun} of the web", icon=":material/language:"):
        st.caption("Searched with your documents until they expire. An answer's sources stay.")
        for page in reversed(pages[-_SHOWN:]):
            _row(desk, page)
        if len(pages) > _SHOWN:
            st.caption(f"{count(len(pages) - _SHOWN, 'earlier page')} not shown.")
        if desk.may("remove"):
            st.button("Remove all of them", on_click=_remove, args=(desk, [p.id for p in pages]))


def _row(desk: Desk, page: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None):
            st.text(shown(page.title or page.label))
            st.caption(plain(" · ".join(_facts(page))))
        if desk.may("keep_page"):
            st.button("Keep", key=f"keep-{page.id}", on_click=_keep, args=(desk, page.id))
            st.button("Remove", key=f"forget-{page.id}", on_click=_remove, args=(desk, [page.id]))


def _facts(page: Document) -> list[str]:
    """Where it stands, when it was read, and how long it is searched."""
    left = page.expires_at - datetime.now(UTC) if page.expires_at else None
    hours = max(0, round(left.total_seconds() / 3600)) if left else 0
    searched = f"searched for {count(hours, 'more hour')}" if hours else "expired"
    host = shown(page.url).partition("://")[2].partition("/")[0]
    return [host, f"read {page.read_at}", count(page.chunks, "passage"), searched]


def _keep(desk: Desk, document_id: str) -> None:
    with failures.told():
        desk.service.keep_page(desk.session, document_id)
    state.forget_evidence()


def _remove(desk: Desk, document_ids: list[str]) -> None:
    with failures.told():
        for document_id in document_ids:
            desk.service.remove(desk.session, document_id)
    state.forget_evidence()
