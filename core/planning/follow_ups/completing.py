"""A question put whole by what was asked and answered before it (pure).

What it takes over is the topic of the last question that was answered: the names in it that the
answer's own sources write as names, else its content words. "They" is nothing that is one: after
"what is the net debt?" it is whom the conversation named before, else the name in the document's
title. A question that names only what is new ("and in 2014?") takes the question before it with the
like part replaced, and so does "is Bolt's higher?"; "the year before" is the one before that
question's. Nothing is taken from a question that was refused, but by one that says only when or
where ("and in 2014?"), and of an answer only the person that "he" or "she" needs, and its one year.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import takewhile

from core.planning.follow_ups.comparing import compared_with, more_than_that
from core.planning.follow_ups.content import content_of, words_of
from core.planning.follow_ups.counting import count_asked, counted_instead
from core.planning.follow_ups.dropped_subject import drops_subject
from core.planning.follow_ups.ellipsis import (
    ASKS,
    ATTRIBUTE,
    NEXT_YEAR,
    OTHER_YEAR,
    PHRASE,
    YEAR,
    ellipsis,
    lacks_subject,
)
from core.planning.follow_ups.leaning import (
    adds_clause,
    is_only_number,
    leans,
    needs_question,
    only_asks,
)
from core.planning.follow_ups.people import person_of
from core.planning.follow_ups.pronouns import MANY, PERSON, PLACE
from core.planning.follow_ups.reasons import lacks_reason, why_changed
from core.planning.follow_ups.replacing import replaced_in
from core.planning.follow_ups.things import thing_of
from core.planning.follow_ups.turns import (
    MOST,
    Turn,
    answered_turns,
    content_words_of,
    is_several,
    names_in_title,
    names_of,
    quote_of,
    refused_last,
    topic_of,
)
from core.planning.numbered_questions import with_number_of
from core.text.carried import CARRIED
from core.text.terms import content_keys, fold, folded_words
from core.types import Message

CARRIED_OVER = "words-carried-over"
"""The code of the notice on a question to which words of the conversation were added."""
_MEASURE = re.compile(
    r"\b(?:how|wie) \w+(?= (?:is|are|was|were|do|does|did|can|will|ist|sind|war|waren|hat|kann|muss"
    r"|dauert)\b)",
    re.I,
)
"""What asks how much of something a thing is, and says nothing of the thing: "how tall was"."""
_MEASURES = folded_words(
    "cost costs price prices fee fees time date age hours size length height width weight number"
    " amount year month day kosten preis zeit datum alter größe anzahl"
)
"""What is asked of a thing, and is not the thing."""
_AND = re.compile(r"^\W*(?:and|but|so|und|aber)\s+", re.I)
_CALLED = re.compile(r"\b(?:called|named) (?:that|so|this|it|like (?:that|this))\b", re.I)
"""What asks for the name of a thing: "why is it called that"."""
_WHY = re.compile(r"\b(?:why|how come|warum|wieso|weshalb)\b", re.I)
_HOW_MUCH = re.compile(r"\b(?:how (?!come\b)|wie )\w", re.I)
_SUBJECT = re.compile(
    r"\b(?:do|does|did|has|have|had|is|are|was|were|can|could|will|would)\s+(?:the\s+)?"
    r"(?!(?:i|you|we|he|she|it|they|this|that|there)\b)"
    r"([\w'’-]+)(?:\s+([\w'’-]+))?",
    re.I,
)
"""What may be the subject of a question, by its verb."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question put whole: `goal` in words, `query` for the search, and the words `carried`."""

    goal: str
    query: str
    carried: tuple[str, ...]


def whole(question: str, history: Sequence[Message]) -> Reading | None:
    """Return the question put whole by what was asked and answered before, None without that."""
    typed = " ".join(question.split())
    turns = list(answered_turns(history))
    if needs_question(typed) and (refused := refused_last(history)):
        turns = [refused, *turns]  # "and in 2014?" asks nothing else than what was just asked
    if not turns:
        return None
    typed = _with_year(typed, turns[0])
    year = YEAR.search(typed)
    if is_only_number(typed) and (goal := with_number_of(turns[0].goal, typed)):
        return Reading(goal, goal, tuple(words_of(goal)))
    count = "" if only_asks(typed) else count_asked(typed)
    if count and (goal := counted_instead(turns[0].goal, count)):
        return Reading(goal, goal, tuple(words_of(goal)))
    if other := more_than_that(typed):
        goal = _asked_of_other(other, turns[0])
        return Reading(goal, goal, tuple(words_of(goal)))
    part = ellipsis(typed) or (f"in {year.group()}" if year and _only_year(typed) else "")
    if part and not is_only_number(typed):
        goal = re.sub(r"\)\?$", ")", replaced_in(turns[0], part))  # what was carried over ends it
        carried = tuple(w for w in words_of(goal) if fold(w) not in set(map(fold, words_of(typed))))
        return Reading(goal, goal, carried)
    own = set(content_keys(typed))
    person, topic = _carried(typed, turns)
    words = (*person, *topic)
    if words and (other := compared_with(typed)):
        goal = f"what is the difference between {' '.join(words)} and {other}?"
        return Reading(goal, goal, words)
    if words and lacks_subject(typed):
        goal = f"is {' '.join(words)} {_AND.sub('', typed)}"
        return Reading(goal, goal, words)
    new = [word for word in words if not own.issuperset(content_keys(word))]
    words = tuple(word for word in new if not (year and YEAR.fullmatch(word)))[:MOST]
    if not words:
        return Reading(typed, typed, ()) if typed != " ".join(question.split()) else None
    added = " ".join(words)
    meant = " ".join(word for word in words if word in person) or added
    return Reading(f"{typed} ({meant})", f"{typed} {added}", words)


def _asked_of_other(other: str, turn: Turn) -> str:
    """The last question asked of another, so that both can be compared: "is Bolt's higher?"."""
    many = not MANY.isdisjoint(_pronouns_in(turn.goal))  # "what do they pay (Acme)"
    return replaced_in(replace(turn, goal=CARRIED.sub("", turn.goal)) if many else turn, other)


def _with_year(question: str, turn: Turn) -> str:
    """The question with the year that "the year before" means after this turn, where it has one."""
    pattern = NEXT_YEAR if ellipsis(question) else OTHER_YEAR
    found = pattern.search(question) or OTHER_YEAR.search(question)
    years = YEAR.findall(turn.goal)[-1:] or set(YEAR.findall(quote_of(turn)))
    if found is None or len(years) != 1:
        return question
    year = int(*years) + (-1 if found["before"] else 1)
    return f"{question[: found.start()]}in {year}{question[found.end() :]}"


def _only_year(question: str) -> bool:
    """Whether a question asks for nothing but a year of what was asked: "what was it in 2022".

    Why it was less than the year before is another question.
    """
    return not content_of(YEAR.sub(" ", question)) and _WHY.search(question) is None


def _carried(question: str, turns: Sequence[Turn]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The person that the question needs, and the topic of the last question that stood alone."""
    pronouns = _pronouns_in(question)
    person = pronouns & PERSON
    begun = next((turn for turn in turns if _begins_topic(turn, person)), turns[-1])
    on = only_asks(question) or adds_clause(question)  # "and by whom?" asks on about what was asked
    if on or why_changed(question) or lacks_reason(question):
        asks = ASKS.search(question) or adds_clause(question)
        about = turns[0] if asks else begun
        words = topic_of(begun) if _is_of_topic(question) else content_words_of(about)
        return (), tuple(_without_measure(words, about) if _HOW_MUCH.search(question) else words)
    topic = _of_last_year([*_owner(begun, turns), *topic_of(begun)], turns[0])
    if content_of(question):  # "and why?" asks on about the measure too
        topic = _without_measure(topic, begun)
    if pronouns & MANY and not person and not is_several(begun):
        named = (names_of(turn) for turn in turns[turns.index(begun) :])
        several = (topic_of(turn) for turn in turns if is_several(turn))
        topic = next(filter(None, named), []) or next(several, []) or names_in_title(begun)
    if pronouns & PLACE and not names_of(begun):  # "there" is a place, whatever was asked about it
        topic = next(filter(None, map(names_of, turns)), topic)
    called = _person(person, turns) if person or drops_subject(question) else ""
    if called or (not person and (called := thing_of(begun, pronouns))):
        own = set(content_keys(called))
        topic = [word for word in topic if not own.issuperset(content_keys(word))]
        return tuple(called.split()), tuple(topic)
    return (), tuple(topic)


def _of_last_year(topic: list[str], last: Turn) -> list[str]:
    """The topic with the year of the last question where that says another: "and in 2014?"."""
    years, told = YEAR.findall(last.goal), [word for word in topic if YEAR.fullmatch(word)]
    if len(years) != 1 or len(told) != 1:
        return topic
    return [years[0] if word == told[0] else word for word in topic]


def _is_of_topic(question: str) -> bool:
    """Whether a question asks about the topic itself, whatever was asked about it.

    It asks what its name comes from, or has a clause of its own: "if it rains, is there anything?".
    """
    return _CALLED.search(question) is not None or (adds_clause(question) and "," in question)


def _without_measure(words: list[str], turn: Turn) -> list[str]:
    """The words without the measure that the question of the turn asks for: "cost", "how tall"."""
    measures = {found.group().split()[-1] for found in _MEASURE.finditer(turn.goal)}
    told = {word for word in words if fold(word) in _MEASURES or word in measures}
    return [word for word in words if word not in told] or words


def _person(pronouns: Set[str], turns: Sequence[Turn]) -> str:
    """The person whom the last answer names; else who "he" was in the question before it.

    Where "she" was spoken of already, it stays she: "who did she beat", "was she the first?".
    """
    linked = list(takewhile(lambda turn: leans(turn.typed), turns))
    spoken = [at for at, turn in enumerate(linked) if pronouns & _pronouns_in(turn.typed)]
    for turn in (*turns[max(spoken, default=-1) + 1 :], *turns):
        if person := person_of(turn):
            return person
        if PERSON.isdisjoint(_pronouns_in(turn.typed)):
            break
    return ""


def _pronouns_in(text: str) -> set[str]:
    words = [word.strip(".,;:!?¿'\"").lower() for word in text.split()]
    return {*words, *map(fold, words)}


def _owner(begun: Turn, turns: Sequence[Turn]) -> list[str]:
    """The names of before that the title of the document has which answered a question without.

    "Who is the ceo", after "what is Lumenta", asks for the one of Lumenta.
    """
    if names_of(begun) or begun.answer is None:
        return []
    titles = " . ".join(f"{one.title} {one.label}" for one in begun.answer.citations[:1])
    called = set(content_keys(titles))
    before = turns[turns.index(begun) + 1 :]
    names = ([w for w in names_of(turn) if called.issuperset(content_keys(w))] for turn in before)
    return next(filter(None, names), [])


def _begins_topic(turn: Turn, person: Set[str]) -> bool:
    """Whether a question stood alone, or named another subject ("and RRF?").

    Where a person is asked for, "what did Acme pay him" is about him still.
    """
    part = ellipsis(turn.typed)
    if part:
        return not (PHRASE.match(part) or OTHER_YEAR.search(part) or NEXT_YEAR.search(part))
    plan = turn.answer.search.plan if turn.answer and turn.answer.search else None
    subject = _SUBJECT.search(turn.typed)
    if subject and set(subject.groups()) & set(names_of(turn)):
        # "what did Acme do about it"
        return not person or PERSON.isdisjoint(_pronouns_in(turn.typed))
    carried = plan is not None and any(one.code == CARRIED_OVER for one in plan.notices)
    return not carried and not leans(turn.typed) and not ATTRIBUTE.fullmatch(turn.typed)
