"""Correct mistyped words of a question to words of the searched documents."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.models.vocabulary import common_words
from core.planning.spelling import (
    Spelled,
    is_slip,
    likeness,
    put_together,
    spelled,
    with_umlauts,
    word_like,
)
from core.storage.lexical.analysis import forms_of_word
from core.storage.lexical.port import LexicalIndex
from core.storage.sql.content import Content
from core.text.glossary.german import is_german
from core.text.languages import language_of
from core.text.terms import content_keys, is_stop
from core.types import Cut

_MISTYPED = 0.84
"""The least similarity (`LexicalIndex.like`) of a word or its stem to a stem of the documents."""
_ALIKE = 0.75
"""The least likeness of the whole words: "comon" has nearly the stem of "component"."""

_ENDING = re.compile(r"(?<=\w{4})(?:er|or|ist|ess|ness|ment|ly|able|ing|ed)?(?:s|es)?$")
"""What makes another word of one, in English."""
_SHORTEST_KNOWN = 6
"""Letters of a word that is compared with the vocabulary: short ones are names more often."""
_SHORTEST_CHANGED = 8
"""Letters of a word with an ending that may be another with its letters changed over."""
_LOOKED_AT = 5
"""Passages in which a word is looked for as it is typed."""
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
        if word.casefold() in common_words():
            return True
        if not lexical.query(cut.index, word, 1, documents):
            return False
        # Found may be a form of it; "divident" is none of "divided", which has its stem.
        near = nearest_word(word, documents, cut, lexical, content)
        return near is None or not _is_one_letter_off(word.casefold(), near) or stands(word)

    def stands(word: str) -> bool:  # the index finds both spellings of an umlaut
        ids = [chunk_id for chunk_id, _ in lexical.query(cut.index, word, _LOOKED_AT, documents)]
        found = content.chunks_by_id(cut.session_id, ids)
        return any(word.casefold() in chunk.text.casefold() for chunk in found.values())

    if language_of(question) in ("de", ""):
        question = with_umlauts(question, lambda word: is_german(word) or stands(word))

    def is_one(first: str, second: str) -> bool:
        apart = f'"{first} {second}"'
        return stands(first + second) and not lexical.query(cut.index, apart, 1, documents)

    joined = put_together(question, is_one)
    read = spelled(
        joined.question, is_word, lambda word: nearest_word(word, documents, cut, lexical, content)
    )
    return Spelled(read.question, (*joined.mended, *read.mended))


def nearest_word(
    word: str,
    documents: Collection[str],
    cut: Cut,
    lexical: LexicalIndex,
    content: Content,
) -> str | None:
    """Return the word of the documents that is nearly this one, None where none is near enough."""
    typed = word.casefold()
    if _is_derived(typed):
        return _changed_over(typed, documents, cut, lexical)
    forms = (word, *content_keys(word), *forms_of_word(word, ("en",)))
    alike = (lexical.like(cut.index, form) for form in dict.fromkeys(forms))
    near = (stem for stem, ratio in alike if ratio >= _MISTYPED)
    words = [w for stem in near if (w := _word_of(stem, typed, documents, cut, lexical, content))]
    if (known := _known_word(typed, documents, cut, lexical)) is not None:
        words.insert(0, known)
    read = max(words, key=lambda one: likeness(typed, one), default="")
    return None if likeness(typed, read) < _ALIKE or _is_inflected(typed, read) else read


def _word_of(
    stem: str,
    typed: str,
    documents: Collection[str],
    cut: Cut,
    lexical: LexicalIndex,
    content: Content,
) -> str | None:
    """The word of the documents that has a stem, of several the one most like the one `typed`."""
    ids = [chunk_id for chunk_id, _ in lexical.query(cut.index, stem, 1, documents)]
    found = content.chunks_by_id(cut.session_id, ids)
    return word_like(stem, " ".join(chunk.text for chunk in found.values()), typed)


def _known_word(
    typed: str, documents: Collection[str], cut: Cut, lexical: LexicalIndex
) -> str | None:
    """The word of the vocabulary that is typed with a slip and says something here: one that the
    documents have, or a small one that joins others; None where there are several or none.
    """
    if len(typed) < _SHORTEST_KNOWN or is_german(typed):
        return None
    slips = (word for word in common_words() if is_slip(typed, word))
    found = [w for w in slips if is_stop(w) or lexical.query(cut.index, w, 1, documents)]
    return found[0] if len(found) == 1 else None


def _changed_over(
    typed: str, documents: Collection[str], cut: Cut, lexical: LexicalIndex
) -> str | None:
    """The word of the vocabulary and of the documents that has the same letters: "costumers"."""
    if len(typed) < _SHORTEST_CHANGED or typed in common_words():
        return None
    letters = sorted(typed)
    same = (w for w in common_words() if len(w) == len(typed) and w[0] == typed[0])
    found = [w for w in same if sorted(w) == letters and lexical.query(cut.index, w, 1, documents)]
    return found[0] if len(found) == 1 else None


def _is_one_letter_off(word: str, read: str) -> bool:
    """Whether two words of one length differ in one letter that is not of an ending."""
    differ = [n for n, (a, b) in enumerate(zip(word, read, strict=False)) if a != b]
    endings = (_ENDING.search(word), _ENDING.search(read))
    bare = all(found is None or not found.group() for found in endings)
    return len(word) == len(read) and len(differ) == 1 and bare


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
