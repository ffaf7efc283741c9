"""Questions that say only what is new: "and in 2014?", "the year before?" (pure)."""

from __future__ import annotations

import re

from core.planning.follow_ups.comparing import compared_with
from core.planning.follow_ups.content import content_of
from core.planning.follow_ups.pronouns import PREPOSITION
from core.text.word_lists import MONTHS

_AND = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|well|then|and|und|aber|but|et|y|or|oder|pa"
    r"|in(?= (?:leta|v|na|pri|iz|kaj)\b))\b[\s,]*)*"
    r"(?:(?:what|how) about|was ist mit|wie (?:ist|sieht) es mit|kaj pa|et pour|y)?\s*",
    re.I,
)
ASKS = re.compile(
    r"(?:who|whom|whose|what|whats|which|why|how|w(?:er|en|em|as|ie|o(?:für|mit|durch|von|zu|ran|rin)?"
    r"|arum|ann|elche[mnrs]?"
    r"|ieviel\w*|oher)|qu\w+|où|comment|combien|c[oó]mo|cu[aá]\w+|d[oó]nde|por qu[eé]"
    r"|кто|что|как|kdo|koga|kaj|kdaj|kje|kako|koliko|zakaj|kater\w+)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|ist|sind"
    r"|war|hat|haben|kann|wird|list|show|give|tell|name|explain|describe|find|nenne|zeige?)\b"
    r"|(?:when|where) (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.I,
)
ATTRIBUTE = re.compile(
    rf"\W*(?:(?:ok|and|so|und)\W+)*(?:(?:at|in|on|with|for|from|to|bei|mit|auf|aus|zu) )?"
    rf"(?:what|which|welche[rsmn]?)"
    rf"(?: (?!(?:{ASKS.pattern}))[^\W\d_]+){{0,2}} (?!(?:{ASKS.pattern}))\w+[^\Ws]\W*",
    re.I,
)
"""A question without a verb: "what batch size" asks for one of what was spoken of."""
_ASKS_FOR = re.compile(
    r"(?:who|whom|whose|what|which|how|when|where|wie\w*|wem|wen|wann|was|welche\w*)\b", re.I
)
_ASKS_BEHIND = re.compile(rf"[,;:.?!]\s*(?:{ASKS.pattern})", re.I)
YEAR = re.compile(r"\b(?:1[5-9]|20|21)\d\d\b")
MONTH = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b", re.I)
NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_BEFORE = (
    r"(?:the|a|one) year (?:before|earlier|prior|previously)|(?:im|das) jahr (?:davor|zuvor)"
    r"|ein jahr (?:zuvor|davor|früher)|im vorjahr"
)
_AFTER = (
    r"(?:the|a|one) year (?:after|later|afterwards)|(?:im|das) jahr (?:danach|darauf)"
    r"|ein jahr (?:danach|später)"
)
OTHER_YEAR = re.compile(
    rf"\b(?:(?:in|for|from) )?(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\b"
    # Not "the year before she died", which tells itself from what.
    r"(?! (?!(?:how|what|who|which|where|why|did|was|were|is)\b)[a-z]\w* \w)",
    re.I,
)
"""A year that is told from another one."""
NEXT_YEAR = re.compile(
    r"\b(?:(?:in|for|from) )?(?:the )?(?:(?P<before>last|previous|prior|preceding)"
    r"|(?P<after>next|following)) year\b",
    re.I,
)
"""The same where the question is an ellipsis; else it may be told from today."""
IN_TIME = "after|before|since|until|till|within|without"
_WHERE_TO = "to|of|into|onto|zum?|zur|nach|auf|über|vom"
PHRASE = re.compile(
    rf"^(?P<preposition>{PREPOSITION}|{IN_TIME}|{_WHERE_TO}|leta|v|na|pri|iz)\s+(?P<rest>.+)$", re.I
)
_CLAUSE = re.compile(r"(?:if|unless|falls)\b", re.I)
_ADDITIVE = re.compile(r" (?:too|as well|also|auch)$", re.I)
_SHORT = 6  # words of an ellipsis


_SUITS = re.compile(
    r"\W*(?:(?:and|but|so|und|aber) )?"
    r"(?:(?:ok(?:ay)?|fine) (?:for|to|with)|(?:safe|good|bad|suitable|enough|allowed|possible|free)"
    r" (?:for|to|with|in|on|at|if)) [^\d?]+\?*\s*",
    re.I,
)


def lacks_subject(question: str) -> bool:
    """Return whether a question says only how something is to be: it was named before.

    >>> lacks_subject("ok for small kids?"), lacks_subject("ok, for small kids?")
    (True, False)
    >>> lacks_subject("safe in the rain?"), lacks_subject("is it safe?")
    (True, False)
    """
    return _SUITS.fullmatch(question) is not None


def ellipsis(question: str) -> str:
    """Return the new part of a question that has no predicate, "" for a whole question.

    >>> ellipsis("ok, and in Graz?"), ellipsis("what about RRF?"), ellipsis("and who is she?")
    ('in Graz', 'RRF', '')
    """
    typed = " ".join(question.split())
    if lacks_subject(typed) or compared_with(typed):
        return ""
    opening = _AND.match(typed)
    rest = typed[opening.end() :] if opening else typed
    rest = rest.strip(" ?!.,;:")
    led = opening is not None and any(ch.isalpha() for ch in opening.group())
    words = rest.split()
    if not (content_of(rest) or MONTH.search(rest)) or len(words) > _SHORT or ASKS.match(rest):
        return ""
    if _CLAUSE.match(rest):
        return ""
    rest = _ADDITIVE.sub("", rest)
    phrase = PHRASE.match(rest)
    if ATTRIBUTE.fullmatch(rest) or (phrase and _ASKS_FOR.match(phrase["rest"])):
        return ""  # "at what temperature"
    if _ASKS_BEHIND.search(rest):
        return ""  # "the year before, how much sales?", "ok thanks. what is a mast"
    return rest if led or (len(words) <= 4 and PHRASE.match(rest)) else ""
