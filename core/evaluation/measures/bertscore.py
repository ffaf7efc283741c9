"""BERTScore, computed on the token vectors of the embedding model that is already there.

Source: Zhang et al., "BERTScore: Evaluating Text Generation with BERT", ICLR 2020. The package
bert-score wants a model from the hub and has had no release since 2023, so its formula is computed
here, without idf weights, on the last layer of all-MiniLM-L6-v2. Values of other models differ:
compare runs with each other, not with figures that were made by another model.

`python -m core.evaluation.measures.bertscore --sentences FILE` measures the baseline anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

States = NDArray[np.float32]
Encode = Callable[[str], States]
"""Token vectors of a text: float32 (tokens, dimension), rows of length 1."""

BASELINE = 0.149
"""Mean F1 of sentences that have nothing to do with each other (see docs/evaluation.md)."""


def bertscore_f1(candidate: States, reference: States) -> float:
    """F1 of greedy matching by cosine: P = mean over the candidate's tokens of the largest cosine
    with a token of the reference, R the same the other way round, F1 = 2PR / (P + R).

    Range -1 to 1, in practice 0 to 1. 0.0 where one of them has no token.
    """
    if not len(candidate) or not len(reference):
        return 0.0
    cosines = candidate @ reference.T
    precision = float(cosines.max(axis=1).mean())
    recall = float(cosines.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def rescaled(f1: float, baseline: float = BASELINE) -> float:
    """(F1 - b) / (1 - b): 0 is what unrelated sentences have, below is less than that, 1 the same.

    Range about -1 to 1: published values below 0 are values after this rescaling.
    """
    return (f1 - baseline) / (1 - baseline)


def bertscore(answer: str, accepted: Sequence[str], encode: Encode) -> float | None:
    """The best F1 of the answer with an accepted one; None where none is given."""
    if not accepted or not answer.strip():
        return None
    states = encode(answer)
    return max(bertscore_f1(states, encode(one)) for one in accepted)


def measured_baseline(sentences: Sequence[str], encode: Encode, pairs: int) -> float:
    """The mean F1 of random pairs of different sentences, always the same ones."""
    chosen = np.random.default_rng(0).integers(0, len(sentences), (pairs, 2))
    scores = [
        bertscore_f1(encode(sentences[one]), encode(sentences[other]))
        for one, other in chosen
        if sentences[one] != sentences[other]
    ]
    return float(np.mean(scores))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the baseline of a file with one sentence a line."""
    from core.models.token_states import TokenStates

    parser = argparse.ArgumentParser(prog="python -m core.evaluation.measures.bertscore")
    parser.add_argument("--sentences", type=Path, required=True, help="one sentence a line")
    parser.add_argument("--pairs", type=int, default=2000)
    chosen = parser.parse_args(arguments)
    sentences = [line for line in chosen.sentences.read_text("utf-8").splitlines() if line.strip()]
    found = measured_baseline(sentences, TokenStates(), chosen.pairs)
    print(f"{len(sentences)} sentences, {chosen.pairs} pairs: baseline {found:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
