"""Measures of conversations: quality and length of answers, and follow-up questions (pure).

Words are runs of letters and digits of any script in lower case; repetitions count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from core.evaluation.golden.talks import Turn

_WORD = re.compile(r"[^\W_]+")
_COVERED = 0.6
"""The share of a quote's words with which the first sentence counts as right."""
_LINE = 0.8
"""The share of an ideal line's words with which an answer contains that line."""
_ROUTES: Mapping[str, frozenset[str]] = {
    "smalltalk": frozenset({"smalltalk"}),
    "overview": frozenset({"overview"}),
    "comparison": frozenset({"comparison"}),
}
"""The right routes for a kind of question; other kinds are answered by search."""
_SEARCHED = frozenset({"search", "list", "steps", "ledger", "record", "table", "authors"})

MEASURES: Mapping[str, str] = {
    "f1": "words of the answer against the ideal quotes; a turn to be refused counts 1 if it is",
    "first": "share of answers whose first sentence covers 0.6 of the words of a quote",
    "recall": "share of the ideal words that stand in the answer",
    "words": "words an answer",
    "span": "words set off against those that answer, F1",
    "list": "share of lists and tables of which all ideal lines are there",
    "route": "share of turns answered in the right way",
    "follow_found": "share of turns that lean on earlier ones and are read so",
    "follow_false": "share of turns that do not lean on earlier ones and are read so",
    "refused_right": "share refused of turns that no document answers",
    "refused_wrong": "share refused of turns that a document answers",
    "repeated": "how often two questions in a row have the same answer",
}
"""What each measure says, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The program's answer to one turn: plain text without citation marks.

    `first` is its first sentence, `marked` the words that it highlights as the answer, `route` the
    route that answered, `leaned` whether words of the conversation were carried over.
    """

    turn: Turn
    text: str
    first: str
    marked: str = ""
    refused: bool = False
    route: str = "search"
    leaned: bool = False


def measures(replies: Sequence[Reply]) -> dict[str, float | None]:
    """Return each of `MEASURES` over all replies, None where nothing can be measured."""
    answerable = [one for one in replies if one.turn.answerable and one.turn.ideal]
    unanswerable = [one for one in replies if _is_to_refuse(one.turn)]
    graded = [*map(f1, answerable), *(float(one.refused) for one in unanswerable)]
    spans = [one for one in answerable if one.turn.answer_span]
    lists = [one for one in answerable if one.turn.kind in ("list", "table")]
    leaning = [one for one in replies if one.turn.follows]
    alone = [one for one in replies if not one.turn.follows]
    return {
        "f1": _mean(graded),
        "first": _mean(float(first_is_right(one)) for one in answerable),
        "recall": _mean(recall(one) for one in answerable),
        "words": _mean(len(words(one.text)) for one in answerable if not one.refused),
        "span": _mean(word_f1(words(one.marked), words(one.turn.answer_span)) for one in spans),
        "list": _mean(float(holds_lines(one)) for one in lists),
        "route": _mean(float(route_is_right(one)) for one in replies),
        "follow_found": _mean(float(one.leaned) for one in leaning),
        "follow_false": _mean(float(one.leaned) for one in alone),
        "refused_right": _mean(float(one.refused) for one in unanswerable),
        "refused_wrong": _mean(float(one.refused) for one in answerable),
        "repeated": float(_repeated(replies)),
    }


def words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> words("The $1,577 fee_")
    ['the', '1', '577', 'fee']
    """
    return _WORD.findall(text.lower())


def word_f1(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the harmonic mean of precision and recall over words, 0 to 1."""
    common = sum((Counter(found) & Counter(wanted)).values())
    return 2 * common / (len(found) + len(wanted)) if common else 0.0


def f1(reply: Reply) -> float:
    """Return F1 of the answer's words against those of all ideal quotes, 0 to 1."""
    return 0.0 if reply.refused else word_f1(words(reply.text), words(" ".join(reply.turn.ideal)))


def recall(reply: Reply) -> float:
    """Return the share of the words of all ideal quotes that stand in the answer, 0 to 1."""
    if reply.refused:
        return 0.0
    wanted = Counter(words(" ".join(reply.turn.ideal)))
    return sum((Counter(words(reply.text)) & wanted).values()) / wanted.total()


def first_is_right(reply: Reply) -> bool:
    """Return whether the first sentence covers enough of the words of one ideal quote."""
    if reply.refused:
        return False
    return any(_share(reply.first, quote) >= _COVERED for quote in reply.turn.ideal)


def holds_lines(reply: Reply) -> bool:
    """Return whether every ideal line stands in the answer."""
    if reply.refused:
        return False
    return all(_share(reply.text, quote) >= _LINE for quote in reply.turn.ideal)


def route_is_right(reply: Reply) -> bool:
    """Return whether a turn was answered by a right route for its kind."""
    return reply.route in _ROUTES.get(reply.turn.kind, _SEARCHED)


def _is_to_refuse(turn: Turn) -> bool:
    return not turn.answerable and turn.kind != "smalltalk"


def _share(text: str, quote: str) -> float:
    wanted = Counter(words(quote))
    found = sum((Counter(words(text)) & wanted).values())
    return found / wanted.total() if wanted else 0.0


def _repeated(replies: Sequence[Reply]) -> int:
    """Return how often an answer equals that of the previous turn of its conversation."""
    return sum(
        a.turn.conversation == b.turn.conversation
        and a.turn.question != b.turn.question
        and not (a.refused or b.refused)
        and bool(a.text)
        and a.text == b.text
        and "smalltalk" not in (a.route, b.route)
        for a, b in pairwise(replies)
    )


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None
