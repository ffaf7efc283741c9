"""Which preset a session answers with: how it searches, and the prompt of a model."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import streamlit as st

from core.retrieval.presets import PRESETS
from core.types import Session

if TYPE_CHECKING:
    from core.service import Service

USUAL = "balanced"
LABELS = {
    "balanced": "Balanced",
    "documents": "Documents: relevant and varied passages",
    "python-docs": "Python documentation: a summary of all passages",
    "stack-overflow": "Stack Overflow: a code example",
    "live-web": "Live web: many passages",
}
_HELP = (
    "Sets how passages are searched for, and what a language model is asked to write from them. "
    "The Search page has every setting of the search."
)


def preset_input(service: Service, session: Session) -> None:
    """The choice; it is kept with the session and used by the API for this session too."""
    kept = str(service.sessions.preferences(session).get("preset", USUAL))
    name = st.selectbox(
        "Preset",
        list(LABELS),
        index=list(LABELS).index(kept) if kept in LABELS else 0,
        format_func=LABELS.__getitem__,
        key=f"preset-{session.id}",
        help=_HELP,
    )
    if name != kept:
        search = {} if name == USUAL else asdict(PRESETS[name])
        service.sessions.set_preferences(session, {"preset": name, "search": search})
        for key in [str(key) for key in st.session_state if str(key).startswith("search-")]:
            del st.session_state[key]  # the Search page begins with the new settings
        st.rerun()
