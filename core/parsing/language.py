"""Detect the language of a text, for stemming: ISO 639-1, or "" if it is unclear."""

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
_LEAST = 40  # bytes of UTF-8, so that scripts with denser characters need fewer of them
_SURE = 0.8
_WORDS = re.compile(r"[^\W\d_]{2,}")
_loading = threading.Lock()


def detect_language(pages: Iterable[Page]) -> str:
    """Return the language of most of a document, from a sample of its pages; "" if unclear."""
    return language_of(_sample([page.text for page in pages if page.text.strip()]))


def language_of(text: str) -> str:
    """Return the language of a text.

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
    """Return pieces from the middle of up to twelve texts, evenly spread."""
    chosen = texts[:: max(1, len(texts) // 12)][:12]
    share = _SAMPLE // max(1, len(chosen))
    starts = (max(0, (len(text) - share) // 2) for text in chosen)
    return " ".join(t[s : s + share] for t, s in zip(chosen, starts, strict=True))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    # Only languages with a code of ISO 639-1: it does not tell the Chinese languages apart.
    identifier.set_languages([code for code in identifier.nb_classes if len(code) == 2])
    return identifier
