"""Questions that a heading of a document gives (pure)."""

from __future__ import annotations

import re

from core.answering.suggestions.subjects import POINTING, has_no_part, of_a_title
from core.text.terms import terms

_NUMBERED = re.compile(
    r"^(?:(?:chapter|section|part|item|article|appendix|kapitel|abschnitt|teil|§)\W*)?"
    r"(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*[.):]?\s+)+",
    re.I,
)
_HEADING = re.compile(r"[^\W\d_][^\W\d_'’-]*(?: [^\W\d_][^\W\d_'’-]*){1,5}")
_GENERAL = re.compile(
    r"(?:table of contents|see also|external links|further reading|general|introduction|overview"
    r"|summary|background|notes?|references|examples?|appendix|index|other|miscellaneous|contents"
    r"|about|conclusion|related work|acknowledg\w+|copyright|footnotes?|navigation|this page.*"
    r"|indices and tables|previous topic|next topic|report a bug|show source|quick search"
    r"|available information|description of|exhibits?|signatures?"
    r"|einleitung|überblick|fazit|inhalt\w*|zusammenfassung|quellen|einzelnachweise|weblinks"
    r"|literatur|impressum|datenschutz\w*|kommentare?|mehr zum thema|das könnte)\b.*",
    re.I,
)
_NUMBER = re.compile(r"number of (?P<things>[a-z][\w -]{2,30}s)", re.I)


def question_of(title: str, text: str, language: str) -> str:
    """Return what a heading above a text asks or is asked about, "" of what says too little."""
    bare = _NUMBERED.sub("", title).strip()
    if bare.endswith("?") and len(bare.split()) > 2 and bare[0].isupper():
        return bare
    if not _HEADING.fullmatch(bare) or _GENERAL.fullmatch(bare) or bare.isupper():
        return ""
    words = bare.split()
    if words[0].casefold() == "how" and words[1].casefold() == "to" and len(words) > 2:
        return f"How do I {' '.join(words[2:])}?"
    if words[0].casefold() in POINTING or not has_no_part(words):
        return ""
    if sum(term.kind != "stop" for term in terms(bare)) < 2:
        return ""
    if language == "de":
        return f"Was steht zu „{bare}“?"
    if number := _NUMBER.fullmatch(bare):
        return f"How many {number['things'].lower()} are there?"
    return f"What is said about {of_a_title(bare, text)}?"
