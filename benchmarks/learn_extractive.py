"""Learn the weights of core/answering/scoring.py, and say how good they are.

    python -m benchmarks.learn_extractive --golden DIR [--limit N]

DIR holds golden sets (squad, xquad-de, ...), each with `golden.jsonl` and `documents/`. Weights
are learned on every second document of squad; its other half and the other sets are for
checking. The search is that of the program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from core.answering import scoring
from core.answering.extractive import ExtractiveAnswerer
from core.config import load_settings
from core.evaluation.answers import apart, ingest
from core.evaluation.golden import GoldenItem, even_sample, normalised, read_golden
from core.models.embedding import Embedder
from core.service import Service
from core.types import SearchResult, Session

LEARNED_ON = "squad"
CHECKED_ON = ("xquad-de", "xquad-zh", "xquad-en", "xquad-el", "xquad-ro")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """A question with what the search found. `kind`: "answerable", "changed" or "else"."""

    item: GoldenItem
    kind: str
    result: SearchResult


@dataclass(frozen=True)
class Row:
    """An example as numbers: features and, for each sentence, whether it holds an answer."""

    example: Example
    matrix: scoring.Matrix
    right: npt.NDArray[np.bool_]
    texts: tuple[str, ...]

    @property
    def document(self) -> str:
        return self.example.item.sources[0].document if self.example.item.sources else ""


class Remembering:
    """An embedder that embeds no text twice."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, npt.NDArray[np.float32]] = {}
        self.name, self.digest, self.dimension = embedder.name, embedder.digest, embedder.dimension

    def embed(self, texts: Sequence[str], *, progress: object = None) -> npt.NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        return self._embedder.embed_query(text)


# ------------------------------------------------------------------------------ the examples


def examples(service: Service, session: Session, folder: Path, limit: int) -> Iterator[Example]:
    """Search for answerable questions, adversarial ones, and ones whose document is left out."""
    ids = ingest(service, session, folder / "documents")
    items = read_golden(folder / "golden.jsonl")
    answerable = even_sample([item for item in items if item.answerable], limit)
    changed = even_sample([item for item in items if not item.answerable], limit // 2)
    for item in answerable:
        yield Example(item, "answerable", service.search(session, item.question))
    for item in changed:
        yield Example(item, "changed", service.search(session, item.question))
    for document in dict.fromkeys(item.sources[0].document for item in answerable):
        service.set_searched(session, ids[document], False)
        for item in answerable[::2]:
            if item.sources[0].document == document:
                yield Example(item, "else", service.search(session, item.question))
        service.set_searched(session, ids[document], True)


def as_row(example: Example, answerer: ExtractiveAnswerer) -> Row:
    scored = answerer.score(example.result.plan.goal, example.result)
    texts = tuple(candidate.sentence.text for candidate in scored.candidates)
    wanted = [normalised(answer) for answer in example.item.answers]
    found = [normalised(text) for text in texts]
    right = [any(answer and answer in text for answer in wanted) for text in found]
    return Row(example, scored.matrix, np.array(right, dtype=bool), texts)


# --------------------------------------------------------------------------- which sentences


def learn_ranking(rows: Sequence[Row], ridge: float = 1e-3) -> Floats:
    """Weights that maximise the probability, by softmax, of the sentences that hold an answer."""
    rows = [row for row in rows if row.right.any()]
    matrix = np.concatenate([row.matrix for row in rows]).astype(np.float64)
    scale = matrix.std(0) + 1e-6
    matrix /= scale
    right = np.concatenate([row.right for row in rows]).astype(np.float64)
    lengths = [len(row.right) for row in rows]
    starts = np.cumsum([0, *lengths])[:-1]
    of = np.repeat(np.arange(len(rows)), lengths)

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = matrix @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        total, good = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts)
        slope = powers / total[of] - powers * right / good[of]
        value = -np.log(good / total).mean() + ridge * weights @ weights
        return float(value), slope @ matrix / len(rows) + 2 * ridge * weights

    found = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x / scale)


def contained(rows: Iterable[Row], weights: Floats) -> str:
    """Share of questions whose answer stands in the best one, two, three sentences."""
    hits = []
    for row in rows:
        order = np.argsort(-(row.matrix @ weights), kind="stable")
        hits.append([row.right[order[:count]].any() for count in (1, 2, 3)] + [row.right.any()])
    one, two, three, any_ = np.mean(hits, axis=0)
    return f"{one:.3f} {two:.3f} {three:.3f}   (in any sentence found {any_:.3f}, n={len(hits)})"


# --------------------------------------------------------------------------- whether at all


def learn_logistic(signals: Floats, good: npt.NDArray[np.bool_], weight: Floats) -> Floats:
    """Logistic regression with weighted rows; the last of its weights is the bias."""
    scale = signals.std(0) + 1e-6
    matrix = np.hstack([signals / scale, np.ones((len(signals), 1))])
    target = np.where(good, 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = target * (matrix @ weights)
        slope = -target * weight / (1 + np.exp(np.clip(margin, -50, 50)))
        value = (weight * np.logaddexp(0, -margin)).sum() / weight.sum()
        ridge = 1e-3 * np.append(weights[:-1], 0)
        return float(value + ridge @ weights), slope @ matrix / weight.sum() + 2 * ridge

    found = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x / np.append(scale, 1.0))


def auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    pairs = np.subtract.outer(np.array(right), np.array(wrong))
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


def rows_of(folder: Path, limit: int) -> list[Row]:
    """The answerable questions of one golden set as rows, searched in a program of its own."""
    with apart(load_settings()) as (service, session):
        answerer = ExtractiveAnswerer(Remembering(service.embedder()))
        found = examples(service, session, folder, limit)
        return [as_row(one, answerer) for one in found if one.kind == "answerable"]


def main() -> None:
    """Print the learned weights by feature, then the shares in one, two, three sentences."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--golden", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=2000)
    options = parser.parse_args()
    rows = rows_of(options.golden / LEARNED_ON, options.limit)
    documents = sorted({row.document for row in rows})
    learned_on = set(documents[::2])
    weights = learn_ranking([row for row in rows if row.document in learned_on])
    for feature, weight in zip(scoring.FEATURES, weights, strict=True):
        print(f'    "{feature}": {weight:.2f},')
    others = [row for row in rows if row.document not in learned_on]
    print(f"{LEARNED_ON}, other half", contained(others, weights))
    for name in CHECKED_ON:
        print(name, contained(rows_of(options.golden / name, options.limit), weights))


if __name__ == "__main__":
    main()
