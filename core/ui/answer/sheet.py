"""A sheet whose sources open: the same for answers and for the hits of a search."""

from __future__ import annotations

import base64
import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from core.citations.uses import Use
from core.errors import AppError
from core.types import Check, Citation
from core.ui.answer.evidence import evidence_view
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_error, show_errors
from core.ui.shell.formatting import format_size
from core.ui.shell.time_zone import browser_zone
from core.ui.web.components import draw_sheet

LONGEST_QUERY = 300
MOST_QUERIES = 5
_LONGEST_FIND = 200
"""Characters to look for in a document."""
_LARGEST_SENT = 30_000_000
"""Bytes of an original that are sent to the page at once."""
_WHOLE_PAGE = "sheet-for-whole-page"
_FAILED = "sheet-failed"

Sources = Mapping[str, Sequence[Citation]]
"""The sources that can be opened, by the group in which the sheet lists them."""

Marks = Sequence[Use]
"""What each mark of the answer stands for."""


@st.fragment
def show_sheet(
    context: PageContext,
    content: dict[str, Any],
    sources: Sources,
    *,
    key: str,
    marks: Marks = (),
    answer: int | None = None,
    arriving: bool = False,
    again: Callable[[list[str]], None] | None = None,
    edit: Callable[[], None] | None = None,
    checks: Sequence[Check] | None = None,
    check: Callable[[Check], None] | None = None,
    export: Callable[[], None] | None = None,
    share: Callable[[], None] | None = None,
) -> None:
    """Draw a sheet; a click on a source opens its evidence beside it, a second one closes it.

    For that only the sheet is drawn anew; after everything else that is done in it the whole page.
    `answer` is the id of the message, where the address of the page is to name the citation that
    is open. `again` gets the queries that a person edited, to search with them; `edit` is called
    for a question that is to be written anew, `check` with what a person found, as in `checks`,
    `export` to have the answer as a file, `share` to share it, where the content has a word for
    that.
    """
    if st.session_state.pop(_WHOLE_PAGE, False):
        st.rerun()
    now = state.opened(key)
    if now and answer is not None:
        named = sources.get("cited", ())[now.index :][:1] if now.group == "cited" else ()
        link = [state.CitationLink(citation.number, answer) for citation in named]
        state.put_in_address(link[0] if link else None)
    draw_sheet(
        content,
        key=key,
        arriving=arriving,
        opened=now.name if now else "",
        use=now.use if now else None,
        evidence=_evidence(context, now, sources, marks) if now else None,
        file=st.session_state.pop(f"{key}-original", None),
        on_open=functools.partial(_open, key, sources, marks),
        on_page=functools.partial(_turn, key),
        on_find=functools.partial(_find, context, key, sources),
        on_close=lambda _: state.close_evidence(),
        on_keep=lambda _: _keep(context, state.opened(key), sources),
        on_again=functools.partial(_again, again) if again else None,
        checks=None if checks is None else [asdict(one) for one in checks],
        on_check=functools.partial(_check, check, marks) if check else None,
        on_edit=functools.partial(_for_page, edit) if edit else None,
        on_export=functools.partial(_for_page, export) if export else None,
        on_share=functools.partial(_for_page, share) if share else None,
        on_original=lambda _: _fetch_original(context, key, sources),
    )
    failed = st.session_state.pop(_FAILED, None)
    if isinstance(failed, AppError):
        show_error(failed)


def _for_page(then: Callable[[], None], _: dict[str, Any]) -> None:
    """Do what concerns more of the page than the sheet."""
    st.session_state[_WHOLE_PAGE] = True
    then()


@contextmanager
def _errors_below() -> Iterator[None]:
    """Show an error of ours below the sheet: a callback has no place of its own in the page."""
    try:
        yield
    except AppError as error:
        st.session_state[_FAILED] = error


def _evidence(
    context: PageContext, now: state.Opened, sources: Sources, marks: Marks
) -> dict[str, Any] | None:
    group = sources.get(now.group, ())
    if now.index >= len(group):
        return None
    claim = marks[now.use].spans if now.use is not None and now.use < len(marks) else ()
    with show_errors():
        evidence = state.evidence(context, group[now.index], now.turned, claim, now.search)
        keepable = evidence.keepable and context.may("documents.keep_page")
        return evidence_view(replace(evidence, keepable=keepable), now.search, browser_zone())
    return None


def _open(key: str, sources: Sources, marks: Marks, sent: dict[str, Any]) -> None:
    """What the browser sends is checked: a browser can be made to send anything."""
    group, index, use = sent.get("group"), sent.get("index"), sent.get("use")
    if not isinstance(use, int) or not 0 <= use < len(marks):
        use = None
    if (
        isinstance(group, str)
        and isinstance(index, int)
        and 0 <= index < len(sources.get(group, ()))
    ):
        if (before := state.opened()) and before.sheet != key:
            st.session_state[_WHOLE_PAGE] = True  # the other sheet closes its evidence
        state.open_evidence(key, group, index, use, toggle=sent.get("walk") is not True)


def _fetch_original(context: PageContext, key: str, sources: Sources) -> None:
    """Send the file of the source that is open along with the next run of the page."""
    now = state.opened(key)
    group = sources.get(now.group, ()) if now else ()
    if now is None or now.index >= len(group):
        return
    citation = group[now.index]
    with _errors_below():
        path = context.service.documents.original(context.session, citation.document_id)
        size = path.stat().st_size
        if size > _LARGEST_SENT:
            st.toast(f"This file has {format_size(size)}. Files over 30 MB are not opened here.")
            return
        document = context.service.documents.get(context.session, citation.document_id)
        st.session_state[f"{key}-original"] = {
            "name": document.name,
            "data": base64.b64encode(path.read_bytes()).decode(),
            "page": citation.page_ordinal + now.turned + 1,
            "at": time.time(),
        }


def _keep(context: PageContext, now: state.Opened | None, sources: Sources) -> None:
    """Put the page of the web that is open into the library."""
    group = sources.get(now.group, ()) if now else ()
    if now and now.index < len(group):
        with _errors_below():
            context.service.documents.keep_page(context.session, group[now.index].document_id)
            st.toast("Kept in your library. It is being read as a whole.")
        state.forget_evidence()


def _again(then: Callable[[list[str]], None], sent: dict[str, Any]) -> None:
    lines = sent.get("queries")
    if not isinstance(lines, list):
        return
    queries = [line.strip()[:LONGEST_QUERY] for line in lines if isinstance(line, str)]
    if queries := [query for query in queries if query][:MOST_QUERIES]:
        st.session_state[_WHOLE_PAGE] = True
        then(queries)


def _check(then: Callable[[Check], None], marks: Marks, sent: dict[str, Any]) -> None:
    mark, agrees, note = sent.get("mark"), sent.get("agrees"), sent.get("note")
    if isinstance(mark, int) and 0 <= mark < len(marks) and isinstance(note, str):
        st.session_state[_WHOLE_PAGE] = True
        then(Check(mark, agrees if isinstance(agrees, bool) else None, note))


def _find(context: PageContext, key: str, sources: Sources, sent: dict[str, Any]) -> None:
    """Look for words in the document that is open, go to another match, or end the search."""
    now = state.opened(key)
    group = sources.get(now.group, ()) if now else ()
    if now is None or now.index >= len(group):
        return
    citation, words, delta = group[now.index], sent.get("words"), sent.get("delta")
    if isinstance(words, str) and words.strip():
        with _errors_below():
            words = words[:_LONGEST_FIND]
            matches = context.service.documents.find(context.session, citation.document_id, words)
            state.find_in_document(key, words, matches, citation.page_ordinal)
    elif delta in (-1, 1):
        state.next_match(key, delta, citation.page_ordinal)
    else:
        state.close_search(key)


def _turn(key: str, sent: dict[str, Any]) -> None:
    if sent.get("delta") in (-1, 1):
        state.turn_page(key, sent["delta"])
