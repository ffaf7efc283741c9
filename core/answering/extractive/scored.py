"""The sentences that may answer a question, and how well each does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.answering.extractive.sentences import scoring
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.reading import Read
from core.types import Hit


@dataclass(frozen=True, slots=True)
class Scored:
    """The candidates of one search, with features and scores a row each.

    `hits` are the passages that were read: those found, and those right behind. `reads` has what
    the reader made of the best candidates; their scores hold it. Of a question that follows on,
    `typed` are its own words and `said` is what the last answer quoted. `frequent` is the question
    of a document, as it stands there above its answer, that asks nearly the same, or "".
    """

    hits: tuple[Hit, ...]
    candidates: list[Candidate]
    matrix: scoring.Matrix
    scores: np.ndarray[tuple[int], np.dtype[np.float32]]
    rarity: scoring.Rarity
    reads: Mapping[Candidate, Read] = field(default_factory=dict)
    typed: str = ""
    said: str = ""
    frequent: str = ""
