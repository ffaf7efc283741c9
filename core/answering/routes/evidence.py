"""Which of two readings of a question its answer bears out (pure)."""

from __future__ import annotations

import re
from dataclasses import replace

from core.answering.extractive.question.measures import measure
from core.citations.mark import without_marks
from core.planning.follow_ups.ellipsis import ellipsis
from core.planning.follow_ups.leaning import asks_attribute, counts_of_those
from core.planning.follow_ups.pronouns import PERSON, points_back
from core.text.terms import content_keys, fold, same_words, terms
from core.types import Answer

_NAMED = 3.0
"""How much more a name, a number or a code of the question counts than another word."""
_NEAR = 0.5
"""What a word counts that stands in the passage, and not in the quoted sentence."""
_CARRIED = re.compile(r" \(([^()]+)\)$")
"""What was carried over into a question."""
_AGAIN = "The passage that was just quoted is the nearest to this question as well:\n\n"
_THERE = "That stands in what was just quoted:\n\n"
"""The same where other words of it answer."""
_LEAST = 0.35
"""The share of the typed words that an answer needs to bear out anything at all."""
_CLEAR = 0.3
"""How much better the less likely reading must be borne out."""
_QUOTES = 0.5
"""What it counts that an answer bears out anything at all."""


def better(likely: Answer, other: Answer, typed: str, last: Answer | None = None) -> Answer:
    """Return the answer that bears out what was typed; in doubt that of the `likely` reading.

    Only the words that were typed count, and the less likely reading needs one of them in what it
    quotes. A refusal bears out nothing, less than what the other reading finds directly; neither
    does the `last` answer said once more. One word that an ellipsis adds ("and Linz?") stands in
    too many sentences to bear out a reading without the question before it. What is taken as it
    was typed gets other words only where these find an answer directly, or where it is refused and
    they find a sentence with all that was typed. A pronoun stays with what was spoken of: alone,
    such a question is answered only by the same document, and where nothing around the `likely`
    answer has a word that was typed, nor its first quote all that was spoken of.
    """
    if _is_bound(typed):
        same = not is_settled(likely, typed, last) and _is_of_the_talk(other, last)
        told = not repeats(likely, last) and _tells_of_it(likely, likely)
        same = same and not (told and not _tells_of_it(other, likely))
        return other if same and _worth(other, typed, last) else likely
    asked, said = set(content_keys(typed)), _quoted_keys(other)
    whole = likely.abstention is not None and asked <= said
    if is_settled(likely, typed, last) or (_as_typed(likely) and not (other.direct or whole)):
        return likely
    is_quoted = not asked.isdisjoint(said)
    if likely.abstention is not None and other.direct and is_quoted and not repeats(other, last):
        return other
    clearly = _worth(other, typed, last) > _worth(likely, typed, last) + _CLEAR
    return other if is_quoted and clearly else likely


def is_settled(likely: Answer, typed: str, last: Answer | None = None) -> bool:
    """Return whether no answer to the other reading could be better, so that none is needed."""
    if _is_bound(typed) and likely.abstention is None and _worth(likely, typed, last):
        return True
    if counts_of_those(typed) and likely.abstention is None:
        return True  # alone it says nothing of what is counted, and a row has several figures
    clear = _adds_one_word(likely, typed) or (_as_typed(likely) and likely.direct)
    if clear and likely.abstention is None and not repeats(likely, last):
        return True
    most = _QUOTES + 1.0 if content_keys(typed) else 0.0
    return most <= _worth(likely, typed, last) + _CLEAR


def _is_bound(typed: str) -> bool:
    """Whether a pronoun of a question points to what was spoken of."""
    return points_back(typed) and not ellipsis(typed)


def _tells_of_it(answer: Answer, reading: Answer) -> bool:
    """Whether an answer opens with all that was carried over into the question of `reading`."""
    plan = reading.search.plan if reading.search else None
    carried = _CARRIED.search(plan.goal) if plan else None
    keys = set(content_keys(carried[1])) if carried else set()
    return bool(keys) and keys <= _quoted_keys(answer)


def _is_of_the_talk(answer: Answer, last: Answer | None) -> bool:
    """Whether an answer comes from the document that was cited last."""
    if last is None or not (answer.citations and last.citations):
        return False
    return answer.citations[0].document_id == last.citations[0].document_id


def not_of(answer: Answer, typed: str, last: Answer | None) -> str:
    """Return of whom an answer does not tell, where a question asks of "him" or "her"; "" else.

    What another document says, in a passage that names nobody who was spoken of, is told of
    somebody else.
    """
    plan = answer.search.plan if answer.search else None
    carried = _CARRIED.search(plan.goal) if plan else None
    if carried is None or last is None or not last.citations or _is_of_the_talk(answer, last):
        return ""
    of_person = not PERSON.isdisjoint(map(fold, re.findall(r"[^\W\d_]+", typed)))
    if not (of_person and points_back(typed) and answer.citations):
        return ""
    first = answer.citations[0]
    around = " . ".join((_first_quote(answer), first.passage, first.title, first.label))
    told = set(content_keys(around))
    return "" if not told.isdisjoint(content_keys(carried[1])) else carried[1]


def _adds_one_word(answer: Answer, typed: str) -> bool:
    completed = answer.search is not None and not _as_typed(answer)
    words = [word for word in typed.split() if content_keys(word)]  # "hy5" is one of two terms
    return completed and bool(ellipsis(typed)) and len(words) == 1


def _as_typed(answer: Answer) -> bool:
    """Whether nothing was carried over into the question that was answered."""
    plan = answer.search.plan if answer.search else None
    return plan is not None and plan.goal == " ".join(plan.question.split())


def repeats(answer: Answer, last: Answer | None) -> bool:
    """Return whether an answer says the same as the one before it, with the same words set off."""
    if last is None or not quotes_again(answer, last):
        return False
    return not (answer.highlights and last.highlights) or _marked(answer) == _marked(last)


def quotes_again(answer: Answer, last: Answer | None) -> bool:
    """Return whether an answer quotes just what the one before it did."""
    if last is None or answer.abstention or last.abstention or not answer.citations:
        return False
    return _said(answer) == _said(last)


def said_again(answer: Answer, last: Answer) -> Answer:
    """Return an answer that quotes what the last one did with words that say so.

    As it is where the same was asked again.
    """
    if same_words(answer.question, last.question):
        return answer
    again = repeats(answer, last) and not counts_of_those(answer.question)
    opening = _AGAIN if again else _THERE
    by = len(opening)
    return replace(
        answer,
        text=opening + answer.text,
        claims=tuple(replace(c, start=c.start + by, end=c.end + by) for c in answer.claims),
        highlights=tuple((start + by, end + by) for start, end in answer.highlights),
    )


def _said(answer: Answer) -> str:
    text = answer.text.removeprefix(_AGAIN).removeprefix(_THERE)
    return " ".join(without_marks(text).split())


def _marked(answer: Answer) -> list[str]:
    return [answer.text[start:end] for start, end in answer.highlights]


def _worth(answer: Answer, typed: str, last: Answer | None) -> float:
    if answer.abstention is not None or not answer.citations or repeats(answer, last):
        return 0.0
    weights = {
        term.key: _NAMED if term.kind in ("name", "number") else 1.0
        for term in terms(typed)
        if term.kind != "stop"
    }
    shape = measure(typed)
    if shape and asks_attribute(typed) and shape.search(_first_quote(answer)):
        return _QUOTES + 1.0  # "200 °C" need not be called a temperature
    total = sum(weights.values())
    if not total:
        return 1.0
    first = answer.citations[0]
    said = _quoted_keys(answer)
    around = " ".join((first.passage, first.title, first.label, *first.headings))
    near = set(content_keys(around)) - said
    found = sum(w * (key in said) + _NEAR * w * (key in near) for key, w in weights.items())
    return _QUOTES + found / total if found >= _LEAST * total else 0.0


def _quoted_keys(answer: Answer) -> set[str]:
    """The keys of the words of the first quote; none where nothing is cited."""
    return set(content_keys(_first_quote(answer)))


def _first_quote(answer: Answer) -> str:
    if not answer.citations:
        return ""
    claim = answer.claims[0] if answer.claims else None
    quote = answer.text[claim.start : claim.end] if claim else answer.citations[0].quote
    return quote
