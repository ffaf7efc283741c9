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
    "Sets how documents are cut into passages, how they are searched, and what a language model is "
    "asked to write. The documents are indexed again for it, and searched as before until that is "
    "done. The Search page has every setting of the search."
)
_BESIDE_HELP = (
    "The documents stay indexed for these presets too, on the same pages: switching to one is "
    "immediate, and an evaluation can compare them. Each takes as much space as the first index."
)
_EMBEDDING_HELP = (
    "Finds passages by their meaning. For another one the documents are indexed again, and "
    "searched as before until that is done."
)
_RERANK_HELP = (
    "Puts the passages that were found in order. Another one is used from the next question on."
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
        "Also keep ready",
        list(LABELS),
        default=kept.beside,
        format_func=LABELS.__getitem__,
        key=f"beside-{session.id}",
        help=_BESIDE_HELP,
    )
    embedding, reranker = models_input(service, session.id, kept)
    again = _state(kept, session)
    now = (kept.preset, set(kept.beside) - {name}, kept.embedding_model, kept.reranker_model)
    if again or (name, set(beside) - {name}, embedding, reranker) != now:
        service.sessions.choose_preset(
            session, name, beside, embedding_model=embedding, reranker_model=reranker
        )
        if name != kept.preset:
            for key in [str(key) for key in st.session_state if str(key).startswith("search-")]:
                del st.session_state[key]  # the Search page begins with the new settings
        st.rerun()


def models_input(service: Service, key: str, kept: Indexing) -> tuple[str, str]:
    """Embedding model and reranker, "" for the program's own; shown where there is a choice."""
    chosen = (kept.embedding_model, kept.reranker_model)
    for (label, choices, help_), name in zip(_models(service), chosen, strict=True):
        names = [*choices, *([name] if name and name not in choices else [])]
        if len(names) > 1:
            at, shown = names.index(name) if name else 0, lambda name: name or "None"
            st.selectbox(label, names, at, format_func=shown, key=f"{label}-{key}", help=help_)
    return chosen_models(service, key)


def chosen_models(service: Service, key: str) -> tuple[str, str]:
    """What was chosen in `models_input`, also in the callback of a form."""
    found = (
        (st.session_state.get(f"{label}-{key}"), choices[0])
        for label, choices, _ in _models(service)
    )
    embedding, reranker = ("" if name in (None, own) else str(name) for name, own in found)
    return embedding, reranker


def _models(service: Service) -> list[tuple[str, tuple[str, ...], str]]:
    settings = service.settings
    return [
        ("Embedding model", settings.embedding_choices, _EMBEDDING_HELP),
        ("Reranker", settings.reranker_choices, _RERANK_HELP),
    ]


def _state(kept: Indexing, session: Session) -> bool:
    """How far the session is indexed; returns whether to begin it now."""
    if kept.whole:
        return False
    if kept.reason:
        st.caption(f"{kept.reason} {kept.cure}")
        return st.button("Index the documents now", key=f"index-{session.id}")
    st.caption(
        f"Indexed: {kept.done} of {kept.total} documents. Until all are, the search is as before."
    )
    return False
