"""Questions as people type them, and passages under the title of their document (pure)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from core.text.terms import content_keys
from training.data import Example

TITLED = 0.5
"""The share of the passages that are read under their title, where it is known."""

_ASKING = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how(?: (?:many|much|long|old|often|far))?)\b",
    re.I,
)
_BEGINNINGS = {
    "what is": "whats",
    "who is": "whos",
    "where is": "wheres",
    "how many people": "how many ppl",
}


def varied(found: Iterable[Example], chance: random.Random) -> Iterator[Example]:
    """The examples, some under a title, some with their question as it is typed in a hurry."""
    for one in found:
        if one.title and chance.random() < TITLED:
            one = titled(one)
        if one.reads or one.relevant is not None:
            form = chance.choices(FORMS, WEIGHTS)[0]
            one = replace(one, text=form(one.text))
        yield one


def titled(one: Example) -> Example:
    """The example with the title of its document before the passage."""
    before = f"{one.title}. "
    place = one.answer and (one.answer[0] + len(before), one.answer[1] + len(before))
    return replace(one, passage=before + one.passage, answer=place)


def as_it_is(question: str) -> str:
    """The question as it stands in its set."""
    return question


def careless(question: str) -> str:
    """Small letters, no mark at the end, the first words drawn together.

    >>> careless("What is the capital of Peru?")
    'whats the capital of peru'
    """
    text = question.lower().rstrip(" ?.")
    for long, short in _BEGINNINGS.items():
        if text.startswith(f"{long} "):
            return short + text[len(long) :]
    return text


def keywords(question: str) -> str:
    """The word that asks and the words that carry meaning.

    >>> keywords("How many people live in the old town?")
    'how many people live old town'
    """
    asking = _ASKING.search(question)
    first = asking.group().lower() if asking else ""
    rest = question[asking.end() :] if asking else question
    words = [word for word in re.findall(r"[\w'.%-]+", rest.lower()) if content_keys(word)]
    return " ".join([first, *(word.strip(".") for word in words)]).strip() or question


FORMS: tuple[Callable[[str], str], ...] = (as_it_is, careless, keywords)
WEIGHTS = (0.5, 0.35, 0.15)
