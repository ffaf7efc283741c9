"""Short forms that a text writes out: "Dense Passage Retriever (DPR)" (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.carried import CARRIED
from core.text.word_lists import STOP_WORDS

_ASKED = re.compile(
    r"^\W*(?:and |und )?(?:"
    r"what(?:'?s| is| are| do| does) (?:an? |the )?(?P<what>[^\W\d_]{2,8}?)"
    r"(?P<for>,? (?:stands?(?: for)?|short for|an? (?:acronym|abbreviation) (?:for|of)))?"
    r"(?: mean)?"
    r"|(?:what(?:'?s| is) )?(?:the )?(?:full form|full name|long form|expansion|meaning) of "
    r"(?:the )?(?P<full>[^\W\d_]{2,8})"
    r"|(?P<stands>[^\W\d_]{2,8}) (?:stands for|full form|abbreviation|acronym)(?: what)?"
    r"|(?:define|explain|describe|tell me about) (?:the )?(?P<told>[^\W\d_]{2,8})"
    r"|was (?:ist|sind|bedeutet|heißt) (?:die |das |der )?(?P<was>[^\W\d_]{2,8})"
    r"|wofür steht (?:die |das |der )?(?P<steht>[^\W\d_]{2,8})"
    r")\W*$",
    re.I,
)
_NAMES = ("what", "full", "stands", "told", "was", "steht")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 80


def short_form_asked(question: str) -> tuple[str, bool]:
    """Return the one short word that a question asks the meaning of, and whether its long form.

    ("", False) where it asks for something else.

    >>> short_form_asked("what does DPR stand for?"), short_form_asked("what is mmr")
    (('DPR', True), ('mmr', False))
    >>> short_form_asked("what does DPR stand for? (retrieval)")[0]
    'DPR'
    >>> short_form_asked("what is the capital of Peru?")
    ('', False)
    """
    found = _ASKED.match(CARRIED.sub("", question))
    if found is None:
        return "", False
    groups = found.groupdict()
    long = any(groups[name] for name in ("for", "full", "stands", "steht"))
    word = next(groups[name] for name in _NAMES if groups[name])
    return word, long


def spelled_out(text: str, short: str) -> tuple[int, int] | None:
    """Return where a text writes a short form out beside it, None where it does not.

    The words begin with its letters; "of" and "the" between them need not.

    >>> text = "We call it the Bureau of Lamp Oil (BLO)."
    >>> start, end = spelled_out(text, "blo") or (0, 0)
    >>> text[start:end]
    'Bureau of Lamp Oil'
    """
    if not short:
        return None
    name = rf"(?<!\w){re.escape(short)}s?(?!\w)"
    before_it = rf"[(\[]\s*[\"“„]?{name}[\"”“]?\s*[)\],;]|,\s{name} for short\b"
    for found in re.finditer(before_it, text, re.I):
        before = list(_WORD.finditer(text, max(0, found.start() - _LONGEST), found.start()))
        for count in range(len(short) - 1, len(before) + 1):
            words = before[len(before) - count :]
            if words and _are_initials(words, short):
                return words[0].start(), words[-1].end()
    behind = (
        rf"{name}\s*[(\[](?P<long>[^()\[\]]{{3,{_LONGEST}}})",
        rf"{name},? short for (?P<long>[^,.;:()]{{3,{_LONGEST}}})",
    )
    for pattern in behind:
        for found in re.finditer(pattern, text, re.I):
            words = list(_WORD.finditer(text, *found.span("long")))
            for count in range(len(words), 1, -1):
                if _are_initials(words[:count], short):
                    return words[0].start(), words[count - 1].end()
    return None


def _are_initials(words: Sequence[re.Match[str]], short: str) -> bool:
    said = [word.group().casefold() for word in words]
    if len(said) < 2 or (said[0] in STOP_WORDS and words[0].group().islower()):
        return False
    every = "".join(word[0] for word in said)
    full = "".join(word[0] for word in said if word not in STOP_WORDS)
    return short.casefold() in (every, full)
