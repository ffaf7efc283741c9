"""Whether a question leans on what was said before it (pure)."""

from __future__ import annotations

import re

from core.planning.follow_ups.comparing import compared_with, more_than_that
from core.planning.follow_ups.content import content_of, is_code
from core.planning.follow_ups.counting import count_asked
from core.planning.follow_ups.ellipsis import (
    ATTRIBUTE,
    MONTH,
    NEXT_YEAR,
    NUMBER,
    OTHER_YEAR,
    PHRASE,
    ellipsis,
    lacks_subject,
)
from core.planning.follow_ups.pronouns import GENERAL, PREPOSITION, has_antecedent, points_back
from core.planning.follow_ups.reasons import lacks_reason
from core.planning.numbered_questions import number_asked
from core.text.carried import CARRIED
from core.text.terms import fold, terms

_HOW_MUCH = re.compile(
    r"\b(?:how (?:much|many)|wie ?viele?)(?: (?:more|less|fewer|longer|mehr|weniger))?"
    r"(?: (?:days?|weeks?|months?|years?|hours?|minutes?|times|percent|euros?|dollars?|pounds?"
    r"|degrees|tage|wochen|monate|jahre|stunden|minuten|prozent|grad))?"
    r"(?: (?:an?|per|each|every|pro|im) (?:day|night|week|month|year|hour|minute|person|head"
    r"|tag|nacht|woche|monat|jahr|stunde|person|kopf))?\b"
    r"|\bhow (?:often|long|far|come)\b"
    r"|\b(?:since|until|till) when\b|\bat (?:the )?(?:most|least)\b|\bwhat now\b"
    r"|\bwie (?:oft|lange|weit)\b|\b(?:seit|bis) wann\b|\bwas nun\b",
    re.I,
)
"""What only asks, and names nothing: "how often?"."""
_DEFINITE = re.compile(
    r"\b(?:the|der|die|das|den|dem|des)\s+([^\W\d_]+)\b(?!\s+(?:of|for|against|about|that|which|between|von|vom|zu|zum|zur|fürs?|gegen|über|zwischen)\b)",
    re.I,
)
_PART_OF = re.compile(
    rf"\b(?:{PREPOSITION}|of|about|to) (?:the|der|die|das|den|dem) [^\W\d_]+ "
    r"(?!(?:is|was|are|were|do|does|did|has|have|had|in|on|at|of|for|and|or|to|by)\b)[^\W\d_]+",
    re.I,
)
"""A noun behind a preposition with another behind it: "from the state lottery"."""
_ADDITIVE = re.compile(r"\b(?:too|as well|either|also|auch|ebenfalls|aussi|también)\W*$", re.I)
_NO_NOUN = re.compile(
    r"^\W*how many (?:did|do|does|have|has|had|are|were|was|of (?:them|these|those))\b"
    r"|^\W*how many (?:died|\w{3,}ed|won|lost|came|went|left|got|fell)(?: [\w'’-]+){0,3}\W*$"
    r"|^\W*(?:is|was|were|did|has) (?:any|some)(?:one|body) (?:\w+ )?\w+\W*$"
    r"|^\W*wie viele (?:hat|haben|hatte|hatten|sind|waren|davon)\b",
    re.I,
)
"""What has no noun of its own: "how many died?", "was anyone hurt?"."""
_OF_THOSE = re.compile(
    r"\W*(?:(?:and|so|but|ok),? )*(?:how many|how much|which|wie viele)"
    r" (?:of (?:them|these|those|it|that)\b|davon\b)",
    re.I,
)
_WHAT_IF = re.compile(r"^\W*(?:what|und was) if\b", re.I)
_CLAUSE = re.compile(r"\W*(?:and|but|so|und|aber) (?:if|unless|falls)\b[^,]*$", re.I)
_FEW = 6  # content words of a question that points back


def leans(question: str) -> bool:
    """Return whether a question says of itself that it leans on something before it.

    >>> leans("How is it calculated?"), leans("What does MMR do and how is it calculated?")
    (True, False)
    >>> leans("and in 2014?"), leans("and what is the capital of Peru?")
    (True, False)
    """
    return bool(
        only_asks(question)
        or ellipsis(question)
        or OTHER_YEAR.search(question)
        or _NO_NOUN.search(question)
        or (_WHAT_IF.search(question) and not has_antecedent(question))
        or adds_clause(question)
        or asks_attribute(question)
        or count_asked(question)
        or lacks_reason(question)
        or compared_with(question)
        or more_than_that(question)
        or lacks_subject(question)
        or is_only_number(question)
        or (points_back(question) and len(content_of(question)) <= _FEW)
        or _is_general(question)
    )


def only_asks(question: str) -> bool:
    """Return whether a question names nothing at all, so that it asks on about what was asked.

    >>> only_asks("how often?"), only_asks("and by whom?"), only_asks("how often does it rain?")
    (True, True, False)
    """
    return not content_of(OTHER_YEAR.sub(" ", _HOW_MUCH.sub(" ", question)))


def adds_clause(question: str) -> bool:
    """Return whether a question only adds a case to the one before.

    >>> adds_clause("and if it rains?"), adds_clause("and if it rains, who pays?")
    (True, False)
    >>> adds_clause("and if it rains, is there anything?")
    True
    """
    clause, _, rest = question.partition(",")
    return _CLAUSE.fullmatch(clause) is not None and not content_of(rest)


def counts_of_those(question: str) -> bool:
    """Return whether it is asked how many of something named before are so.

    >>> counts_of_those("how many of those in private schools"), counts_of_those("how many of us?")
    (True, False)
    """
    return _OF_THOSE.match(question) is not None


def asks_attribute(question: str) -> bool:
    """Return whether a question has no verb and no name: one of what was spoken of is asked for.

    >>> asks_attribute("what temperature?"), asks_attribute("what temperature is best?")
    (True, False)
    """
    named = any(term.kind == "name" or is_code(term.form) for term in terms(question))
    return ATTRIBUTE.fullmatch(question) is not None and not named


def is_only_number(question: str) -> bool:
    """Return whether one of a list is asked for, and nothing that was typed says of which list.

    >>> is_only_number("and number 9? (the stand)"), is_only_number("rule 9 of the house?")
    (True, False)
    """
    asked = number_asked(CARRIED.sub("", question))
    return asked is not None and not content_of(asked.rest)


def may_lean(question: str) -> bool:
    """Return whether a question could lean on the conversation: short, and it names nothing."""
    own = content_of(question)
    return (
        len(own) <= _FEW
        and not has_antecedent(question)
        and not any(term.kind == "name" or is_code(term.form) for term in terms(question))
    )


def needs_question(question: str) -> bool:
    """Return whether an ellipsis says only when, where or which number: it asks nothing alone.

    >>> needs_question("and in Graz?"), needs_question("what about RRF?")
    (True, False)
    """
    part = ellipsis(question)
    if not part:
        return False
    if OTHER_YEAR.search(part) or NEXT_YEAR.search(part):
        return True
    rest = NUMBER.sub(" ", MONTH.sub(" ", part))
    return bool(PHRASE.match(part)) or not content_of(rest)


def _is_general(question: str) -> bool:
    """Whether a question speaks of "the company", and of nothing by name."""
    nouns = {fold(noun) for noun in _DEFINITE.findall(_PART_OF.sub(" ", question))}
    named = any(term.kind == "name" for term in terms(question) if fold(term.form) not in GENERAL)
    additive = _ADDITIVE.search(question) is not None
    return (bool(nouns & GENERAL) or additive) and not named and len(content_of(question)) <= _FEW
