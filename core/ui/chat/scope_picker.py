"""The scope of the next question: which documents it is asked of, chosen beside the box."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from core.types import Document, Origin, Scope
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import printable
from core.ui.web.components import chosen_scope, draw_scope

_ONCE, _LABEL, _TAKEN = "scope-once", "scope-label", "scope-taken"
_SCOPES = TypeAdapter(Scope)
ORIGINS = {
    Origin.UPLOAD: "Uploaded",
    Origin.WATCHED: "Watched folder",
    Origin.COLLECTION: "Collected",
    Origin.WEB: "From the web",
}


def offers_scope(context: PageContext) -> bool:
    """Whether there is something to choose among."""
    searched = context.service.documents.searched(context.session)
    return len(searched) > 1 or not current_scope(context).is_whole


@st.fragment
def show_scope_picker(context: PageContext) -> None:
    """The button that says how many documents are asked, and opens the choice of them."""
    documents = context.service.documents.searched(context.session)
    scope = current_scope(context)
    asked = sum(map(scope.holds, documents))
    label = f"Asking all {asked:,}" if scope.is_whole else f"Asking {asked:,} of {len(documents):,}"
    name = f"scope-{context.session.id}"
    if st.session_state.get(name):  # it is open, and another label would close it
        label = str(st.session_state.get(_LABEL, label))
    st.session_state[_LABEL] = label
    picker = st.popover(
        label,
        icon=":material/filter_list:",
        key=name,
        on_change="rerun",
    )
    if picker.open:
        with picker:
            draw_scope(
                [_row(document) for document in documents],
                _SCOPES.dump_python(scope, mode="json"),
                keep=_ONCE not in st.session_state,
                key=_key(context),
            )


def current_scope(context: PageContext) -> Scope:
    """The scope of the next question: its own, else the one that is kept for this session."""
    _take_choice(context)
    once = st.session_state.get(_ONCE)
    return once if isinstance(once, Scope) else _kept(context)


def take_scope(context: PageContext) -> Scope:
    """The scope of the question that is asked now; the next one has the kept scope again."""
    scope = current_scope(context)
    st.session_state.pop(_ONCE, None)
    return scope


def repeat_scope(scope: Scope) -> None:
    """Ask the next question of the documents of an earlier one."""
    st.session_state[_ONCE] = scope


def _take_choice(context: PageContext) -> None:
    """Take what was chosen last, once.

    A callback would do it too seldom: where a question follows at once, its run ends the one of
    the choice, at times before the callback, and what a trigger brings comes only once.
    """
    sent = chosen_scope(_key(context))
    if sent is None or sent == st.session_state.get(_TAKEN):
        return
    _choose(context, sent)
    st.session_state[_TAKEN] = sent  # only now: a run that is ended before leaves it to the next


def _choose(context: PageContext, sent: dict[str, Any]) -> None:
    """Keep a choice; a browser can be made to send anything."""
    scope = _read(sent.get("scope"))
    if scope.documents is not None:
        known = {document.id for document in context.service.documents.searched(context.session)}
        scope = replace(scope, documents=scope.documents & known)
    once = sent.get("keep") is False and not scope.is_whole
    _keep(context, Scope() if once else scope)
    if once:
        st.session_state[_ONCE] = scope
    else:
        st.session_state.pop(_ONCE, None)


def _kept(context: PageContext) -> Scope:
    if not context.may("sessions.set_preferences"):
        return _read(st.session_state.get(_tab(context)))  # the session's is not theirs to change
    return _read(context.service.sessions.preferences(context.session).get("scope"))


def _keep(context: PageContext, scope: Scope) -> None:
    kept = _SCOPES.dump_python(scope, mode="json")
    if not context.may("sessions.set_preferences"):
        st.session_state[_tab(context)] = kept
    elif scope != _kept(context):
        context.service.sessions.set_preferences(context.session, {"scope": kept})


def _key(context: PageContext) -> str:
    return f"scope-choice-{context.session.id}"


def _tab(context: PageContext) -> str:
    return f"scope-kept-{context.session.id}"


def _read(stored: object) -> Scope:
    """A scope as it was kept or sent; all documents where it is none."""
    try:
        return _SCOPES.validate_python(stored) if stored else Scope()
    except ValidationError:
        return Scope()


def _row(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "label": printable(document.label),
        "title": printable(document.title),
        "origin": document.origin.value,
        "from": ORIGINS[document.origin],
        "kind": document.kind.value if document.kind else "",
        "tags": list(document.tags),
        "type": document.kind.spec.label if document.kind else "",
        "added": document.added_at.isoformat() if document.added_at else "",
        "published": document.published,
    }
