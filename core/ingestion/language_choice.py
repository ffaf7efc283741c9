"""The embedding model of a session by the language of its documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.storage.stores import Stores

ENGLISH = "en"
"""The language that the bundled embedding model knows."""
_KEY = "embedding_model"


def choose_by_language(stores: Stores, session_id: str) -> bool:
    """Have a session indexed by `EMBEDDING_MULTILINGUAL` where most documents are not in English.

    Returns whether it was chosen now. What was chosen in a session stays, by whomever: so it is not
    chosen again where somebody went back. It is searched as before until it is indexed again, and
    stays so where the model cannot be had.
    """
    model, catalogue = stores.settings.embedding_multilingual, stores.catalogue
    kept = catalogue.sessions.preferences(session_id)
    if not model or model == stores.settings.embedding_model or _KEY in kept:
        return False
    if not is_foreign(catalogue.documents.languages(session_id)):
        return False
    first = catalogue.cuts.wanted(session_id)
    wanted = [cut for cut in catalogue.cuts.standing(session_id) if cut.wanted]
    wanted.sort(key=lambda cut: cut.number != first)
    catalogue.cuts.want(session_id, [replace(cut.cutting, model=model) for cut in wanted])
    # Last: where it fails or is killed before, the next document finds it not chosen.
    catalogue.sessions.set_preferences(session_id, {**kept, _KEY: model})
    return True


def is_foreign(languages: Mapping[str, int]) -> bool:
    """Return whether most documents whose language is known are not in English.

    >>> is_foreign({"de": 2, "en": 1, "": 9}), is_foreign({"de": 1, "en": 1}), is_foreign({"": 3})
    (True, False, False)
    """
    known = sum(count for language, count in languages.items() if language)
    return 2 * (known - languages.get(ENGLISH, 0)) > known
