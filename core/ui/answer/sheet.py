"""A sheet whose sources open: the same for answers and for the hits of a search."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.types import Citation
from core.ui.answer.evidence import evidence_view
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.web.components import draw_sheet

LONGEST_QUERY = 300
MOST_QUERIES = 5

Sources = Mapping[str, Sequence[Citation]]
"""The sources that can be opened, by the group in which the sheet lists them."""


def show_sheet(
    context: PageContext,
    content: dict[str, Any],
    sources: Sources,
    *,
    key: str,
    arriving: bool = False,
    roomy: bool = False,
    again: Callable[[list[str]], None] | None = None,
) -> None:
    """Draw a sheet; a click on a source opens its evidence beside it, a second one closes it.

    `again` gets the queries that a person edited, to search with them.
    """
    now = state.opened(key)
    draw_sheet(
        content,
        key=key,
        arriving=arriving,
        roomy=roomy,
        opened=now.name if now else "",
        evidence=_evidence(context, now, sources) if now else None,
        on_open=functools.partial(_open, key, sources),
        on_page=functools.partial(_turn, key),
        on_close=lambda _: state.close_evidence(),
        on_keep=lambda _: _keep(context, state.opened(key), sources),
        on_again=functools.partial(_again, again) if again else None,
    )


def evidence_is_open(page: str) -> bool:
    """Whether a source is open in a sheet whose key begins so: the page is then drawn wide."""
    now = state.opened()
    return now is not None and now.sheet.startswith(page)


def _evidence(context: PageContext, now: state.Opened, sources: Sources) -> dict[str, Any] | None:
    group = sources.get(now.group, ())
    if now.index >= len(group):
        return None
    with show_errors():
        evidence = state.evidence(context, group[now.index], now.turned)
        keepable = evidence.keepable and context.may("documents.keep_page")
        return evidence_view(replace(evidence, keepable=keepable))
    return None


def _open(key: str, sources: Sources, sent: dict[str, Any]) -> None:
    """What the browser sends is checked: a browser can be made to send anything."""
    group, index = sent.get("group"), sent.get("index")
    if (
        isinstance(group, str)
        and isinstance(index, int)
        and 0 <= index < len(sources.get(group, ()))
    ):
        state.open_evidence(key, group, index)


def _keep(context: PageContext, now: state.Opened | None, sources: Sources) -> None:
    """Put the page of the web that is open into the library."""
    group = sources.get(now.group, ()) if now else ()
    if now and now.index < len(group):
        with show_errors():
            context.service.documents.keep_page(context.session, group[now.index].document_id)
            st.toast("Kept in your library. It is being read as a whole.")
        state.forget_evidence()


def _again(then: Callable[[list[str]], None], sent: dict[str, Any]) -> None:
    lines = sent.get("queries")
    if not isinstance(lines, list):
        return
    queries = [line.strip()[:LONGEST_QUERY] for line in lines if isinstance(line, str)]
    if queries := [query for query in queries if query][:MOST_QUERIES]:
        then(queries)


def _turn(key: str, sent: dict[str, Any]) -> None:
    if sent.get("delta") in (-1, 1):
        state.turn_page(key, sent["delta"])
