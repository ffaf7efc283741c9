"""Learn the weights of core/answering/extractive (scoring, abstention), and say how good they are.

    python -m benchmarks.learn_extractive --golden DIR [--limit N]

DIR holds golden sets (squad, xquad-de, ...), each with `golden.jsonl` and `documents/`. Weights
are learned on every second document of some sets; their other halves and the other sets are for
checking. The search is that of the program.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from core.answering.extractive import abstention, scoring
from core.answering.extractive.answerer import ExtractiveAnswerer, Scored
from core.cli.library import ingest, library
from core.config import load_settings
from core.evaluation.golden.sets import GoldenItem, even_sample, normalised, read_golden
from core.models.port import Embedder
from core.service import Service
from core.types import AskRequest, SearchResult, Session

LEARNED_ON = ("squad",)
REFUSALS_LEARNED_ON = ("squad", "xquad-en", "xquad-de")
SHARE_OF_WRONG_REFUSALS = 0.007
PLAIN = {"cosine": 6.0, "passage": 4.0, "bias": -4.0}
"""Two signals that do well on every kind of document; what is learned is averaged with them."""
SHARE_LEARNED = 0.4
CHECKED_ON = ("xquad-ru", "xquad-zh", "xquad-el", "xquad-ro")
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
    scored: Scored
    right: npt.NDArray[np.bool_]

    @property
    def matrix(self) -> scoring.Matrix:
        return self.scored.matrix

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
        yield Example(item, "answerable", service.search(AskRequest(session, item.question)))
    for item in changed:
        yield Example(item, "changed", service.search(AskRequest(session, item.question)))
    for document in dict.fromkeys(item.sources[0].document for item in answerable):
        service.documents.set_searched(session, ids[document], False)
        for item in answerable[::2]:
            if item.sources[0].document == document:
                yield Example(item, "else", service.search(AskRequest(session, item.question)))
        service.documents.set_searched(session, ids[document], True)


def as_row(example: Example, answerer: ExtractiveAnswerer) -> Row:
    scored = answerer.score(example.result.plan.goal, example.result)
    texts = tuple(candidate.sentence.text for candidate in scored.candidates)
    wanted = [normalised(answer) for answer in example.item.answers]
    found = [normalised(text) for text in texts]
    right = [any(answer and answer in text for answer in wanted) for text in found]
    return Row(example, scored, np.array(right, dtype=bool))


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


# ------------------------------------------------------------------------------ the program


def signals_of(row: Row, weights: Floats) -> list[float]:
    """The signals of abstention for a row whose best sentence these weights choose."""
    hits = row.example.result.hits
    best = int((row.matrix @ weights).argmax())
    scored = row.scored
    return list(
        abstention.signals(
            row.example.result.plan.goal, hits, scored.candidates, row.matrix, best, scored.rarity
        )
    )


def report_refusals(name: str, rows: Sequence[Row], chances: Sequence[float], least: float) -> None:
    """AUC against each kind of unanswerable question, and who is refused below `least`."""
    by_kind: dict[str, list[float]] = {}
    for row, chance in zip(rows, chances, strict=True):
        by_kind.setdefault(row.example.kind, []).append(chance)
    line = f"{name:10}"
    for kind, found in by_kind.items():
        refused = float(np.mean([chance < least for chance in found]))
        line += f"  {kind}: refused {refused:.3f}"
        if kind != "answerable":
            line += f" (AUC {auc(by_kind['answerable'], found):.3f})"
    print(line)


def main() -> None:
    """Search, learn, print the weights as they stand in the modules, and the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--golden", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1200, help="questions of squad; of others 200")
    arguments = parser.parse_args()
    names = dict.fromkeys((*LEARNED_ON, *REFUSALS_LEARNED_ON, *CHECKED_ON))
    answerer: ExtractiveAnswerer | None = None
    sets: dict[str, list[Row]] = {}
    for name in names:
        began = time.monotonic()
        limit = arguments.limit if name in LEARNED_ON else 200
        with library(load_settings()) as (service, session):
            answerer = answerer or ExtractiveAnswerer(Remembering(service.stores.embedder()))
            found = examples(service, session, arguments.golden / name, limit)
            sets[name] = [as_row(example, answerer) for example in found]
        print(f"{name}: {len(sets[name])} questions in {time.monotonic() - began:.0f} s")
    learn(sets)


def learn(sets: dict[str, list[Row]]) -> None:
    """Learn on one half, print the weights and the figures of all the rest."""
    halves = {name: halved(rows) for name, rows in sets.items()}
    answerable = {
        name: tuple([row for row in half if row.example.kind == "answerable"] for half in both)
        for name, both in halves.items()
    }
    weights = learn_ranking([row for name in LEARNED_ON for row in answerable[name][0]])
    print_weights(scoring.FEATURES, weights)
    for name, (first, second) in answerable.items():
        if name in LEARNED_ON:
            print(f"{name}, learned on: {contained(first, weights)}")
            print(f"{name}, other half: {contained(second, weights)}")
        else:
            print(f"{name:10} {contained([*first, *second], weights)}")
    learned_on = [row for name in REFUSALS_LEARNED_ON for row in halves[name][0]]
    signals = np.array([signals_of(row, weights) for row in learned_on])
    good = np.array([row.example.kind == "answerable" for row in learned_on])
    share = {"answerable": 1.0, "else": 1.0, "changed": 0.5}
    model = learn_logistic(signals, good, np.array([share[r.example.kind] for r in learned_on]))
    least = float(np.quantile(logistic(signals, model)[good], SHARE_OF_WRONG_REFUSALS))
    model[-1] -= np.log(least / (1 - least))  # so that 0.5 is where a refusal begins
    names = (*abstention.SIGNALS, "bias")
    plain = np.array([PLAIN.get(name, 0.0) for name in names])
    model = SHARE_LEARNED * model + (1 - SHARE_LEARNED) * plain
    print_weights(names, model)
    for name, (first, second) in halves.items():
        rows = second if name in REFUSALS_LEARNED_ON else [*first, *second]
        values = np.array([signals_of(row, weights) for row in rows])
        report_refusals(name, rows, logistic(values, model).tolist(), abstention.THRESHOLD)


def halved(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """By document, every second one; questions that have none in turn."""
    order = sorted({row.document for row in rows if row.document})
    first = set(order[::2])
    halves: tuple[list[Row], list[Row]] = ([], [])
    without = 0
    for row in rows:
        without += not row.document
        in_first = row.document in first if row.document else without % 2
        halves[0 if in_first else 1].append(row)
    return halves


def logistic(signals: Floats, model: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(signals @ model[:-1] + model[-1]))))


def print_weights(names: Sequence[str], weights: Floats) -> None:
    for name, weight in zip(names, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
