"""The terms of a text: words with a light stem, numbers and names, in any script (pure).

Stems are prefixes, which works for all alphabetic languages without detecting which one
it is (McNamee and Mayfield, "Character n-gram tokenization", 2004); scripts without spaces are
read as overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.text.languages import language_of
from core.text.word_lists import ENGLISH_WORDS, MONTHS, STOP_WORDS

WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""The signs of scripts without spaces, as the ranges of a regular expression."""
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,٫٬'\u2019\u00a0\u202f]\d+)*)|(?P<cjk>[{WITHOUT_SPACES}]+)"
    rf"|(?P<word>[^\W\d_{WITHOUT_SPACES}]+(?:['\u2019][^\W\d_{WITHOUT_SPACES}]+)?)"
)
_SENTENCE_END = re.compile(r"[.!?:;。！？؟|\n]\W*$")
_ARABIC_PREFIX = re.compile(r"^(?:وال|بال|كال|فال|لل|ال)(?=.{3})")
_DIES = re.compile(r"\s*(?:[^\w\s]|$)|\s+(?:in|of|on|at|from|with|for|by|before|after|and|or)\b")
"""What follows the English verb "die"; the German article stands before its noun."""
_MAY = re.compile(
    r"(?<=\bin\s)may|(?<=\b(?:late|till)[\s-])may|(?<=\b(?:early|since|until)\s)may|may(?=[\s,]+\d)"
    r"|(?<=\b(?:of|by)\s)may(?!\s+[^\W\d])|(?<=\b(?:last|next|this)\s)may(?!\s+[^\W\d])"
    r"|(?<=\d[\s.-])may(?!\s+[^\W\d])",
    re.I,
)
"""The month by what stands around it; elsewhere it is a verb."""
_DYING = frozenset({"died", "dying"})  # too short for the endings below
_OF_Y = ("ied", "ies")  # "married" and "marry": the letter is not doubled before them
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s", "e")


@dataclass(frozen=True, slots=True)
class Term:
    """A term with `form == text[start:end]`; forms of one word share a `key`.

    `kind` is "word", "name" (capitalised within a sentence), "number" or "stop".
    """

    key: str
    form: str
    start: int
    end: int
    kind: str


def terms(text: str) -> list[Term]:
    """Return the terms of `text` in order.

    >>> [(term.key, term.kind) for term in terms("moved to Graz, 1,875 m")]
    [('mov', 'word'), ('to', 'stop'), ('graz', 'name'), ('1875', 'number'), ('m', 'word')]
    >>> terms("When did she die?")[-1].kind, terms("Wann kam die Post?")[-2].kind
    ('word', 'stop')
    >>> terms("Who won the war?")[-1].kind, terms("Wer war das?")[1].kind
    ('word', 'stop')
    """
    found: list[Term] = []
    for token in _TOKEN.finditer(text):
        form, start, end = token.group(), token.start(), token.end()
        if token.lastgroup == "number":
            found.append(Term(number_key(form), form, start, end, "number"))
        elif token.lastgroup == "cjk":
            found += _pairs(form, start)
        else:
            found.append(_word(text, form, start, end))
    return found


def forms(text: str) -> Iterator[tuple[str, int]]:
    """Yield what terms are made of, with its start: words, numbers, runs without spaces.

    Much faster than `terms`, as nothing around a word is looked at.
    """
    return ((token.group(), token.start()) for token in _TOKEN.finditer(text))


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same but for capitals, stops and endings.

    >>> same_words("who is Jo Reed", "Who is Jo Reed?"), same_words("who is Jo", "who is he")
    (True, False)
    """
    return [term.key for term in terms(one)] == [term.key for term in terms(other)]


def content_keys(text: str) -> list[str]:
    """Return the keys of all terms but stop words."""
    return list(_content_keys(text))


@lru_cache(maxsize=2048)  # one answer compares the same sentences again and again
def _content_keys(text: str) -> tuple[str, ...]:
    return tuple(term.key for term in terms(text) if term.kind != "stop")


def _word(text: str, form: str, start: int, end: int) -> Term:
    folded = fold(form)
    meant = (
        (folded == "die" and _DIES.match(text, end))
        or (folded == "may" and _is_month(text, start))
        or (folded in ENGLISH_WORDS and _may_be_english(text))
    )
    if folded in _STOP_FOLDED and not meant and not (form.isupper() and len(form) > 1):
        return Term(folded, form, start, end, "stop")
    capital = form[0].isupper() and (
        form[1:].lower() != form[1:] or _within_sentence(text, start) or folded in _MONTHS_FOLDED
    )
    return Term(stem(folded), form, start, end, "name" if capital else "word")


@lru_cache(maxsize=2048)
def _may_be_english(text: str) -> bool:
    """Whether a text may be in English by its other words, and where these do not tell, by all."""
    words = (word.strip(",.:;?!") for word in text.lower().split())
    others = [word for word in words if word not in ENGLISH_WORDS]
    small = any(is_stop(word) for word in others)
    language = language_of(" ".join(others)) or (language_of(text) if small else "")
    return language in ("en", "")


def _is_month(text: str, start: int) -> bool:
    """Whether the "may" of a text is the month: "in may", "a fair of May", not "you may"."""
    named = text[start].isupper() and _within_sentence(text, start)
    return named or _MAY.match(text, start) is not None


def _within_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 8) : start]
    return bool(before.strip(" \t\"'“‘«(*_-#>")) and not _SENTENCE_END.search(before)


def _pairs(run: str, start: int) -> list[Term]:
    if len(run) == 1:
        return [Term(run, run, start, start + 1, "word")]
    return [
        Term(run[at : at + 2], run[at : at + 2], start + at, start + at + 2, "word")
        for at in range(len(run) - 1)
    ]


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Return a word in lower case without accents, vowel marks and the possessive `'s`."""
    plain = unicodedata.normalize("NFKD", word.replace("\u2019", "'")).casefold()
    plain = "".join(ch for ch in plain if not unicodedata.combining(ch))
    return plain.removesuffix("'s").removesuffix("'").replace("\u0640", "")


def is_stop(word: str) -> bool:
    """Return whether a word only joins others: "the", "für"."""
    return fold(word) in _STOP_FOLDED


def folded_words(*texts: str) -> frozenset[str]:
    """Return the words of `texts`, folded.

    >>> sorted(folded_words("Été été", "LES"))
    ['ete', 'les']
    """
    return frozenset(fold(word) for text in texts for word in text.split())


@lru_cache(maxsize=65536)
def stem(folded: str) -> str:
    """Return a key that most forms of a word share: no common ending, at most six letters."""
    if folded in _DYING:
        return "die"
    folded = _ARABIC_PREFIX.sub("", folded)
    if "'" in folded and len(folded.split("'", 1)[1]) > 2:
        folded = folded.split("'", 1)[1]  # l'Europe
    for suffix in _SUFFIXES:
        if folded.endswith(suffix) and len(folded) - len(suffix) >= 3:
            folded = folded[: -len(suffix)]
            break
    else:
        suffix = ""
    if suffix not in _OF_Y and len(folded) > 3 and folded[-1] == folded[-2]:
        folded = folded[:-1]
    if len(folded) > 3 and folded[-1] in "iy":
        folded = folded[:-1]
    return folded[:6]


def number_key(form: str) -> str:
    """Return one key for all spellings of a number: 1,577, 1.577 and 1 577 are 1577; 3,5 is 3.5.

    >>> number_key("1,577.50"), number_key("3,5"), number_key("1.577"), number_key("٣٫٥")
    ('1577.5', '3.5', '1577', '3.5')
    """
    digits = "".join(
        str(unicodedata.digit(ch)) if ch.isdigit() and not ch.isascii() else ch for ch in form
    )
    digits = digits.replace("٫", ".").replace("٬", ",")
    digits = re.sub(r"['\u2019\u00a0\u202f]", "", digits)
    marks = [ch for ch in digits if ch in ".,"]
    if not marks:
        return digits.lstrip("0") or "0"
    head, _, tail = digits.rpartition(marks[-1])
    if len(marks) > 1 and marks[-1] == marks[0]:
        whole, part = digits, ""  # 1,234,567
    elif len(tail) == 3 and len(marks) == 1 and head not in ("0", ""):
        whole, part = digits, ""  # 1,577: three digits after a lone mark are thousands
    else:
        whole, part = head, tail
    whole = re.sub(r"[.,]", "", whole).lstrip("0") or "0"
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole


_STOP_FOLDED = folded_words(*STOP_WORDS)
_MONTHS_FOLDED = folded_words(*MONTHS)
