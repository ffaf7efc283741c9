"""A question that leans on the last one: what the last answer quoted is not told again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.answering.extractive.question.answer_types import Wanted, asks_amount, states, wanted
from core.answering.extractive.question.measures import measure
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.spans import MONEY, YEAR
from core.answering.extractive.structures.tables import label
from core.citations.mark import without_marks
from core.planning.follow_ups.ellipsis import ellipsis
from core.planning.follow_ups.leaning import leans, needs_question, only_asks
from core.planning.follow_ups.pronouns import points_back
from core.planning.paraphrases import beside, formal_words
from core.text.markdown_quoting import collapse, unescape
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, same_words
from core.types import Answer, Message

SAID = 1.5
"""What a sentence loses that the answer before quoted, to a question that leans on it."""
SAID_AND_NOT_ASKED = 4.5
"""The same where it has no word that was typed now."""
SAME_TABLE = 8.0
"""What a row counts more that has what was typed now for its label, where the answer before quoted
another row of its table: "and eagles?"."""
_FAR = 2.0
"""How much higher the reader's score of another sentence is that is the answer rather."""
NOT_OF_WHAT_IS_NEW = 4.5
"""What a sentence loses that says nothing of the one thing that was typed: "what about gyms?"."""

SAME_DOCUMENT = 1.5
"""What a sentence counts more in the document that was cited last: "it" is told of there."""
_NEAR_BEHIND = 300
"""Characters behind a sentence in which what came of it is told."""
_DID_IT = re.compile(
    r"\W*(?:(?:and|so|but|ok),? )*(?:is|are|was|were|do|does|did|has|have|had|will|would)"
    r"(?:n['’]?t)? (?:it|they|this|that|these|those|he|she)\b",
    re.I,
)
"""What asks for yes or no of what was told: "and did he pay?"."""
_FIGURE = re.compile(r"(?<!\S)[^\w\s]{0,2}\d[\d.,]*")


def asked_on(typed: str, history: Sequence[Message], scored: Scored) -> Scored:
    """What was scored for a question that leans on the last one, with the scores for it."""
    said = _quoted_last(history)
    if not said:
        return scored
    asked_last = _asked_last(history)
    if not same_words(asked_last, typed):  # the same asked again stays answered
        scored = replace(scored, scores=scores_after(said, asked_last, typed, scored))
        scored = replace(scored, scores=scored.scores - _not_of_what_is_new(typed, scored))
        if leans(typed):
            scored = replace(scored, scores=scored.scores + _of_document(history, scored))
    return replace(scored, typed=typed, said=unescape(said))


def _last_answer(history: Sequence[Message]) -> Answer | None:
    """The last answer that quoted something."""
    given = (message.answer for message in reversed(history) if message.answer)
    return next((answer for answer in given if answer.abstention is None), None)


def _quoted_last(history: Sequence[Message]) -> str:
    """The words of the last answer that quoted something, "" where there is none."""
    last = _last_answer(history)
    return without_bars(without_marks(last.text)) if last else ""


def _of_document(
    history: Sequence[Message], scored: Scored
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """What each sentence counts more that stands in the document that was cited last."""
    last = _last_answer(history)
    cited = {one.document_id for one in last.citations[:1]} if last else set()
    same = [scored.hits[one.hit].document.id in cited for one in scored.candidates]
    return np.asarray(same, dtype=np.float32) * np.float32(SAME_DOCUMENT)


def without_bars(text: str) -> str:
    """A text in which a row reads alike with bars between its cells and without."""
    return collapse(text.replace("|", " "))


def _asked_last(history: Sequence[Message]) -> str:
    return next((one.text for one in reversed(history) if one.role == "user"), "")


def scores_after(
    said: str, asked_last: str, typed: str, scored: Scored
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The scores where the last answer was `said`: who asks on wants something else.

    What was quoted, and has nothing of what was `typed` now, would answer the last question again;
    unless a date, an amount or a place is asked of the same thing ("when does it end?"), and it
    has one. What has the measure asked for now ("at what temperature?") counts more. What has a
    word of it yields too where the reader reads another sentence far rather, or, to "did he pay?",
    no answer in it and one right behind.
    """
    keys = set(content_keys(beside(typed, formal_words(typed))))
    kind = wanted(typed)
    has_form = kind in (Wanted.TIME, Wanted.NUMBER, Wanted.PLACE)
    another = has_form and (points_back(typed) or only_asks(typed)) and kind != wanted(asked_last)
    shape = measure(typed) if measure(typed) is not measure(asked_last) else None
    if asks_amount(typed) and not asks_amount(asked_last) and points_back(typed):
        shape = MONEY  # "what did they pay": what has an amount was just quoted
    years = YEAR.findall(typed)  # one sentence may tell of several
    scores = scored.scores.copy()
    rows = [one for one in scored.candidates if one.sentence.kind is SentenceKind.ROW]
    shown = unescape(said)
    tables = {one.hit: one for one in rows if without_bars(one.sentence.text) in shown}
    named = {one for one in rows if keys & set(content_keys(label(one.sentence.text)))}
    for at, candidate in enumerate(scored.candidates):
        if candidate.hit in tables and _is_other_row(candidate, tables[candidate.hit], keys):
            scores[at] += SAME_TABLE
        text = candidate.sentence.text
        if without_bars(text) not in shown:
            continue
        told = any(year in text for year in years) or (years and _may_be_of_years(candidate))
        another_row = candidate in rows and named and candidate not in named
        if shape and shape.search(text) and not another_row:
            scores[at] += SAID_AND_NOT_ASKED
        elif not ((another and states(kind, text, keys)) or told):
            covers = keys & set(content_keys(text))
            only_added = not shown.startswith(without_bars(text))
            kept = covers or only_added or not keys
            if covers and not only_added and points_back(typed):
                kept = not _is_told_better(candidate, shown, scored)
                if _DID_IT.match(typed) and (behind := _told_behind(candidate, scored)):
                    kept = False
                    scores[behind] += SAID
            scores[at] -= SAID if kept else SAID_AND_NOT_ASKED
    return scores


def _told_behind(quoted: Candidate, scored: Scored) -> list[int]:
    """The places of what is told right behind a sentence that the reader reads no answer in, where
    it rather reads one: what came of it.
    """
    read, end = scored.reads.get(quoted), quoted.sentence.end
    if read is None or read.score >= 0:
        return []
    return [
        at
        for at, one in enumerate(scored.candidates)
        if one.hit == quoted.hit
        and 0 <= one.sentence.start - end <= _NEAR_BEHIND
        and one in scored.reads
        and scored.reads[one].score > read.score
    ]


def _is_told_better(quoted: Candidate, shown: str, scored: Scored) -> bool:
    """Whether the reader reads a sentence that was not `shown` as the answer far rather."""
    if quoted not in scored.reads:
        return False
    least = scored.reads[quoted].score + _FAR
    others = (one for one, read in scored.reads.items() if read.score >= least)
    return any(without_bars(one.sentence.text) not in shown for one in others)


def _not_of_what_is_new(typed: str, scored: Scored) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """What each sentence loses where only a thing was typed, and another sentence speaks of it.

    It was put in the place of one in the last question, and that may have been the wrong place.
    """
    lost = np.zeros(len(scored.candidates), dtype=np.float32)
    new = set() if needs_question(typed) else set(content_keys(ellipsis(typed)))
    if not new:
        return lost
    for at, candidate in enumerate(scored.candidates):
        hit = scored.hits[candidate.hit]
        titles = (hit.document.title, *hit.chunk.headings, candidate.under, *candidate.above)
        text = " . ".join((*titles, candidate.sentence.text))
        lost[at] = 0.0 if new <= set(content_keys(text)) else NOT_OF_WHAT_IS_NEW
    return lost


def _may_be_of_years(row: Candidate) -> bool:
    """Whether it is a row of several figures and no year: what parts its columns may be years."""
    text = row.sentence.text
    several = len(_FIGURE.findall(text)) > 1 and not YEAR.search(text)
    return row.sentence.kind is SentenceKind.ROW and several


def _is_other_row(row: Candidate, quoted: Candidate, typed: set[str]) -> bool:
    """Whether what was typed tells a row from the one that was quoted: "and financing"."""
    if row.sentence.kind is not SentenceKind.ROW:
        return False
    before, columns = label(quoted.sentence.text), " ".join(row.above)
    named = set(content_keys(label(row.sentence.text))) - set(content_keys(before))
    return bool(named) and named == typed - set(content_keys(columns)) | (named & typed)
