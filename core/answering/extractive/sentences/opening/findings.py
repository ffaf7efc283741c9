"""What a study found, before what it was to find out (pure)."""

from __future__ import annotations

import re

from core.answering.extractive.sentences.candidates import Candidate, Rated

_STUDY = r"(?:study|trial|paper|work|research|review|analysis|survey|article|experiments?)"
_LOOKS = (
    r"(?:examine[sd]?|investigate[sd]?|explore[sd]?|assess(?:es|ed)?|evaluate[sd]?|test(?:s|ed)?)"
)
_AIM = re.compile(
    r"^\W*(?:(?:objectives?|aims?|purpose|ziele?):?\s+)?to (?:determine|assess|evaluate"
    r"|investigate|examine|compare|explore|estimate|study|find out|test|see)\b[^,]*$"
    rf"|\b(?:aims?|objectives?|purpose|goal) (?:of (?:this|the|our) (?:\w+ ){{0,2}}?{_STUDY} )?"
    r"(?:was|were|is)\b.*\bto\b"
    rf"|\b(?:we|{_STUDY}|authors?) (?:\w+ )?(?:aim(?:s|ed)?|s[eo]ught|set out|wanted) to\b"
    rf"|\b(?:we|(?:this|the|our) {_STUDY}) {_LOOKS} (?:whether|if|how)\b"
    r"|\bziele? (?:der|dieser|des|unserer) (?:\w+ )?(?:studie|untersuchung|arbeit|analyse|umfrage"
    r"|forschung)\w* (?:ist|war|sind|waren)\b"
    r"|\b(?:wurde|wird|werden|sollte) (?:\w+ ){0,4}(?:untersucht|geprüft|geklärt|ermittelt),"
    r" (?:ob|wie|inwieweit)\b",
    re.I,
)
_AIM_ASKED = re.compile(
    r"\b(?:aims?|objectives?|purpose|goals?|why|find out|wanted|trying|try|studied|study"
    r"|investigat\w+|examin\w+|ziele?|zweck|warum|untersuch\w*|herausfinden)\b",
    re.I,
)
_BEFOREHAND = re.compile(
    r"(?:background|objectives?|aims?|purpose|hintergrund|ziel(?:e|setzung)?)\W*$", re.I
)
_FOUND = re.compile(
    r"(?:(?:main )?(?:results?|findings?|conclusions?|interpretation)|ergebnisse?|fazit"
    r"|schlussfolgerung(?:en)?)\W*$",
    re.I,
)
"""The headings of an abstract before and behind what was found."""
AIM_MARGIN = 4.0
"""How much worse what was found may be than what was to be found out."""


def findings_first(question: str, ranked: list[Rated]) -> list[Rated]:
    """The candidates, what only says that something was to be found out behind what is near.

    "The aim was to see whether X helps" does not say whether it does. Who asks for the aim gets it.
    """
    if not ranked or _AIM_ASKED.search(question):
        return ranked
    first, top = ranked[0]
    near = [one for one in ranked if one[1] >= top - AIM_MARGIN and not _is_of_aims(one[0])]
    if _BEFOREHAND.match(first.under):
        near = [one for one in near if _FOUND.match(one[0].under)]
    if not near or not _is_of_aims(first):
        return ranked
    return [*near, *(one for one in ranked if one not in near)]


def _is_of_aims(candidate: Candidate) -> bool:
    """Whether it is told before anything was found: by what it says, or by its heading."""
    return says_aim(candidate.sentence.text) or _BEFOREHAND.match(candidate.under) is not None


def says_aim(text: str) -> bool:
    """Return whether a sentence says what a study was to find out, and not what it found.

    >>> says_aim("To determine whether tea helps."), says_aim("Tea helps to determine the hour.")
    (True, False)
    """
    return _AIM.search(text) is not None
