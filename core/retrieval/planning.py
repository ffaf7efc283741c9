"""Understanding the question: what is wanted, and which queries look for it (pure).

Typed as it is, a question is its own query. One that only points back ("and why?", "how much does
it cost?") gets the content words of the question before it, and the plan says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.terms import content_keys, fold, terms
from core.types import Level, Message, Notice, QueryPlan

_POINTING = frozenset(
    "it its he him his she her they them their this that these those one ones there same "
    "er ihn ihm sein seine seinen seiner sie ihr ihre ihren dies diese dieser dieses davon dazu "
    "il elle ils elles lui leur leurs cela celui celle ceux "
    "él ella ellos ellas su sus esto eso aquello".split()
)
"""Words that point back to something named before."""

_EMPTY = frozenset("more else further example detail mean reason continue exactly again".split())
"""Words that ask on, but name nothing."""

_FEW = 2  # a question with more words of its own stands alone
_MOST_CARRIED = 8


def plan(
    question: str, history: Sequence[Message] = (), level: Level = Level.AS_TYPED
) -> QueryPlan:
    """The plan for a question after the messages of `history`, oldest first.

    Whatever `level` asks for, the question is taken as typed, and the plan's own level says so.
    """
    typed = " ".join(question.split())
    carried = _carried(typed, history) if _points_back(typed) else ()
    if not carried:
        return QueryPlan(question, typed, (typed,))
    words = " ".join(carried)
    notice = Notice(
        "words-carried-over",
        f"The question points back, so words of an earlier one were added: {words}.",
        "Ask again with these words in the question if something else was meant.",
        "info",
    )
    return QueryPlan(question, f"{typed} ({words})", (f"{typed} {words}",), notices=(notice,))


def _points_back(question: str) -> bool:
    """Whether a question names nothing, or little and points to something named before."""
    own = _content(question)
    points = any(fold(word.strip(".,;:!?")) in _POINTING for word in question.split())
    return not own or (points and len(own) <= _FEW)


def _carried(question: str, history: Sequence[Message]) -> tuple[str, ...]:
    """The content words of the nearest earlier question that has some, less those of this one."""
    own = set(content_keys(question))
    for message in reversed(history):
        if message.role == "user" and (earlier := _content(message.text)):
            words = {key: form for key, form in earlier.items() if key not in own}
            return tuple(words.values())[:_MOST_CARRIED]
    return ()


def _content(text: str) -> dict[str, str]:
    """The words that name something, by their stem, in order."""
    words: dict[str, str] = {}
    for term in terms(text):
        if term.kind != "stop" and fold(term.form) not in _EMPTY:
            words.setdefault(term.key, term.form)
    return words
