"""BERTScore on the token vectors of the bundled embedding model.

Source: Zhang et al., "BERTScore: Evaluating Text Generation with BERT", ICLR 2020. The package
bert-score needs a model from the hub and has had no release since 2023, so its formula is computed
here, without idf weights, on the last layer of all-MiniLM-L6-v2. Values of other models differ:
compare runs with each other, not with figures of another model.

`python -m core.evaluation.measures.bertscore --sentences FILE` measures the baseline again.
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
"""Mean F1 of unrelated sentences (see docs/evaluation.md)."""


def bertscore_f1(candidate: States, reference: States) -> float:
    """Return F1 of greedy matching by cosine.

    P = mean over the candidate's tokens of the largest cosine with a token of the reference, R the
    same with the two exchanged, F1 = 2PR / (P + R). Range -1 to 1, in practice 0 to 1. 0.0 if one
    of them has no token.
    """
    if not len(candidate) or not len(reference):
        return 0.0
    cosines = candidate @ reference.T
    precision = float(cosines.max(axis=1).mean())
    recall = float(cosines.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def rescaled(f1: float, baseline: float = BASELINE) -> float:
    """Return (F1 - b) / (1 - b): 0 for unrelated sentences, 1 for equal ones.

    Range about -1 to 1. Published values below 0 are rescaled in this way.
    """
    return (f1 - baseline) / (1 - baseline)


def bertscore(answer: str, accepted: Sequence[str], encode: Encode) -> float | None:
    """Return the best F1 of the answer with an accepted one; None if none is given."""
    if not accepted or not answer.strip():
        return None
    states = encode(answer)
    return max(bertscore_f1(states, encode(one)) for one in accepted)


def measured_baseline(sentences: Sequence[str], encode: Encode, pairs: int) -> float:
    """Return the mean F1 of random pairs of different sentences, always the same pairs."""
    chosen = np.random.default_rng(0).integers(0, len(sentences), (pairs, 2))
    scores = [
        bertscore_f1(encode(sentences[one]), encode(sentences[other]))
        for one, other in chosen
        if sentences[one] != sentences[other]
    ]
    return float(np.mean(scores))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the baseline for a file with one sentence on each line."""
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
