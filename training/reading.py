"""The trained model at work: it reads a question, or a sentence to be judged, with a passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.answering.extractive.candidates import Candidate
from core.models.onnx_build import RELEVANCE, SPAN, VERDICT
from core.models.runtime import Encoder

MOST_TOKENS = 192  # what it learned with
LONGEST_ANSWER = 30
"""Tokens."""
MOST_READ = 10
"""Candidates that are read: those that score best without it. Each takes about 10 ms."""
LONGEST_NEIGHBOUR = 200
"""Characters that are read of the sentence before and the one behind."""

Span = tuple[int, int]
Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model makes of a text and a passage.

    `places` are the tokens of the passage as characters, `starts` and `ends` their logits, `none`
    that of no answer. `relevance` is a logit; `verdict` are the probabilities that the passage
    supports the text, contradicts it, or does neither.
    """

    places: tuple[Span, ...]
    starts: Numbers
    ends: Numbers
    none: float
    relevance: float
    verdict: tuple[float, float, float]

    def answer(self, start: int = 0, end: int | None = None) -> tuple[Span, float] | None:
        """The best span between two characters of the passage and its score.

        The score is that of the span less that of no answer; None where no token stands there.
        """
        tokens = [
            at for at, (a, b) in enumerate(self.places) if a >= start and (end is None or b <= end)
        ]
        if not tokens:
            return None
        first, last = tokens[0], tokens[-1] + 1
        sums = self.starts[first:last, None] + self.ends[None, first:last]
        width = last - first
        allowed = np.triu(np.ones((width, width), bool)) & ~np.triu(
            np.ones((width, width), bool), LONGEST_ANSWER
        )
        at = int(np.where(allowed, sums, -np.inf).argmax())
        begins, ends = divmod(at, width)
        found = self.places[first + begins][0], self.places[first + ends][1]
        return found, float(sums[begins, ends] - self.none)


class Reader:
    """The model on ONNX Runtime. Thread-safe.

    Raises `NotForOnnx` where the file is that of another model.
    """

    def __init__(self, folder: Path, model_file: Path) -> None:
        self._encoder = Encoder(folder, model_file, most_tokens=MOST_TOKENS)

    def read(self, text: str, passage: str) -> Reading:
        """A question, or a sentence to be judged, with a passage; what is too long is cut."""
        encoded = self._encoder.tokens(text, passage)
        span, relevance, verdict = self._encoder.run_tokens(encoded, [SPAN, RELEVANCE, VERDICT])
        inside = [at for at, of in enumerate(encoded.sequence_ids) if of == 1]
        powers = np.exp(verdict - verdict.max())
        supported, contradicted, neither = (powers / powers.sum()).tolist()
        return Reading(
            tuple(encoded.offsets[at] for at in inside),
            span[inside, 0],
            span[inside, 1],
            float(span[0].sum()),
            float(relevance[0]),
            (supported, contradicted, neither),
        )


@dataclass(frozen=True, slots=True)
class Read:
    """What was read in a candidate: how surely it answers (a logit), and the words that do."""

    score: float
    span: Span


def read_candidates(
    reader: Reader, question: str, candidates: Sequence[Candidate], scores: Numbers
) -> list[Read | None]:
    """Each candidate with its neighbours as the model reads it; None where it was not read."""
    found: list[Read | None] = [None] * len(candidates)
    for at in np.argsort(-scores, kind="stable")[:MOST_READ].tolist():
        candidate = candidates[at]
        before = candidate.before[-LONGEST_NEIGHBOUR:]
        start = len(before) + 1 if before else 0
        sentence = candidate.sentence.text
        passage = f"{before} {sentence}" if before else sentence
        passage = f"{passage} {candidate.after[:LONGEST_NEIGHBOUR]}".rstrip()
        answer = reader.read(question, passage).answer(start, start + len(sentence))
        if answer is not None:
            (first, last), score = answer
            found[at] = Read(score, (first - start, last - start))
    return found
