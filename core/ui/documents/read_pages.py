"""Pages of the web that were read for answers: to be kept in the library, or removed at once."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from core.types import Document
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.formatting import count
from core.ui.shell.time_zone import browser_zone

_SHOWN = 25


def show_read_pages(context: PageContext) -> None:
    """A folded list, newest first; nothing where no page was read."""
    pages = context.service.documents.read_pages(context.session)
    if not pages:
        return
    with st.expander(f"Web pages read for answers: {len(pages):,}", icon=":material/language:"):
        st.caption(
            "They are searched with your documents until they expire. The sources of answers stay."
        )
        for page in reversed(pages[-_SHOWN:]):
            _row(context, page)
        if len(pages) > _SHOWN:
            st.caption(f"{count(len(pages) - _SHOWN, 'earlier page')} not shown.")
        if context.may("documents.remove"):
            st.button("Remove all", on_click=_remove, args=(context, [p.id for p in pages]))


def _row(context: PageContext, page: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None):
            st.text(printable(page.title or page.label))
            st.caption(escape_markdown(" · ".join(_facts(page))))
        if context.may("documents.keep_page"):
            st.button("Keep", key=f"keep-{page.id}", on_click=_keep, args=(context, page.id))
            st.button(
                "Remove", key=f"forget-{page.id}", on_click=_remove, args=(context, [page.id])
            )


def _facts(page: Document) -> list[str]:
    """Where it stands, when it was read, and how long it is searched."""
    left = page.expires_at - datetime.now(UTC) if page.expires_at else None
    hours = max(0, round(left.total_seconds() / 3600)) if left else 0
    searched = f"searched for {count(hours, 'more hour')}" if hours else "expired"
    read_on = page.read_at.astimezone(browser_zone()).date().isoformat() if page.read_at else ""
    host = printable(page.url).partition("://")[2].partition("/")[0]
    return [host, f"read {read_on}", count(page.chunks, "passage"), searched]


def _keep(context: PageContext, document_id: str) -> None:
    with show_errors():
        context.service.documents.keep_page(context.session, document_id)
    state.forget_evidence()


def _remove(context: PageContext, document_ids: list[str]) -> None:
    with show_errors():
        for document_id in document_ids:
            context.service.documents.remove(context.session, document_id)
    state.forget_evidence()
