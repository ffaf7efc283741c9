"""What a question can be about: names as a sentence begins with them (pure)."""

from __future__ import annotations

import re

from core.text.terms import terms

NAME = (
    r"(?P<x>[^\W\d_][\w'’&-]*"
    r"(?: (?:of|the|for|in|and|upon|de|von|[^\W\d_][\w'’&-]*)){0,4}?)"
)
"""Up to five words, as few as fit."""
POINTING = frozenset(
    "it this that these those he she they there here what which who one another each every such "
    "all both some many most other additional further "
    "its his her their our your my we i you if when while as for in "
    "on at by with however therefore also example examples note following result reason first "
    "second third next last above below to from because since although though returns return "
    "provided given no not today once after before during under so but and or then thus "
    "es dies dieser diese dieses er sie wir hier dort beispiel am im an auf bei nach mit zum zur "
    "von vom für dennoch jedoch aber auch dabei dazu damit davon hierbei zudem außerdem neben "
    "unter über vor seit durch ohne gegen um wenn als weil ob wer was wie wo nicht nur so "
    "weitere weiterer weiteres grund ziel".split()
)
"""Words that no subject of a question begins with: it would point to something outside of it."""
_NO_PART = frozenset(
    "is are was were has have had can could will would should may must do does did be been said "
    "that who which when whose where because these this those such our your its their called named "
    "presented made used returned given default largest smallest first last return following above "
    "highest lowest best worst biggest longest shortest oldest "
    "below share also only still already currently often never not now mainly generally "
    "ist sind war hat kann wird weiterer weitere weiteres neuer neue auch nur noch schon".split()
)
"""Words that no subject of a question has."""


_ONE_OF_MANY = frozenset(
    "company sale agreement transaction merger acquisition plan program case order amendment city "
    "town village country state school club team "
    "unternehmen verkauf vertrag plan programm fall gesellschaft stadt gemeinde schule verein "
    "verband".split()
)
"""What says alone which one is meant only to who has just read of it."""


def is_subject(name: str) -> bool:
    """Return whether a name says by itself what is meant."""
    words = [word.casefold() for word in name.split()]
    owner = re.sub("['’]s$", "", words[0])
    return (
        words[0] not in POINTING
        and not (owner in _ONE_OF_MANY and (len(words) == 1 or owner != words[0]))
        and not _NO_PART.intersection(words)
        and len(name) > 2
        and any(term.kind != "stop" for term in terms(name))
        and words[-1] not in ("of", "the", "for", "in", "and", "upon")
    )


def has_no_part(words: list[str]) -> bool:
    """Return whether none of the words is one that no subject has."""
    return not _NO_PART.intersection(map(str.casefold, words))


def is_person(name: str) -> bool:
    """Return whether a name may be that of a person: two to four words with a capital."""
    words = name.split()
    return 2 <= len(words) <= 4 and all(word[0].isupper() for word in words)


def in_a_sentence(name: str, text: str) -> str:
    """Return a name as the text has it within a sentence: small where it seldom has a capital."""
    words = name.split()
    small = [word if word[1:] != word[1:].lower() else word.lower() for word in words]
    if all(a == b or _is_written_small(b, text) for a, b in zip(words, small, strict=True)):
        return " ".join(small)
    return name


def of_a_title(title: str, text: str) -> str:
    """Return a title as it is within a sentence: "Store Development" is store development.

    A word keeps its capital where the text writes it so in the middle of a sentence.
    """
    words = title.split()
    text = text.replace(title, "")
    titled = all(word[0].isupper() or len(word) < 5 for word in words)
    kept = [
        word
        if word[1:] != word[1:].lower() or (n and not titled) or _is_a_name(word.lower(), text)
        else word.lower()
        for n, word in enumerate(words)
    ]
    named = " ".join(kept)
    # "conference call" is the one that the text speaks of as "the conference call"
    return f"the {named}" if re.search(rf"\b(?:the|an?) {re.escape(named)}\b", text) else named


def with_capital(name: str, text: str) -> bool:
    """Return whether a text has a name, with its capital, within a sentence."""
    return re.search(rf"[^\W\d_][,;]? {re.escape(name)}\b", text) is not None


def _is_written_small(word: str, text: str) -> bool:
    small, capital = _counts(word, text)
    return small > capital


def _is_a_name(word: str, text: str) -> bool:
    small, capital = _counts(word, text)
    return capital > small


def _counts(word: str, text: str) -> tuple[int, int]:
    small = re.findall(rf"(?<![\w./@-]){re.escape(word)}(?![\w./@])", text)
    capital = re.findall(rf"[a-z,;] {re.escape(word.capitalize())}\b", text)
    return len(small), len(capital)
