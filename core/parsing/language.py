"""The language of a text, for stemming: ISO 639-1, or nothing when it is not clear."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from core.types import Page

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_SAMPLE = 6_000
_LEAST = 40  # bytes of UTF-8: scripts whose letters say more need fewer of them
_SURE = 0.8
_WORDS = re.compile(r"[^\W\d_]{2,}")
_loading = threading.Lock()


def detect_language(pages: Iterable[Page]) -> str:
    """The language that most of a document is in, from a sample of its pages; "" if unclear."""
    return language_of(_sample([page.text for page in pages if page.text.strip()]))


def language_of(text: str) -> str:
    """The language of a text.

    >>> language_of("Die Antwort steht in der Quelle, die man mit einem Klick öffnen kann.")
    'de'
    """
    words = " ".join(_WORDS.findall(text[:_SAMPLE]))
    if len(words.encode()) < _LEAST:
        return ""
    with _loading:
        found, probability = _identifier().classify(words)
    return str(found) if probability >= _SURE else ""


def _sample(texts: list[str]) -> str:
    """Pieces of up to twelve texts, evenly spread, from their middles."""
    chosen = texts[:: max(1, len(texts) // 12)][:12]
    share = _SAMPLE // max(1, len(chosen))
    starts = (max(0, (len(text) - share) // 2) for text in chosen)
    return " ".join(t[s : s + share] for t, s in zip(chosen, starts, strict=True))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    # Only languages with a code of ISO 639-1: among Chinese and its kin it cannot decide.
    identifier.set_languages([code for code in identifier.nb_classes if len(code) == 2])
    return identifier
