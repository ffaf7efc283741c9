"""The questions of a conversation that were answered, and what each is about (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.planning.follow_ups.content import content_of, is_code, words_of
from core.planning.follow_ups.ellipsis import IN_TIME, ellipsis
from core.planning.follow_ups.pronouns import PLURAL, points_back
from core.planning.routes import Route
from core.text.carried import CARRIED
from core.text.terms import Term, content_keys, fold, folded_words, terms
from core.types import Answer, Message

MOST = 8
"""Words that a question takes over."""
_IN_TIME = frozenset(content_keys(IN_TIME.replace("|", " ")))
"""What opens a sentence with a capital, and is no name: "After five years"."""
_NO_TOPIC = folded_words(
    "one ones him too also now then today still yet less more last next get gets got getting work"
    " works happen happens happened rid"
)
"""Words of a question that nothing said of it later can be about."""


_WHO_DID = re.compile(r"\W*(?:and |so |ok )?(?:who|wer) (?:first )?(\w+ed)\b(?= \w)", re.I)
"""What somebody did: nothing that "it" can be."""
_OBJECT_FIRST = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:which|what|whom?|how (?:much|many))\b.*\b(?:do|does|did) "
    r"(?:(?:i|you|we|he|she|it|they) (?P<verb>[a-z]+)\b"
    r"|(?!(?:i|you|we|he|she|it|they)\b).*?[\w'’-]+ (?P<last>[a-z]+)"
    r"(?: (?:at|for|from|in|into|of|on|to|up|with|about))?[^\w()]*(?:\(.*)?$)"
)
"""A question after an object ("which birds did the study look at"), which ends in its verb."""
_BEFORE_NOUN = re.compile(
    r"\b(?:the|an?|my|your|its|their|his|her|our|of|in|on|at|for|to|from|with|about|and|by|per"
    r"|last|next|this|that|each|every|all|many|much|more)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question that was answered: as it was typed, and as it was read."""

    typed: str
    goal: str
    answer: Answer | None
    text: str


def quote_of(turn: Turn) -> str:
    """Return the first quote of an answer, "" without one."""
    return turn.answer.citations[0].quote if turn.answer and turn.answer.citations else ""


_FILES = frozenset(
    content_keys(
        "file files document documents docs pdf pdfs upload uploads uploaded library collection"
        " stuff things contents datei dateien dokument dokumente unterlagen sammlung inhalt"
    )
)
"""What a question on all documents speaks of, which is no topic to go on with."""


def answered_turns(history: Sequence[Message]) -> Iterator[Turn]:
    """The questions that were answered from documents, the last one first."""
    following: Message | None = None
    for message in reversed(history):
        if message.role == "assistant":
            following = message
            continue
        answer = following.answer if following else None
        refused = answer is not None and answer.abstention is not None
        if following is not None and not refused and content_of(message.text):
            searched = answer is None or answer.search is not None
            of_files = answer is not None and answer.route == Route.OVERVIEW
            if searched and not (of_files and set(content_of(message.text)) <= _FILES):
                plan = answer.search.plan if answer and answer.search else None
                goal = plan.goal if plan else message.text
                yield Turn(message.text, goal, answer, following.text)
        following = None


def refused_last(history: Sequence[Message]) -> Turn | None:
    """The last question where it was searched and refused, None else."""
    if len(history) < 2 or history[-2].role != "user":
        return None
    asked, said = history[-2:]
    if said.answer is None or said.answer.abstention is None or said.answer.search is None:
        return None
    return Turn(asked.text, said.answer.search.plan.goal, said.answer, said.text)


def topic_of(turn: Turn) -> list[str]:
    """What a turn is about: its names, else its content words.

    Of "and the roof?" these are its own. "Is it toxic?" names nothing; its document's title does.
    """
    if names := names_of(turn):
        own = words_of(CARRIED.sub("", turn.goal))
        return [name for name in names if name in own] or names
    part = ellipsis(turn.typed)
    if not part and points_back(turn.typed) and (named := names_in_title(turn)):
        return named
    did = _WHO_DID.match(turn.goal)
    words = [word for word in content_words_of(turn) if not (did and word == did[1])]
    if (verb := verb_of(turn.goal)) in words and len(words) > 1:
        words.remove(verb)
    own = [word for word in words if word in words_of(part)]
    return own or words


def verb_of(question: str) -> str:
    """Return the verb of a question after an object, "" where it is not told by its place.

    >>> verb_of("which birds did the study look at"), verb_of("what rent do they pay for it")
    ('look', 'pay')
    >>> verb_of("what did the study say about birds"), verb_of("did the study cover birds")
    ('', '')
    """
    found = _OBJECT_FIRST.match(question)
    if found is None:
        return ""
    if found["verb"]:
        return found["verb"]
    return "" if _BEFORE_NOUN.search(question[: found.start("last")].rstrip()) else found["last"]


def names_of(turn: Turn) -> list[str]:
    """The words of a question that it or its sources write as names, with the kind behind it."""
    words = words_of(turn.goal)
    named = _names_in_sources(turn) - _IN_TIME
    names = {word for word in words if content_of(word) and set(content_keys(word)) & named}
    typed = {word for word in words if _is_name(word, turn.goal)}
    kind = {after for name, after in pairwise(words) if name in typed and content_of(after)}
    found = [word for word in words if word in names | typed | kind and fold(word) not in _NO_TOPIC]
    return list(dict.fromkeys(found))[:MOST]


def is_several(turn: Turn) -> bool:
    """Whether "they" can be what a turn is about: it has a name, a plural, or "a tuple"."""
    words = content_words_of(turn)
    kind = re.search(r"\b(?:an?|ein\w*)\s", turn.goal, re.I)
    return bool(names_of(turn) or kind or not words or any(map(PLURAL.search, words)))


def names_in_title(turn: Turn) -> list[str]:
    """The first name in the title of what was cited that its passage writes as a name too."""
    for citation in turn.answer.citations[:1] if turn.answer else ():
        named = {term.key for term in terms(citation.passage) if _is_capital(term)}
        named -= written_small(turn)
        words = words_of(f"{citation.title} {citation.label.rpartition('.')[0]}")
        return [word for word in words if set(content_keys(word)) & named][:1]
    return []


def _is_capital(term: Term) -> bool:
    return term.kind == "name" or (term.kind == "word" and term.form[0].isupper())


def content_words_of(turn: Turn) -> list[str]:
    """Return the words of a question that name something, as they are written."""
    words = list(dict.fromkeys(w for w in words_of(turn.goal) if content_of(w)))
    return [word for word in words if fold(word) not in _NO_TOPIC][:MOST]


def _names_in_sources(turn: Turn) -> set[str]:
    """The keys of what the quotes write as names only, and of titles and names of the sources."""
    citations = turn.answer.citations if turn.answer else ()
    found: set[str] = set()
    for citation in citations:
        for term in terms(citation.quote):
            if term.kind != "stop" and term.form[0].isupper():
                found.add(term.key)
    titles = " . ".join(f"{one.title} {one.label.rpartition('.')[0]}" for one in citations)
    return found - written_small(turn) | set(content_keys(titles))


def written_small(turn: Turn) -> set[str]:
    """The keys of what the sources of an answer write in small letters: common words."""
    citations = turn.answer.citations if turn.answer else ()
    texts = [text for one in citations for text in (one.quote, one.passage)]
    read = (term for text in texts for term in terms(text))
    return {term.key for term in read if term.kind != "stop" and term.form[0].islower()}


def _is_name(word: str, text: str) -> bool:
    keys = set(content_keys(word))
    named = {term.key for term in terms(text) if term.kind == "name"}
    return bool(keys & named) or is_code(word)


def common_in_sources(turn: Turn) -> set[str]:
    """The keys of the words that the passages of an answer never write as names."""
    found = terms(" ".join(one.passage for one in turn.answer.citations)) if turn.answer else []
    return {term.key for term in found} - {term.key for term in found if term.kind == "name"}
