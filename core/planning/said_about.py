"""What documents are asked to say of something: "what does the handbook say about it" (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SAYS = re.compile(
    r"\W*(?:(?:and|so|ok|und)\W+)*(?:what|anything) (?:do|does|did|can|could|would) "
    r"(?P<who>[^?.!,;]{2,60}?) "
    r"(?:say|says|tell|state|mention|write|teach)(?: (?:me|us))? "
    r"(?:about|of|on|regarding|concerning) (?P<topic>[^?!]+?)\W*",
    re.I,
)
_STEHT = re.compile(
    r"\W*(?:(?:und|also)\W+)*was (?:steht|sagt|schreibt|heißt es)(?: denn)? "
    r"(?:(?:in|im) )?(?P<who>[^?.!,;]{2,60}?) (?:über|zu[mr]?) (?P<topic>[^?!]+?)\W*",
    re.I,
)
_ANY = re.compile(
    r"(?:it|they|this|that|these|those|you|der text|(?:(?:the|this|my|these|your|dem|den|der|die"
    r"|das|diese[mnrs]?) )?(?:documents?|docs?|files?|pdfs?|texts?|papers?|articles?|pages?"
    r"|dokumente?n?|dateie?n?|texte?n?|artikel|seiten?))",
    re.I,
)
"""What names no document more than another."""


@dataclass(frozen=True, slots=True)
class SaidAbout:
    """`question` asks of the topic alone; `who` names the documents, "" is all of them."""

    who: str
    question: str


def said_about(question: str) -> SaidAbout | None:
    """Return what a question asks documents to say of something; None for any other question.

    >>> said_about("what does the handbook say about tables?")
    SaidAbout(who='the handbook', question='tell me about tables')
    >>> said_about("what does it say about tables"), said_about("who is Jo Reed")
    (SaidAbout(who='', question='tell me about tables'), None)
    >>> said_about("Was steht im Handbuch zu Tabellen?")
    SaidAbout(who='Handbuch', question='was ist Tabellen')
    """
    for shape, asking in ((_SAYS, "tell me about"), (_STEHT, "was ist")):
        if found := shape.fullmatch(question):
            who = "" if _ANY.fullmatch(found["who"]) else found["who"]
            return SaidAbout(who, f"{asking} {found['topic']}")
    return None
