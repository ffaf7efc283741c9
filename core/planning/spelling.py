"""Mistyped words of a question: no document holds them, and one holds a word like them (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from core.text.terms import content_keys, terms
from core.types import Notice

_SHORTEST = 5
"""Letters of a word that is mended: shorter ones are like too many others."""
_MOST_SLIPS, _LONG = 2, 8
"""Slips of the pen in a word of so many letters; one is in a shorter word."""


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
    "b4": "before",
    "gr8": "great",
    "l8r": "later",
    "2day": "today",
    "cuz": "because",
    "coz": "because",
    "b/c": "because",
    "abt": "about",
    "yr": "year",
    "yrs": "years",
    "wich": "which",
    "thru": "through",
    "ur": "your",
    "gotta": "have to",
    "wanna": "want to",
    "gonna": "going to",
    "gimme": "give me",
    "shld": "should",
    "cld": "could",
    "wld": "would",
    "grp": "group",
    "aussie": "Australian",
    "brits": "British",
}
_SHORT_FORM = re.compile(rf"(?<![\w/.-])(?:{'|'.join(_SHORT_FORMS)})(?![\w/-])", re.I)
_POINTING = (
    r"(?:the|an?|my|your|ur|his|her|its|their|our|this|that|these|those|it|them|they|there|you|u|we"
    r"|all|any|some)"
)
_BESIDE = (
    (rf"\bw/? (?={_POINTING}\b)|\bw/ ?(?=[a-z])", "with "),
    (r"\b(do|if|can|did|are|r|will|have|when|could|would|should) u\b", r"\1 you"),
    (r"\bu (?=(?:can|have|need|want|do|are|r|get|should|could|know)\b)", "you "),
    (rf"\b(what|who|how|why|when|where|you|they) r (?={_POINTING}\b)", r"\1 are "),
    (rf"^r (?={_POINTING}\b)", "are "),
    (rf"(?<=[a-z] )bc (?={_POINTING}\b)", "because "),
    (r"\b(pays?|good|bad|used?|waits?|asks?|looks?) 4 (?=[a-z])", r"\1 for "),
    (r"(?<=[a-z] )n (?=(?:what|how|when|where|who|why|which|is|are|do|does|can)\b)", "and "),
    (r"\bdiff (?=(?:between|btw|from|to|of)\b)", "difference "),
)
_SHORT_BESIDE = tuple((re.compile(pattern), read) for pattern, read in _BESIDE)
"""Short forms that are also names and units: read as such only beside small words."""


_MEANING = re.compile(r"^was (?:bedeutet|heißt|heisst|meint man mit)(?= )", re.I)
"""What asks in German for the meaning of a word."""
_GREETING = re.compile(
    r"^\W*(?:hi+|hiya|hey+|hello|hallo|moin|good (?:morning|evening|afternoon)"
    r"|guten (?:tag|morgen|abend))"
    r"(?: (?:there|all|everyone|zusammen))?[\s,.!]+(?=\w)",
    re.I,
)
"""What a message may begin with, and does not ask for."""
_OTHER_THING = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|and|well|now|right)\W+)*(?:an)?(?:other|new|next|different"
    r"|random|quick|unrelated|side) (?:thing|question|topic|subject|one)\s?[.:,;!-]+\s*(?=\w)",
    re.I,
)
"""What says that something else is asked now: "ok other thing. what is a mast"."""


def written_out(question: str) -> str:
    """Return a question with the short forms of chats as words that documents have.

    A greeting before it is left out, and what only says that it is another one.

    >>> written_out("whats a lens, and how many ppl use one")
    'what is a lens, and how many people use one'
    >>> written_out("what do they do w the rest b4 noon"), written_out("what is w in u and r")
    ('what do they do with the rest before noon', 'what is w in u and r')
    """
    asked = _OTHER_THING.sub("", _GREETING.sub("", question))
    asked = _MEANING.sub("was ist", asked if " " in asked else question)
    asked = _SHORT_FORM.sub(_long_form, asked)
    for pattern, read in _SHORT_BESIDE:
        asked = pattern.sub(read, asked)
    return asked


def _long_form(found: re.Match[str]) -> str:
    typed = found.group()
    return typed if typed.isupper() else _SHORT_FORMS[typed.lower()]  # "UR" is a name


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


_SHORTEST_PART = 3
"""Letters of each of two words that may be typed for one."""

_COUNTING = frozenset({"every", "some", "any"})
"""What is another word together with the next: "every day" is not "everyday"."""


def put_together(question: str, is_one: Callable[[str, str], bool]) -> Spelled:
    """Return the question with two words side by side put together where documents write them so.

    `is_one` says whether they do of two words, and never write them apart. Small words are left.

    >>> put_together("is fresh water cold", lambda a, b: a + b == "freshwater").question
    'is freshwater cold'
    """
    mended: list[tuple[str, str]] = []
    out, last = "", 0
    for one, other in pairwise(terms(question)):
        plain = one.kind == other.kind == "word" and one.form.lower() not in _COUNTING
        plain = plain and question[one.end : other.start] == " "
        if not plain or one.start < last or min(len(one.form), len(other.form)) < _SHORTEST_PART:
            continue
        if is_one(one.form, other.form):
            joined = one.form + other.form
            mended.append((f"{one.form} {other.form}", joined))
            out += question[last : one.start] + joined
            last = other.end
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


def word_like(stem: str, text: str, typed: str = "") -> str | None:
    """Return the word of a text that begins as a stem does and is most like the one `typed`.

    The first of those that are; None where no word begins so.

    >>> word_like("lighthous", "The lighthouse stands.")
    'lighthouse'
    >>> word_like("buri", "A burning ship was buried.", "burried")
    'buried'
    """
    found = re.findall(rf"\b{re.escape(stem[:-1])}\w*", text, re.I)
    words = [word.lower() for word in found]
    return max(words, key=lambda word: likeness(typed, word), default=None)


def likeness(one: str, other: str) -> float:
    """Return how alike two words are: the ratio of difflib, 1 for the same."""
    return SequenceMatcher(None, one, other).ratio() if one else 0.0


def is_slip(typed: str, word: str) -> bool:
    """Return whether a word was typed with a letter too many, one too few, or two changed over.

    Two such slips are in a word of eight letters or more. Another letter in the place of one makes
    another word as often as not ("marten", "martin").

    >>> is_slip("burried", "buried"), is_slip("allreday", "already"), is_slip("marten", "martin")
    (True, True, False)
    """
    if typed[:1] != word[:1] or typed == word or abs(len(typed) - len(word)) > _MOST_SLIPS:
        return False
    most = _MOST_SLIPS if len(typed) >= _LONG else 1
    return _slips(typed, word, most)


def _slips(typed: str, word: str, most: int) -> bool:
    """Whether at most so many letters are too many, too few or changed over."""
    at = next((n for n, (a, b) in enumerate(zip(typed, word, strict=False)) if a != b), None)
    if at is None:
        return abs(len(typed) - len(word)) <= most
    if not most:
        return False
    left, right = typed[at:], word[at:]
    changed_over = left[:2] == right[1::-1] and _slips(left[2:], right[2:], most - 1)
    too_many, too_few = (left[1:], right), (left, right[1:])
    return changed_over or _slips(*too_many, most - 1) or _slips(*too_few, most - 1)
