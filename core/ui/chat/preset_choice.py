"""Which preset a session answers with: how it searches, and the prompt of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.types import Indexing, Session

if TYPE_CHECKING:
    from core.service import Service

LABELS = {
    "balanced": "Balanced",
    "documents": "Documents: relevant and varied passages",
    "python-docs": "Python documentation: a summary of all passages",
    "stack-overflow": "Stack Overflow: a code example",
    "live-web": "Live web: many passages",
}
_HELP = (
    "Sets how documents are cut into passages, how these are searched for, and what a language "
    "model is asked to write from them. The documents are indexed for it, and searched as before "
    "until that is done. The Search page has every setting of the search."
)
_BESIDE_HELP = (
    "The documents stay indexed for these presets too, on the same pages: switching to one is "
    "immediate, and an evaluation can compare them. Each takes as much space as the first index."
)


def preset_input(service: Service, session: Session) -> None:
    """The choice; it is kept with the session and used by the API for this session too."""
    kept = service.sessions.indexing(session)
    name = st.selectbox(
        "Preset",
        list(LABELS),
        index=list(LABELS).index(kept.preset),
        format_func=LABELS.__getitem__,
        key=f"preset-{session.id}",
        help=_HELP,
    )
    beside = st.multiselect(
        "Indexed beside it",
        list(LABELS),
        default=kept.beside,
        format_func=LABELS.__getitem__,
        key=f"beside-{session.id}",
        help=_BESIDE_HELP,
    )
    again = _state(kept, session)
    if again or (name, set(beside) - {name}) != (kept.preset, set(kept.beside) - {name}):
        service.sessions.choose_preset(session, name, beside)
        if name != kept.preset:
            for key in [str(key) for key in st.session_state if str(key).startswith("search-")]:
                del st.session_state[key]  # the Search page begins with the new settings
        st.rerun()


def _state(kept: Indexing, session: Session) -> bool:
    """How far the session is indexed; returns whether to begin it now."""
    if kept.whole:
        return False
    if kept.reason:
        st.caption(f"{kept.reason} {kept.cure}")
        return st.button("Index the documents for it", key=f"index-{session.id}")
    st.caption(
        f"Indexing for it: {kept.done} of {kept.total} documents. They are searched as before."
    )
    return False
