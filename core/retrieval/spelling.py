"""Correct mistyped words of a question to words of the searched documents."""

from __future__ import annotations

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

    if language_of(question) == "de":
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
    return None if read is None or _is_inflected(word.casefold(), read) else read


def _is_inflected(word: str, read: str) -> bool:
    """Whether one word is the other with an ending: that is no mistake."""
    begins = word.startswith(read) or read.startswith(word)
    return begins and abs(len(word) - len(read)) > _LONGEST_MISTAKE
