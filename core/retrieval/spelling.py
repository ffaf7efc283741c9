"""Correct mistyped words of a question to words of the searched documents."""

from __future__ import annotations

import re
from collections.abc import Collection
from operator import itemgetter

from core.models.vocabulary import common_words
from core.planning.spelling import Spelled, spelled, with_umlauts, word_like
from core.storage.lexical.port import LexicalIndex
from core.storage.sql.content import Content
from core.text.glossary.german import is_german
from core.text.languages import language_of
from core.text.terms import content_keys
from core.types import Cut

_MISTYPED = 0.84
"""The least similarity (`LexicalIndex.like`) of a word or its stem to a stem of the documents."""

_ENDING = re.compile(r"(?<=\w{4})(?:er|or|ist|ess|ness|ment|ly|able|ing|ed)?(?:s|es)?$")
"""What makes another word of one, in English."""
_LONGEST_MISTAKE = 2
"""Letters at the end of a word that may have been forgotten, or be too many."""


def in_words_of(
    documents: Collection[str],
    question: str,
    cut: Cut,
    lexical: LexicalIndex,
    content: Content,
) -> Spelled:
    """Return the question with each word corrected that no dictionary and no document has."""

    def is_word(word: str) -> bool:
        return word.casefold() in common_words() or bool(
            lexical.query(cut.index, word, 1, documents)
        )

    def stands(word: str) -> bool:  # the index finds both spellings of an umlaut
        ids = [chunk_id for chunk_id, _ in lexical.query(cut.index, word, 1, documents)]
        found = content.chunks_by_id(cut.session_id, ids)
        return any(word.casefold() in chunk.text.casefold() for chunk in found.values())

    if language_of(question) in ("de", ""):
        question = with_umlauts(question, lambda word: is_german(word) or stands(word))
    return spelled(
        question, is_word, lambda word: nearest_word(word, documents, cut, lexical, content)
    )


def nearest_word(
    word: str,
    documents: Collection[str],
    cut: Cut,
    lexical: LexicalIndex,
    content: Content,
) -> str | None:
    """Return the word of the documents that is nearly this one, None where none is near enough."""
    forms = (word, *content_keys(word))
    stem, ratio = max((lexical.like(cut.index, form) for form in forms), key=itemgetter(1))
    if ratio < _MISTYPED:
        return None
    ids = [chunk_id for chunk_id, _ in lexical.query(cut.index, stem, 1, documents)]
    found = content.chunks_by_id(cut.session_id, ids)
    read = word_like(stem, " ".join(chunk.text for chunk in found.values()))
    typed = word.casefold()
    return None if read is None or _is_inflected(typed, read) or _is_derived(typed) else read


def _is_inflected(word: str, read: str) -> bool:
    """Whether one word is the other with an ending: that is no mistake."""
    begins = word.startswith(read) or read.startswith(word)
    return begins and abs(len(word) - len(read)) > _LONGEST_MISTAKE


def _is_derived(word: str) -> bool:
    """Whether it is a common word with an ending: "beginners" is no mistyped "beginning"."""
    found = _ENDING.search(word)
    base = word[: found.start()] if found else ""
    doubled = len(base) > 1 and base[-1] == base[-2]
    return bool(base) and not common_words().isdisjoint(
        (base, f"{base}e", base[:-1] if doubled else base)
    )
