"""Mistyped words of a question: no document holds them, and one holds a word like them (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.text.terms import content_keys, terms
from core.types import Notice

_SHORTEST = 5
"""Letters of a word that is mended: shorter ones are like too many others."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A question with its mistyped words mended, and those words as (typed, mended)."""

    question: str
    mended: tuple[tuple[str, str], ...] = ()

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was mended, in a sentence."""
        if not self.mended:
            return ()
        words = ", ".join(f"“{typed}” as “{read}”" for typed, read in self.mended)
        return (Notice("spelling", f"Read {words}.", "", "info"),)


_NUMBER_BEHIND = re.compile(r" \d")
_SHORT_FORMS = {
    "whats": "what is",
    "whos": "who is",
    "wheres": "where is",
    "whens": "when is",
    "hows": "how is",
    "ppl": "people",
    "plz": "please",
    "pls": "please",
    "thx": "thanks",
    "bday": "birthday",
    "govt": "government",
    "yr": "year",
    "yrs": "years",
}
_SHORT_FORM = re.compile(rf"\b(?:{'|'.join(_SHORT_FORMS)})\b", re.I)


_MEANING = re.compile(r"^was (?:bedeutet|heißt|heisst|meint man mit)(?= )", re.I)
"""What asks in German for the meaning of a word."""
_GREETING = re.compile(
    r"^\W*(?:hi+|hiya|hey+|hello|hallo|moin|good (?:morning|evening|afternoon)"
    r"|guten (?:tag|morgen|abend))"
    r"(?: (?:there|all|everyone|zusammen))?[\s,.!]+(?=\w)",
    re.I,
)
"""What a message may begin with, and does not ask for."""


def written_out(question: str) -> str:
    """Return a question with the short forms of chats as words that documents have.

    A greeting before it is left out.

    >>> written_out("whats a lens, and how many ppl use one")
    'what is a lens, and how many people use one'
    """
    asked = _GREETING.sub("", question)
    asked = _MEANING.sub("was ist", asked if " " in asked else question)
    return _SHORT_FORM.sub(lambda found: _SHORT_FORMS[found.group().lower()], asked)


_IN_WHOLE = re.compile(
    r"\s+(?:im|(?:of|in|from|within|aus)\s+(?:this|these|the|dies\w{1,2}|dem|den))\s+"
    r"(?:pdfs?|documents?|docs|papers?|articles?|dokument\w*|artikel)\W*$",
    re.I,
)


def without_whole(question: str) -> str:
    """Return a question without "in this document", where it still asks for something.

    >>> without_whole("what are the contributions of this paper?"), without_whole("why in a file?")
    ('what are the contributions?', 'why in a file?')
    """
    rest = _IN_WHOLE.sub("?", question)
    return rest if rest != question and content_keys(rest) else question


def spelled(
    question: str, is_word: Callable[[str], bool], like: Callable[[str], str | None]
) -> Spelled:
    """Return the question with each word mended that is none and that the documents have one like.

    `is_word` says whether a word stands in a document or a dictionary; `like` gives the word of the
    documents that one may be mistyped for. Names and codes stay as they are typed.

    >>> words = {"swiching": "switching"}
    >>> spelled("who invented packet swiching", lambda word: word not in words, words.get).question
    'who invented packet switching'
    """
    mended: list[tuple[str, str]] = []
    out, last = "", 0
    for term in terms(question):
        word = term.form
        if term.kind != "word" or len(word) < _SHORTEST or not word.isalpha() or is_word(word):
            continue
        numbered = _NUMBER_BEHIND.match(question, term.end)  # "Punkt 3" names what it numbers
        if not numbered and (read := like(word)) is not None:
            mended.append((word, read))
            out += question[last : term.start] + read
            last = term.end
    return Spelled(out + question[last:], tuple(mended))


_DIGRAPH = re.compile(r"[^\W\d_]*(?:ae|oe|ue)[^\W\d_]*", re.I)
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("Ae", "Ä"), ("Oe", "Ö"), ("Ue", "Ü"))


def with_umlauts(question: str, is_word: Callable[[str], bool]) -> str:
    """Return the question with the umlauts that were typed as two letters.

    `is_word` says whether a word is one of German or of the documents.

    >>> with_umlauts("fuer die neue Schluessel", {"für", "Schlüssel", "neue"}.__contains__)
    'für die neue Schlüssel'
    """

    def read(found: re.Match[str]) -> str:
        typed = spelled = found.group()
        for letters, umlaut in _UMLAUTS:
            spelled = spelled.replace(letters, umlaut)
        return spelled if not is_word(typed) and is_word(spelled) else typed

    return _DIGRAPH.sub(read, question)


def word_like(stem: str, text: str) -> str | None:
    """Return the first word of a text that begins as a stem does, None where there is none.

    >>> word_like("lighthous", "The lighthouse stands.")
    'lighthouse'
    """
    found = re.search(rf"\b{re.escape(stem[:-1])}\w*", text, re.I)
    return found.group().lower() if found else None
