"""Learn the weights of core/answering/extractive (scoring, abstention), and say how good they are.

    python -m benchmarks.learn_extractive --golden DIR [--limit N] [--other-languages]

DIR holds golden sets (squad, nq, talks, ...), each with `golden.jsonl` and `documents/`. Weights
are learned on every second document (of talks: conversation) of some sets; their other halves and
the other sets are for checking. The search is that of the program.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences import abstention, scoring
from core.cli.library import ingest, library, read_all
from core.config import load_settings
from core.evaluation.golden.sets import (
    GoldenItem,
    GoldenSource,
    even_sample,
    normalised,
    read_golden,
)
from core.evaluation.measures.talks import words
from core.models.port import Embedder
from core.service import Service
from core.types import AskRequest, SearchResult, Session

FIRST_LEARNED_ON = "squad"
LEARNED_ON = {"squad": 2.0, "nq": 1.0, "talks": 0.5}
"""The sets, and what all questions of one weigh together."""
NEAR_FIRST = 0.03
"""How strongly what is learned on all sets is held near to what is learned on the first."""
QUOTE = 0.6, 0.4
"""Of a conversation's turn a sentence is right that has 0.6 of the words of an ideal quote, and
0.4 of whose words the quote has."""
REFUSALS_LEARNED_ON = ("squad", "xquad-en", "xquad-de")
SHARE_OF_WRONG_REFUSALS = 0.007
PLAIN = {"cosine": 6.0, "passage": 4.0, "bias": -4.0}
"""Two signals that do well on every kind of document; what is learned is averaged with them."""
SHARE_LEARNED = 0.4
CHECKED_ON = ("xquad-ru", "xquad-zh", "xquad-el", "xquad-ro")
OTHER_LANGUAGES_LEARNED_ON = ("xquad-de", "xquad-es")
NEAR_ENGLISH = 0.03
"""How strongly the weights for other languages are held near to those for English."""
OF_WORDS = scoring.FEATURES[: scoring.FEATURES.index("continues")]
"""What is learned for other languages; headings, rows and definitions are as rare in these sets as
elsewhere common, and count what they count in English."""
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


def turns(service: Service, first: Session, folder: Path) -> Iterator[Example]:
    """Search for the turns of conversations, each made to stand alone, in the library it names.

    The conversation stands in the place of the document.
    """
    lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["answerable"] and row["ideal"]]
    sessions: dict[tuple[str, ...], Session] = {}
    for row in rows:
        names = tuple(row["library"])
        if names not in sessions:
            sessions[names] = service.sessions.create(first.owner_id, ", ".join(names)[:60])
            paths = {name: folder / "documents" / name for name in names}
            read_all(service, sessions[names], paths)
        question = row["standalone"] or row["question"]
        item = GoldenItem(
            f"{row['conversation']}.{row['turn']}",
            question,
            tuple(one["quote"] for one in row["ideal"]),
            sources=(GoldenSource(row["conversation"]),),
        )
        yield Example(item, "answerable", service.search(AskRequest(sessions[names], question)))


def as_row(example: Example, answerer: ExtractiveAnswerer, *, quotes: bool = False) -> Row:
    """The example as numbers; `quotes` says that its answers are whole sentences."""
    scored = answerer.score(example.result.plan.goal, example.result)
    right = _is_quoted if quotes else _is_contained
    answers = example.item.answers
    found = [right(candidate.sentence.text, answers) for candidate in scored.candidates]
    return Row(example, scored, np.array(found, dtype=bool))


def _is_contained(text: str, answers: Sequence[str]) -> bool:
    wanted = map(normalised, answers)
    return any(answer and answer in normalised(text) for answer in wanted)


def _is_quoted(text: str, quotes: Sequence[str]) -> bool:
    said = Counter(words(text))
    for quote in quotes:
        wanted = Counter(words(quote))
        common = (said & wanted).total()
        if common >= QUOTE[0] * wanted.total() and common >= QUOTE[1] * said.total():
            return True
    return False


# --------------------------------------------------------------------------- which sentences


def learn_ranking(
    sets: Mapping[str, Sequence[Row]],
    near: Floats | None = None,
    ridge: float = 1e-3,
    learned: Sequence[str] = scoring.FEATURES,
) -> Floats:
    """Weights that maximise the probability, by softmax, of the sentences that hold an answer.

    The ridge holds the weights near to `near`, without it near to nothing; all but those `learned`
    stay there.
    """
    moves = np.array([name in learned for name in scoring.FEATURES])
    sets = {name: [row for row in rows if row.right.any()] for name, rows in sets.items()}
    rows = [row for found in sets.values() for row in found]
    share = np.concatenate(
        [
            np.full(len(found), LEARNED_ON.get(name, 1.0) / len(found))
            for name, found in sets.items()
        ]
    )
    share /= share.sum()
    matrix = np.concatenate([row.matrix for row in rows]).astype(np.float64)
    scale = matrix.std(0) + 1e-6
    matrix /= scale
    right = np.concatenate([row.right for row in rows]).astype(np.float64)
    lengths = [len(row.right) for row in rows]
    starts = np.cumsum([0, *lengths])[:-1]
    of = np.repeat(np.arange(len(rows)), lengths)
    start = np.zeros(matrix.shape[1]) if near is None else near * scale

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = matrix @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        total, good = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts)
        slope = (powers / total[of] - powers * right / good[of]) * share[of]
        away = weights - start
        value = -(share * np.log(good / total)).sum() + ridge * away @ away
        return float(value), moves * (slope @ matrix + 2 * ridge * away)

    found = minimize(loss, start, jac=True, method="L-BFGS-B")
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
    parser.add_argument("--limit", type=int, default=1200, help="questions of squad")
    parser.add_argument("--others", type=int, default=400, help="questions of each other set")
    parser.add_argument("--other-languages", action="store_true", help="only those but English")
    arguments = parser.parse_args()
    all_sets = (*LEARNED_ON, *REFUSALS_LEARNED_ON)
    learned_on = OTHER_LANGUAGES_LEARNED_ON if arguments.other_languages else all_sets
    names = dict.fromkeys((*learned_on, *CHECKED_ON))
    answerer: ExtractiveAnswerer | None = None
    sets: dict[str, list[Row]] = {}
    for name in names:
        began = time.monotonic()
        limit = arguments.limit if name == FIRST_LEARNED_ON else arguments.others
        with library(load_settings()) as (service, session):
            answerer = answerer or ExtractiveAnswerer(Remembering(service.stores.embedder()))
            talks = name == "talks"
            found = (
                turns(service, session, arguments.golden / name)
                if talks
                else examples(service, session, arguments.golden / name, limit)
            )
            sets[name] = [as_row(example, answerer, quotes=talks) for example in found]
        print(f"{name}: {len(sets[name])} questions in {time.monotonic() - began:.0f} s")
    (learn_other_languages if arguments.other_languages else learn)(sets)


def learn(sets: dict[str, list[Row]]) -> None:
    """Learn on one half, print the weights and the figures of all the rest."""
    halves = {name: halved(rows) for name, rows in sets.items()}
    answerable = {
        name: tuple([row for row in half if row.example.kind == "answerable"] for half in both)
        for name, both in halves.items()
    }
    taught = {name: answerable[name][0] for name in LEARNED_ON}
    alone = learn_ranking({FIRST_LEARNED_ON: taught[FIRST_LEARNED_ON]})
    weights = learn_ranking(taught, alone, NEAR_FIRST)
    print_weights(scoring.FEATURES, weights)
    for name, (first, second) in answerable.items():
        if name in LEARNED_ON:
            print(f"{name}, learned on: {contained(first, weights)}")
            print(f"{name}, other half: {contained(second, weights)}")
        else:
            print(f"{name:10} {contained([*first, *second], weights)}")
    refusals = [row for name in REFUSALS_LEARNED_ON for row in halves[name][0]]
    signals = np.array([signals_of(row, weights) for row in refusals])
    good = np.array([row.example.kind == "answerable" for row in refusals])
    share = {"answerable": 1.0, "else": 1.0, "changed": 0.5}
    model = learn_logistic(signals, good, np.array([share[r.example.kind] for r in refusals]))
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


def learn_other_languages(sets: dict[str, list[Row]]) -> None:
    """Learn from some languages the weights for all but English; print them and their figures."""
    halves = {
        name: halved([row for row in rows if row.example.kind == "answerable"])
        for name, rows in sets.items()
    }
    taught = {name: halves[name][0] for name in OTHER_LANGUAGES_LEARNED_ON}
    english = np.array([scoring.WEIGHTS[name] for name in scoring.FEATURES])
    weights = learn_ranking(taught, english, NEAR_ENGLISH, OF_WORDS)
    print_weights(OF_WORDS, weights[: len(OF_WORDS)])
    for name, (first, second) in halves.items():
        rows = second if name in taught else [*first, *second]
        print(f"{name:10} {contained(rows, english)}, by the weights for English")
        print(f"{name:10} {contained(rows, weights)}, by those for other languages")


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
