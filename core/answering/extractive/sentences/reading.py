"""What the reader makes of the candidates that score best without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.answering.extractive.sentences.candidates import Candidate
from core.models.reader import Reader
from core.text.markdown_quoting import collapse
from core.types import Hit

MOST_READ = 24
"""Candidates that are read: those that score best without it. Each takes about 10 ms."""
LONGEST_NEIGHBOUR = 200
"""Characters that are read of the sentence before and the one behind."""
LONGEST_HEADING = 80
"""Characters that are read of the heading above."""
ENGLISH = frozenset({"", "en"})
"""The languages of documents that the reader knows: "" is one that was not told."""
WEIGHT = 0.3
"""What the reader's score counts beside the score of the features."""
LEAD = 2.5
"""What a candidate that leads all others counts less where the reader is sure of one."""
SURE = 2.0
"""A score from which on the reader is taken to be sure: of questions about something else one in
thirty has it, and none has every word of them beside it (docs/decisions.md)."""

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read in a candidate: how surely it answers (a logit), and the words that do.

    `span` is a place in the sentence with its white space collapsed.
    """

    score: float
    span: tuple[int, int]


def read_candidates(
    reader: Reader,
    question: str,
    candidates: Sequence[Candidate],
    scores: Scores,
    hits: Sequence[Hit],
) -> dict[Candidate, Read]:
    """The best candidates as the reader reads them: title, heading, neighbours, sentence.

    The title of its document tells whose "we" or "the company" a sentence speaks of, the heading
    what "it" is.
    """
    found: dict[Candidate, Read] = {}
    for candidate in _best(candidates, scores):
        document = hits[candidate.hit].document
        before = f"{document.title or document.label}. "
        if candidate.under:
            before += f"{collapse(candidate.under)[:LONGEST_HEADING]}. "
        if candidate.before:
            before += f"{collapse(candidate.before)[-LONGEST_NEIGHBOUR:]} "
        sentence = collapse(candidate.sentence.text)
        after = collapse(candidate.after)[:LONGEST_NEIGHBOUR]
        start = len(before)
        reading = reader.read(question, f"{before}{sentence} {after}".rstrip())
        answer = reading.answer(start, start + len(sentence))
        if answer is not None:
            (first, last), score = answer
            found[candidate] = Read(score, (first - start, last - start))
    return found


def all_english(candidates: Sequence[Candidate], scores: Scores, hits: Sequence[Hit]) -> bool:
    """Whether the best are in the language of the reader: else they could not be compared."""
    return all(hits[one.hit].document.language in ENGLISH for one in _best(candidates, scores))


def _best(candidates: Sequence[Candidate], scores: Scores) -> list[Candidate]:
    return [candidates[at] for at in np.argsort(-scores, kind="stable")[:MOST_READ].tolist()]


def surely_read(reads: Mapping[Candidate, Read]) -> Candidate | None:
    """Return the candidate that the reader is sure of, None where there is none."""
    best = max(reads, key=lambda one: reads[one].score, default=None)
    return best if best is not None and reads[best].score >= SURE else None


def joined(candidates: Sequence[Candidate], scores: Scores, reads: dict[Candidate, Read]) -> Scores:
    """The scores of the candidates with the reader's; what was not read gets the lowest of it.

    Where the reader is sure of a candidate, the share of each in all (softmax) is held against it,
    so that a lead can be overturned: the features are surest where the question's words stand.
    """
    if not reads:
        return scores
    share = np.exp(scores - scores.max())
    sure = 1 / (1 + np.exp(-max(read.score for read in reads.values()) / 2))
    scores = scores - LEAD * sure * share / share.sum()
    lowest = min(read.score for read in reads.values())
    added = [reads[one].score if one in reads else lowest for one in candidates]
    return np.asarray(scores + WEIGHT * np.array(added, np.float32), np.float32)
