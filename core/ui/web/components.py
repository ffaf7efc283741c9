"""The elements of our own that the pages draw with: the sheet, and the rows of documents.

They are components of Streamlit (`st.components.v2`) without a build step. Their HTML, CSS and
JavaScript are constants of this program, read from `core/ui/web`; documents, questions and answers
reach them as data only, which their JavaScript puts in as text.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.dataframe_util import is_dataframe_like

_WEB = Path(__file__).parent


def load_what_draws() -> None:
    """Load what Streamlit loads for the first component that has data: pandas, half a second."""
    is_dataframe_like({})


def draw_sheet(
    content: dict[str, Any],
    *,
    key: str,
    arriving: bool = False,
    opened: str = "",
    use: int | None = None,
    evidence: dict[str, Any] | None = None,
    file: dict[str, Any] | None = None,
    checks: list[dict[str, Any]] | None = None,
    on_open: Callable[[dict[str, Any]], None] | None = None,
    on_page: Callable[[dict[str, Any]], None] | None = None,
    on_find: Callable[[dict[str, Any]], None] | None = None,
    on_close: Callable[[dict[str, Any]], None] | None = None,
    on_keep: Callable[[dict[str, Any]], None] | None = None,
    on_again: Callable[[dict[str, Any]], None] | None = None,
    on_original: Callable[[dict[str, Any]], None] | None = None,
    on_edit: Callable[[dict[str, Any]], None] | None = None,
    on_check: Callable[[dict[str, Any]], None] | None = None,
    on_export: Callable[[dict[str, Any]], None] | None = None,
    on_share: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Draw an answer or a list of hits (`answer/views.py`), with the opened evidence beside it.

    An `arriving` sheet is scrolled to when it is drawn for the first time. `opened` names the
    source that is open, "group-index", `use` the mark that opened it. `file` is an original to
    open or to save: {"name", "data" in base64, "page", "at"}. `checks` are what was found so far,
    {"mark", "agrees", "note"}; None where nothing is to be checked.

    The callbacks get what the browser sent: `on_open` {"group", "index", "use"}, `on_page`
    {"delta"}, `on_find` {"words"}, {"delta"} or {} for the end, `on_check` one check, `on_again`
    {"queries"}, the others {}.
    """
    _sheet()(
        key=key,
        data={
            "turn": _turn(key, content),
            "content": content,
            "arriving": arriving,
            "opened": opened,
            "use": use,
            "evidence": evidence,
            "file": file,
            "checks": checks,
            "again": on_again is not None,
            "edit": on_edit is not None,
            "export": on_export is not None,
        },
        on_open_change=_sent(key, "open", on_open),
        on_page_change=_sent(key, "page", on_page),
        on_find_change=_sent(key, "find", on_find),
        on_close_change=_sent(key, "close", on_close),
        on_keep_change=_sent(key, "keep", on_keep),
        on_again_change=_sent(key, "again", on_again),
        on_original_change=_sent(key, "original", on_original),
        on_edit_change=_sent(key, "edit", on_edit),
        on_check_change=_sent(key, "check", on_check),
        on_export_change=_sent(key, "export", on_export),
        on_share_change=_sent(key, "share", on_share),
    )


def draw_document_rows(
    rows: list[dict[str, Any]],
    *,
    key: str,
    total: int,
    groups: dict[str, int],
    selecting: str,
    on_act: Callable[[dict[str, Any]], None],
) -> None:
    """Draw the rows of the Documents page: one page of `total`.

    Where there are `groups`, the rows stand below the names of theirs, with the size of each.
    Another `selecting` than before empties the selection. `on_act` gets {"action", "id", "value"},
    or for the selected rows {"action", "many", "all", "ids"}.
    """
    data = {"rows": rows, "total": total, "groups": groups, "selecting": selecting}
    turn = _turn(key, data)
    _documents()(key=key, data={"turn": turn, **data}, on_act_change=_sent(key, "act", on_act))


def draw_scope(
    documents: list[dict[str, Any]],
    scope: dict[str, Any],
    *,
    keep: bool,
    key: str,
) -> None:
    """Draw the choice of documents; `chosen_scope` gives what was chosen there."""
    _scope()(
        key=key,
        data={"documents": documents, "scope": scope, "keep": keep},
        on_choice_change=lambda: None,  # without one, Streamlit takes no state of this name
    )


def chosen_scope(key: str) -> dict[str, Any] | None:
    """What was chosen last, with "scope" and "keep", and never the same twice; None before."""
    choice = st.session_state.get(key, {}).get("choice")
    return choice if isinstance(choice, dict) else None


def draw_menu_closer() -> None:
    """Let the side bar close after a choice on a phone; draws nothing."""
    _menu()(key="closing-menu", height=1)


def draw_desk(edit: int = 0) -> None:
    """Keep what is typed into the box for questions, and fit the box to low windows.

    While an answer is written, the button with the key "stop" stands in the place of Send. A new
    number of `edit` moves the focus into the box. Draws nothing.
    """
    _desk()(key="desk", data={"edit": edit}, height=1)


def _turn(key: str, drawn: dict[str, Any]) -> tuple[str, int]:
    """This tab, and how many drawings of this key were different ones so far.

    By it `overtaken` in `dom.js` knows an older drawing that Streamlit hands over after a newer
    one, as may happen while the JavaScript is loaded for the first time.
    """
    turns = st.session_state.setdefault("turns", {})
    tab = turns.setdefault("tab", secrets.token_hex(4))
    last, turn = turns.get(key, (None, 0))
    if last != drawn:
        turn += 1
        turns[key] = (drawn, turn)
    return tab, turn


def _sent(key: str, name: str, then: Callable[[dict[str, Any]], None] | None) -> Callable[[], None]:
    """A callback that hands on what the browser sent, if it is what we expect at all, once.

    The same click comes twice where a fragment that runs every second was about to run: Streamlit
    sends what is pending with its run, and again by itself. Done twice, a click would undo itself.
    """

    def received() -> None:
        value = st.session_state.get(key, {}).get(name)
        done: dict[tuple[str, str], object] = st.session_state.setdefault("events-done", {})
        if then is None or not isinstance(value, dict) or done.get((key, name)) == value:
            return
        then(value)
        done[key, name] = value  # only now: a run that is stopped in `then` leaves it to the next

    return received


@functools.cache
def _sheet() -> ComponentRenderer:
    return st.components.v2.component(
        "footnote_sheet",
        html='<div class="root sheet"></div>',
        css=_read("base.css", "sheet.css"),
        js=_read(
            "dom.js", "tree.js", "card.js", "find.js", "evidence.js", "searched.js", "sheet.js"
        ),
    )


@functools.cache
def _documents() -> ComponentRenderer:
    return st.components.v2.component(
        "footnote_documents",
        html='<div class="root documents"></div>',
        css=_read("base.css", "documents.css"),
        js=_read("dom.js", "documents.js"),
    )


@functools.cache
def _scope() -> ComponentRenderer:
    return st.components.v2.component(
        "footnote_scope",
        html='<div class="root scope"></div>',
        css=_read("base.css", "scope.css"),
        js=_read("dom.js", "scope.js"),
    )


@functools.cache
def _menu() -> ComponentRenderer:
    return st.components.v2.component(
        "footnote_menu",
        html="<div></div>",
        css=_read("menu.css"),
        js=_read("menu.js"),
        isolate_styles=False,  # they are about what every page has, which is Streamlit's
    )


@functools.cache
def _desk() -> ComponentRenderer:
    return st.components.v2.component(
        "footnote_desk",
        html="<div></div>",
        css=_read("desk.css"),
        js=_read("desk.js"),
        isolate_styles=False,  # they are about the box, which is Streamlit's
    )


def _read(*names: str) -> str:
    """The files one after another: one module of JavaScript, or one sheet of styles."""
    return "\n".join((_WEB / name).read_text("utf-8") for name in names)
