"""The words of a message that name something, and those that only ask (pure)."""

from __future__ import annotations

import re

from core.text.terms import fold, folded_words, terms

_EMPTY = folded_words(
    "more less fewer else further example detail mean meant reason continue exactly again "
    "question okay ok yes thank thanks please pls know want need tell sure help information "
    "talk talking idea good thing anything something heard show list full all whats ppl"
)
"""Words that ask on, but name nothing."""
_UP = re.compile(r"\s+(?:up|off)\b", re.I)
"""What makes another verb of one: who "shows up" shows nothing."""
OPENING = r"\W*(?:(?:and|so|but|ok(?:ay)?),? )*"
"""What may stand before a question, as a regular expression: "ok and"."""
WORD = re.compile(r"[^\s?!,;:()\"“”„]+")


def is_code(word: str) -> bool:
    """Return whether a word has letters and digits, as the name of a product has: "HY5"."""
    return any(ch.isdigit() for ch in word) and any(ch.isalpha() for ch in word)


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are written, in order."""
    return [word.strip(".'’") for word in WORD.findall(text) if word.strip(".'’")]


def content_of(text: str) -> dict[str, str]:
    """Return the words that name something, by their stem, in order."""
    found: dict[str, str] = {}
    for term in terms(text):
        asks_on = fold(term.form) in _EMPTY and not _UP.match(text, term.end)
        if term.kind != "stop" and not asks_on:
            found.setdefault(term.key, term.form)
    return found
