"""What the lexical index is given: texts made even, identifiers, and queries taken apart (pure).

Words are stemmed by the index itself. Here is what needs no index: scripts without spaces become
overlapping pairs of characters; `os.path.join`, `--flag`, `1,577` and the like are kept whole
beside their parts; a person's query is taken apart into quoted phrases and the rest.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""The languages that Tantivy has a stemmer for."""

INFLECTED = frozenset("be bg bs cs et hr lt lv mk pl sk sl sq sr uk".split())
"""Languages whose words change at their ends, and that have no stemmer."""
STEM = 6
"""Letters that are compared of their words. Measured where there is a stemmer: decisions.md."""

SLAVIC = frozenset("be bs cs hr pl sk sl sr uk".split())
"""Those of them whose endings are taken off first. Bulgarian and Macedonian put the article
there, and lose by it."""
_ENDINGS = sorted(
    "ama ami oma imi ega ego emu ych ov ev om em am im ym ih ah mi ma a e i o u y "
    "ами ями ого его ому ему ов ев ом ем ам ям им ым их ых ах ях ой ей ую ию ая ое ые ия "
    "а я е ё и й о у ы ь э ю".split(),
    key=len,
    reverse=True,
)
"""Of nouns and adjectives in the languages of `SLAVIC`, in both scripts, without marks."""
_LEAST = 3  # letters that are left of a word

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]+")
_WHOLE = re.compile(r"(?<![\w.])(?:--?(?=\w))?\w+(?:(?:::|->|[._/\\:@&+=,'-])\w+)*(?:\+\+|#|\(\))?")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}([.,'])\d{3}(?:\1\d{3})*(?!\d)")
_PLAIN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|[^\W_]+")
"""Words, also hyphenated ones: measured, they gain nothing by counting twice."""
_HUMPED = re.compile(r"\b(?:[A-Z]*[a-z]+(?:[A-Z]+[a-z]*)+|[A-Z]{2,}[a-z]{2,})\w*")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_QUOTED = re.compile(r'"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」')

LONGEST_EXACT = 100


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart: `phrases` must occur as they stand, `words` may."""

    words: str
    phrases: tuple[str, ...] = ()


def parse_query(text: str) -> Query:
    """Take quoted phrases out of a query. Nothing else in it has a meaning of its own.

    >>> parse_query('who wrote "the raven" (1845)?')
    Query(words='who wrote the raven (1845)?', phrases=('the raven',))
    """
    phrases = [next(part for part in found if part) for found in _QUOTED.findall(text)]
    words = _QUOTED.sub(lambda found: next(part for part in found.groups() if part), text)
    return Query(words, tuple(phrase for phrase in phrases if phrase.strip()))


def beginning(word: str, language: str) -> str:
    """What is compared of a word of an inflected language.

    >>> [beginning(word, "sl") for word in ("grad", "gradu", "gradovi", "gradovih")]
    ['grad', 'grad', 'gradov', 'gradov']
    """
    if language in SLAVIC:
        found = (end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _LEAST)
        word = word.removesuffix(next(found, ""))
    return word[:STEM]


def even(text: str) -> str:
    """The text with compatible characters made equal, thousands joined, unspaced scripts in pairs.

    >>> even("ﬁnd 1,577 北京大学")
    'find 1577  北京 京大 大学 '
    """
    return _UNSPACED_RUN.sub(_pairs, _plain(text))


def unspaced_singles(text: str) -> list[str]:
    """The single characters of unspaced scripts that stand alone: they are no pair.

    >>> unspaced_singles("猫 and 北京")
    ['猫']
    """
    return [run for run in _UNSPACED_RUN.findall(_plain(text)) if len(run) == 1]


def unspaced_characters(text: str) -> set[str]:
    """The characters of unspaced scripts in a text, each of which may be asked for alone.

    >>> sorted(unspaced_characters("a 北京 京大"))
    ['京', '北', '大']
    """
    return {character for run in _UNSPACED_RUN.findall(text) for character in run}


def exact_terms(text: str) -> list[str]:
    """Identifiers, options and decimal numbers, whole and in lower case; no plain words.

    >>> exact_terms("os.path.join(a) --flag, well-known COVID-19 and 1,577.25.")
    ['os.path.join', '--flag', 'covid-19', '1577.25']
    """
    forms = _WHOLE.findall(_plain(text))
    return [
        form.lower().removesuffix("()").removesuffix("'s")
        for form in forms
        if not _PLAIN.fullmatch(form) and len(form) <= LONGEST_EXACT
    ]


def humps(text: str) -> list[str]:
    """The parts of identifiers written in capitals and small letters, beside their whole.

    >>> humps("call writeBoolean or HTTPServer of McDonald")
    ['write', 'Boolean', 'HTTP', 'Server', 'Mc', 'Donald']
    """
    return [part for word in _HUMPED.findall(text) for part in _HUMP.findall(word)]


def _plain(text: str) -> str:
    """Compatible characters made equal, lone surrogates replaced, 1,577 and 1'577 as 1577."""
    known = text.encode("utf-8", "replace").decode("utf-8")
    one_form = unicodedata.normalize("NFKC", known).replace("’", "'")
    return _GROUPED.sub(lambda found: found.group().replace(found.group(1), ""), one_form)


def _pairs(found: re.Match[str]) -> str:
    run = found.group()
    if len(run) == 1:
        return f" {run} "
    return " " + " ".join(run[at : at + 2] for at in range(len(run) - 1)) + " "
