"""Sentences about the person who is meant, by the first name and by the office (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import OFFICE
from core.answering.extractive.sentences.candidates import Candidate, Rated
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.text.terms import content_keys
from core.types import Hit

_CAPITALISED = r"[^\W\d_a-zß-ÿ][\w'’-]+"
_NAMES = rf"{_CAPITALISED}(?: (?:{_CAPITALISED}|[^\W\d_a-zß-ÿ]\.))"
_FULL_NAME = re.compile(rf"{_NAMES}* {_CAPITALISED}")
"""What a document about somebody is called: "Jo Reed", "Jo B. Reed"."""
_MOST_NAMES = 3
_ENDING = re.compile(r"\.\w{2,5}$")
_OF_PERSON = re.compile(r"\b(?:he|she|his|her|er|sie|sein\w*|ihre?\w*)\b", re.I)
_OF_RANK = re.compile(
    rf"(?:{OFFICE}|sir|dame|lord|lady|saint|mrs?|ms|miss|dr|prof(?:essor)?|doctor|general|colonel"
    r"|major|sergeant|lieutenant|private|senator|governor|judge|justice|secretary|prince(?:ss)?"
    r"|emperor|empress|pope|bishop|father|mother|brother|sister|uncle|aunt|young|old|little"
    r"|inventor|author|artist|engineer|scientist|physicist|herr|frau|könig(?:in)?|kaiser(?:in)?)",
    re.I,
)
"""What stands before a name like a first name, and is none."""
_SIGNED = re.compile(r"(?:^|\s)/s/\s")
_SIGNS = re.compile(r"\bsign(?:s|ed|ing|atur\w+|atory|atories)?\b|\bunter(?:schr|zeichn)\w+", re.I)
_OPENS = r"\W*(?:(?:and|so|ok),? )*"
_RUNS = re.compile(
    rf"{_OPENS}who (?:(?:now |currently )?(?:runs|heads|leads)|is running|is in charge (?:of|at))"
    r"(?: the)?(?: [\w&.'’-]+){1,3}\W*$",
    re.I,
)
_DOES = re.compile(r"\b(?:runs?|heads|leads|in charge)\b", re.I)
_WHO_IS = re.compile(
    rf"{_OPENS}who(?:['’]?s| is)(?: now| currently)?(?: the| its| their)?(?: [\w&.'’-]+){{0,2}}"
    r" (?:(?P<short>ceo|cfo|cto|coo)|chief (?P<long>executive|financial|technology|operating))\b",
    re.I,
)
_OFFICES = {"ceo": "executive", "cfo": "financial", "cto": "technology", "coo": "operating"}
_NAMED = {
    short: rf"(?:(?i:chief\s{office}(?:\sofficer)?)|{short.upper()})\b"
    for short, office in _OFFICES.items()
}
_HOLDS = (
    rf"\W*(?:M[rs]s?\. )?{_NAMES}+"
    r"(?:,? \(?(?:aged? )?\d\d\)?)?,?"
    r" (?:(?:is|has been) )?(?:(?:the|our|its) )?"
    rf"(?:(?:{_CAPITALISED},?|and|of|the|for) ){{0,9}}?"
)
"""Somebody's name, an age, and offices beside the one that is asked for: "Jo B. Reed, 59, is"."""
_HOLDER = {short: re.compile(_HOLDS + named) for short, named in _NAMED.items()}
_SIGNER = {short: re.compile(rf"(?:^|\s)/s/ {holder.pattern}") for short, holder in _HOLDER.items()}
_OF_OFFICE = frozenset(
    content_keys(
        f"{' '.join(_OFFICES)} chief {' '.join(_OFFICES.values())} officer runs heads leads running"
        " charge"
    )
)
"""Words of a question for who is in an office that say nothing of whose office it is."""


def of_its_person(question: str, order: Sequence[Rated], hits: Sequence[Hit]) -> Sequence[Rated]:
    """Those that are not about another of the surname of the one that their document is about.

    In a document called "Jo Reed", who asks what Reed died of is not told of Max Reed. All where
    nothing else is left.
    """
    asked = set(content_keys(question))
    meant = {one.hit: _person_asked(hits[one.hit], asked, hits) for one, _ in order}
    return [
        one for one in order if not _is_of_another(one[0].sentence.text, meant[one[0].hit], asked)
    ] or order


def unsigned(question: str, order: Sequence[Rated]) -> Sequence[Rated]:
    """Those that are no line of signatures, "By /s/ Jo Reed", where nobody asks who signed.

    One with the office that is asked for stays where nothing else says who is in it.
    """
    if _SIGNS.search(question):
        return order
    plain = [one for one in order if not _SIGNED.search(f"{one[0].under} {one[0].sentence.text}")]
    office = _office_asked(question)
    if office and not any(names_holder(question, one[0].sentence.text) for one in plain):
        plain = [one for one in order if one in plain or _says_office(office, one[0].sentence.text)]
    return plain or order


def holding(part: str, near: Sequence[Rated], hits: Sequence[Hit]) -> Rated | None:
    """What says first of all who is in the office that is asked for, its words side by side.

    Who runs a company is its chief executive. It is of the document of the best; None where
    nothing says so, or the best names the office: "chief" and "officer" stand in many a title.
    """
    office = _office_asked(part)
    if not near or not office:
        return None
    best = near[0][0]
    if names_holder(part, best.sentence.text):
        return near[0]
    if speaks_of_office(part, best.sentence.text):
        return None
    document = hits[best.hit].document.id
    same = (one for one in near if hits[one[0].hit].document.id == document)
    return next((one for one in same if names_holder(part, one[0].sentence.text)), None)


def names_holder(question: str, text: str) -> bool:
    """Return whether a text begins with who is in the office that a question asks for.

    >>> names_holder("who is the CFO?", "Jo Reed, 59, is Director and Chief Financial Officer")
    True
    >>> names_holder("who runs Acme", "Jo Reed was Chief Executive Officer of Bell.")
    False
    """
    office = _office_asked(question)
    return bool(office) and _HOLDER[office].match(text) is not None


def speaks_of_office(question: str, text: str) -> bool:
    """Return whether a text speaks of the office of which the holder is asked for, where one is."""
    office = _office_asked(question)
    runs = _RUNS.match(BRACKETED.sub("", question)) is not None
    return not office or _says_office(office, text) or (runs and _DOES.search(text) is not None)


def signer(question: str, candidates: Sequence[Candidate], hits: Sequence[Hit]) -> Candidate | None:
    """Return the signature of who is in the office that a question asks for, None without one.

    It has to stand in a document that speaks of all that the question names.
    """
    office = _office_asked(question)
    if not office:
        return None
    asked = set(content_keys(BRACKETED.sub("", question))) - _OF_OFFICE
    found = (
        one for one in candidates if _SIGNER[office].search(" ".join(one.sentence.text.split()))
    )
    return next((one for one in found if asked <= _said_in(hits[one.hit], hits)), None)


def _said_in(hit: Hit, hits: Sequence[Hit]) -> set[str]:
    """The keys of what was found in the document of a hit, and of its names."""
    document = hit.document
    told = (one.chunk.text for one in hits if one.document.id == document.id)
    return set(content_keys(" . ".join((document.title, document.label, *told))))


def _office_asked(question: str) -> str:
    """The short name of the office that somebody asks for the holder of, "" where it is none."""
    plain = BRACKETED.sub("", question)
    asked = _WHO_IS.match(plain)
    if asked is None:
        return "ceo" if _RUNS.match(plain) else ""
    said = (asked["short"] or asked["long"]).casefold()
    return next(short for short, name in _OFFICES.items() if said in (short, name))


def _says_office(office: str, text: str) -> bool:
    return re.search(_NAMED[office], text) is not None


def _person_asked(hit: Hit, asked: set[str], hits: Sequence[Hit]) -> list[str]:
    """The names of whom a document is about, where that is somebody whose surname is asked for."""
    name = hit.document.title or _ENDING.sub("", hit.document.label).replace("_", " ")
    names = name.split()
    if len(names) > _MOST_NAMES or not _FULL_NAME.fullmatch(name):
        return []
    told = (one.chunk.text for one in hits if one.document.id == hit.document.id)
    is_person = any(_OF_PERSON.search(text) for text in told)
    return names if is_person and asked & set(content_keys(names[-1])) else []


def _is_of_another(text: str, names: Sequence[str], asked: set[str]) -> bool:
    """Whether a sentence has the surname only behind the first name of somebody else."""
    if not names:
        return False
    said = list(re.finditer(rf"(?P<first>\b\S+ )?\b{re.escape(names[-1])}\b", text))
    return bool(said) and all(
        found["first"] is not None
        and found.start() > 0  # "Upon Tesla"
        and re.fullmatch(_CAPITALISED, first := found["first"].strip()) is not None
        and first not in names
        and not _OF_RANK.fullmatch(first)
        and asked.isdisjoint(content_keys(first))
        for found in said
    )
