"""Understanding the question without a model: what is wanted, and which queries look for it (pure).

Typed as it is, a question is its own query. One that leans on the conversation ("and why?", "how
much does it cost?") is put whole (`follow_ups/`), and the plan says so. A question that has
nothing to do with what was said begins a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.planning.follow_ups.completing import CARRIED_OVER, Reading, whole
from core.planning.follow_ups.ellipsis import ellipsis
from core.planning.follow_ups.leaning import leans, may_lean, needs_question, only_asks
from core.planning.follow_ups.people import NOBODY_MEANT, means_nobody
from core.text.glossary.compounds import parts_of_compounds
from core.text.glossary.german import may_be_german
from core.text.glossary.german_verbs import other_verb_forms
from core.text.terms import content_keys, terms
from core.types import Level, Message, Notice, QueryPlan
from core.types.search import OtherWords

_VAGUE = 2  # words without a name that may or may not begin a new topic
_REMEMBERED = 6  # messages that a new question is compared with
_PREVIOUS = 10  # chunks of the conversation that are looked at again
_BOTH = re.compile(
    r"\b(?:compar\w+|differ\w*|versus|vs\.?|both|respectively|in common|similarit\w+|unlike|"
    r"vergleich\w*|unterschied\w*|gemeinsam|sowohl|beide[nrs]?|différen\w+|diferenc\w+|"
    r"differenz\w+|сравн\w+|отлич\w+|разниц\w+)\b",
    re.I,
)
_PARTS = re.compile(
    r"\?\s+\S|;|\b(?:and|und|et|y|и)\s+"
    r"(?:who|what|when|where|which|why|how|w[aeio]\w+|qu\w+|кто|что|когда|где|как)\b",
    re.I,
)
_CHAIN = re.compile(
    r"\b(?:who|which|that|whose|where)\b.{3,80}\b(?:of|by|in|from|for)\b.{3,80}"
    r"\b(?:who|which|that|whose|where)\b",
    re.I,
)

_NOBODY = Notice(
    NOBODY_MEANT,
    "The question is about somebody whom the last answer did not find.",
    "Ask again with the name.",
    "info",
)


def plan_by_rule(
    question: str, history: Sequence[Message] = (), level: Level = Level.AUTO
) -> QueryPlan:
    """The plan by rule for a question after the messages of `history`, oldest first.

    `Level.AS_TYPED` takes the message as it is; any other level completes one that leans on the
    conversation. The plan's own level is always `AS_TYPED`: no model was asked.
    """
    typed = " ".join(question.split())
    if level is not Level.AS_TYPED and means_nobody(typed, history):
        return QueryPlan(question, typed, (typed,), notices=(_NOBODY,), follows=True)
    reading = whole(typed, history) if leans(typed) and level is not Level.AS_TYPED else None
    if reading is None:
        follows = bool(history) and leans(typed)
        follows = follows or continues_topic(typed, history)
        return QueryPlan(question, typed, (typed,), follows=follows, also=_also(typed))
    return _plan_of(question, reading, history)


def other_reading(plan: QueryPlan, history: Sequence[Message]) -> QueryPlan | None:
    """Return the plan by the other reading of a question: alone, or as a part of the talk.

    None where there is only one: the question names what it is about, names nothing, or says only
    when or where.
    """
    typed = " ".join(plan.question.split())
    if _NOBODY in plan.notices:
        return None
    if plan.goal != typed:
        bound = not ellipsis(typed) and only_asks(typed)
        return None if bound or needs_question(typed) else alone(plan)
    if not may_lean(typed):
        return None
    reading = whole(typed, history)
    return None if reading is None else _plan_of(plan.question, reading, history)


def alone(plan: QueryPlan) -> QueryPlan:
    """Return the plan of the same question without what was carried over."""
    typed = " ".join(plan.question.split())
    return QueryPlan(plan.question, typed, (typed,), follows=plan.follows, also=_also(typed))


def _plan_of(question: str, reading: Reading, history: Sequence[Message]) -> QueryPlan:
    notice = Notice(
        CARRIED_OVER,
        f"The question points back, so it was read as “{reading.goal}”.",
        "Ask again with other words if something else was meant.",
        "info",
    )
    return QueryPlan(
        question, reading.goal, (reading.query,), notices=(notice,),
        follows=True, previous_chunks=previous_chunks(history), also=_also(reading.goal),
    )  # fmt: skip


def _also(goal: str) -> OtherWords:
    """Other words for those of a question: in German, forms of its verbs, parts of compounds."""
    if not may_be_german(goal):
        return ()
    return (*other_verb_forms(goal), *parts_of_compounds(goal))


def choose_level(question: str, by_rule: QueryPlan) -> tuple[Level, str]:
    """The effort that a question is worth, and why.

    Alone and simple, it is taken as typed; where it asks for things that hardly stand in one
    place, the search goes in depth; else several queries look for it.
    """
    if _BOTH.search(question) or _CHAIN.search(question):
        return Level.IN_DEPTH, "it asks for things that may stand in different places"
    if _PARTS.search(question):
        return Level.SEVERAL, "it has several parts"
    if by_rule.notices:
        return Level.SEVERAL, "it leans on the conversation"
    return Level.AS_TYPED, "it stands by itself"


def previous_chunks(history: Sequence[Message]) -> tuple[str, ...]:
    """The chunks that the last answer rests on, cited ones first."""
    for message in reversed(history):
        if message.answer is not None:
            cited = [citation.chunk_id for citation in message.answer.citations]
            hits = message.answer.search.hits if message.answer.search else ()
            found = dict.fromkeys([*cited, *(hit.chunk.id for hit in hits)])
            return tuple(found)[:_PREVIOUS]
    return ()


def continues_topic(question: str, history: Sequence[Message]) -> bool:
    """Whether a question names anything that was said lately, or too little to tell."""
    own = set(content_keys(question))
    said = " ".join(message.text for message in history[-_REMEMBERED:])
    vague = len(own) <= _VAGUE and not _named(question)
    return bool(history) and (vague or bool(own & set(content_keys(said))))


def _named(question: str) -> bool:
    return any(term.kind in ("name", "number") for term in terms(question))
