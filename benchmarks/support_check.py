"""How often the support check is right: answers from the shared sets, half of them made wrong.

    python -m benchmarks.support_check --data DIR [--show N]
        [--learn | --crossed | --choosing | --folds]

DIR holds `golden/squad`, `qa/clapnq`, `qa/begin`, `conversation/mtrag_human` and
`conversation/mtrag_un`. An answer is a sentence of an article, a long answer that a person wrote,
or what a language model wrote from passages and people judged faithful. In every second one
something is changed: a number, a name, a negation, or the passage that it cites. Weights are
learned on one half, with every change of each of its sentences and the answers of mtrag_un, and
reported on the other; `--crossed` judges each half by weights learned on the other, and reports
both together.

`qa/begin` are replies of models to a passage, of which people said whether they are fully
attributable to it. Half of its passages are learned from too, the other half is reported. Then come
precision and recall by class (`support_classes`).
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.learn_extractive import Remembering, auc, learn_logistic
from benchmarks.support_classes import is_flagged, samples
from core.citations.mark import mark
from core.config import load_settings
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.text.sentences import SentenceKind, split_sentences
from core.text.terms import terms
from core.text.word_lists import MONTHS
from core.types import Citation, Support
from core.verification import check as support
from core.verification import comparison
from core.verification.about_sources import without_opening
from core.verification.comparison import SIGNALS
from core.verification.numbers.quantities import read_terms

FAITHFUL = 4.0
"""The mean of people's grades (1 to 4) from which a model's answer counts as supported."""
_WEIGHT_OF_BEGIN = 0.4
"""What a reply of BEGIN weighs in learning: it is talk, and most of it is not attributable."""
_WEIGHT_OF_MORE, _OF_THE_WRONG = 0.3, 0.4
"""What a sentence of `every_change` weighs, and what more where it is wrong: there are many."""
_FOLDS = 5
_THRESHOLDS = 0.3, 0.4, 0.45, 0.5, 0.6
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|may|must|has|have|had|does|did|do)\b(?! not)"
)
_NEGATED = re.compile(r"\b(?:no|never|none|neither|nor|nobody|nothing|without|cannot)\b", re.I)
_NOT = re.compile(r" not\b|n't\b")


@dataclass(frozen=True)
class Case:
    """An answer, whose every sentence cites all of `passages`. `change` says what is wrong."""

    group: str
    source: str
    sentences: tuple[str, ...]
    passages: tuple[str, ...]
    question: str = ""
    change: str = ""
    changed: int | None = None

    @property
    def text(self) -> str:
        marks = "".join(mark(n) for n in range(1, len(self.passages) + 1))
        return " ".join(f"{sentence} {marks}" for sentence in self.sentences)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(
            Citation(n, f"d{n}:0", f"d{n}", f"d{n}.txt", None, 0, None, 0, 0, "", passage=text)
            for n, text in enumerate(self.passages, 1)
        )


# -------------------------------------------------------------------------------- the answers


def squad(folder: Path) -> Iterator[Case]:
    """The sentence of the article that holds the answer; its paragraph is the passage."""
    rows = _lines(folder / "golden/squad/golden.jsonl")
    for row in rows[::11]:
        if not row["answerable"]:
            continue
        quote = row["sources"][0]["quote"]
        for piece in split_sentences(quote):
            if row["answers"][0] in piece.text and piece.kind is SentenceKind.PROSE:
                said = " ".join(piece.text.split())
                said = re.sub(r"\s*\([^()]*\)", "", said)  # no quote word for word
                document = row["sources"][0]["document"]
                yield Case(document, "squad", (said,), (quote,), row["question"])
                break


def clapnq(folder: Path) -> Iterator[Case]:
    """Long answers that people wrote from a passage."""
    for row in _lines(folder / "qa/clapnq/clapnq_dev_answerable.jsonl"):
        said = tuple(piece.text for piece in split_sentences(row["output"][0]["answer"]))
        passages = tuple(passage["text"] for passage in row["passages"])
        if said:
            yield Case(row["id"], "clapnq", said, passages, row["input"])


def mtrag(folder: Path) -> Iterator[Case]:
    """What models (and people) wrote in conversations from passages, graded as faithful."""
    path = folder / "conversation/mtrag_human/reference_subset_with_human_evaluations.json"
    data = json.loads(path.read_text("utf-8"))
    texts = {document["document_id"]: document["text"] for document in data["documents"]}
    tasks = {task["task_id"]: task for task in data["tasks"]}
    for row in data["evaluations"]:
        task = tasks[row["task_id"]]
        grades = [float(g["value"]) for g in row["annotations"].get("faithfulness", {}).values()]
        passages = tuple(
            texts[c["document_id"]] for c in task["contexts"] if c["document_id"] in texts
        )
        answerable = task["Answerability"] == ["ANSWERABLE"]
        if not (answerable and passages and grades and np.mean(grades) >= FAITHFUL):
            continue
        if said := _prose(row["model_response"]):
            question = " ".join(turn["text"] for turn in task["input"] if turn["speaker"] == "user")
            yield Case(row["task_id"].partition("<")[0], "mtrag", said, passages, question)


def mtrag_un(folder: Path) -> Iterator[Case]:
    """The reference answers of other conversations, which people checked; only learned from."""
    for row in _lines(folder / "conversation/mtrag_un/reference.jsonl"):
        passages = tuple(context["text"] for context in row["contexts"])
        said = _prose(row["targets"][0]["text"])
        if row["answerability"] == ["ANSWERABLE"] and passages and said:
            question = " ".join(turn["text"] for turn in row["input"] if turn["speaker"] == "user")
            yield Case(row["conversation_id"], "mtrag_un", said, passages, question)


def _prose(text: str) -> tuple[str, ...]:
    """The sentences of an answer that state something."""
    return tuple(
        " ".join(piece.text.split())
        for piece in split_sentences(text)
        if piece.kind is SentenceKind.PROSE
        and not re.search(r":$|^.{0,3}$|\b\d+\.$", piece.text.rstrip())
    )


@dataclass(frozen=True)
class Reply:
    """A model's reply to a passage, and whether people found it fully attributable."""

    passage: str
    text: str
    attributable: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(" ".join(piece.text.split()) for piece in split_sentences(self.text))

    @property
    def building(self) -> bool:
        """Whether its passage is in the half that is learned from."""
        return hashlib.sha256(self.passage.encode()).digest()[-1] % 2 == 0


def begin(folder: Path) -> list[Reply]:
    """The replies of BEGIN; generic ones ("I see.") say nothing, and are left out."""
    return [
        Reply(row["knowledge"], row["response"], row["label"] == "Fully attributable")
        for row in _lines(folder / "qa/begin/dev.jsonl")
        if row["label"] != "Generic"
    ]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# ------------------------------------------------------------------------------- the changes


def with_changes(cases: Sequence[Case], seed: int = 7) -> list[Case]:
    """Every second answer changed, the kinds of change in turn as far as they apply."""
    chance = random.Random(seed)
    done: list[Case] = []
    made: Counter[str] = Counter()
    for at, case in enumerate(cases):
        changed = None
        if at % 2:
            kinds = sorted(("number", "name", "negation", "passage"), key=lambda k: made[k])
            tries = (_changed(case, kind, cases, chance) for kind in kinds)
            changed = next((one for one in tries if one is not None), None)
        if changed is not None:
            made[changed.change] += 1
        done.append(changed or case)
    return done


def every_change(cases: Sequence[Case], seed: int = 3) -> list[Case]:
    """Each sentence as an answer by itself: as it is, and with each kind of change."""
    chance = random.Random(seed)
    done = []
    for case in cases:
        for sentence in case.sentences:
            alone = replace(case, sentences=(sentence,))
            kinds = ("number", "another number", "name", "negation", "passage")
            tries = (_changed(alone, kind, cases, chance) for kind in kinds)
            done += [alone, *(one for one in tries if one is not None)]
    return done


def _changed(case: Case, kind: str, cases: Sequence[Case], chance: random.Random) -> Case | None:
    if kind == "passage":
        near = [c for c in cases if c.group == case.group and c.passages != case.passages]
        far = [c for c in cases if c.source == case.source and c.group != case.group]
        other = chance.choice(near if near and chance.random() < 0.5 else far)
        return replace(case, passages=other.passages, change="passage", changed=None)
    places = list(range(len(case.sentences)))
    chance.shuffle(places)
    make = {
        "number": _other_number,
        "another number": _another_number,
        "name": _other_name,
        "negation": _negated,
    }[kind]
    for at in places:
        new = make(case.sentences[at], case, cases, chance)
        if new is not None and new != case.sentences[at]:
            said = (*case.sentences[:at], new, *case.sentences[at + 1 :])
            return replace(case, sentences=said, change=kind, changed=at)
    return None


def _other_number(
    sentence: str, case: Case, cases: Sequence[Case], chance: random.Random
) -> str | None:
    found = [term for term in terms(sentence) if term.kind == "number"]
    if not found:
        return None
    term = chance.choice(found)
    digits = [at for at, ch in enumerate(term.form) if ch.isascii() and ch.isdigit()]
    if not digits:
        return None
    at = digits[-1] if len(digits) > 2 else chance.choice(digits)
    new = chance.choice([d for d in "123456789" if d != term.form[at]])
    form = term.form[:at] + new + term.form[at + 1 :]
    return sentence[: term.start] + form + sentence[term.end :]


def _another_number(
    sentence: str, case: Case, cases: Sequence[Case], chance: random.Random
) -> str | None:
    """A number of the passage in the place of one of the sentence's."""
    ours = [term for term in terms(sentence) if term.kind == "number"]
    keys = {term.key for term in ours}
    theirs = [
        term.form
        for text in case.passages
        for term in terms(text)
        if term.kind == "number" and term.key not in keys
    ]
    if not ours or not theirs:
        return None
    term = chance.choice(ours)
    return sentence[: term.start] + chance.choice(theirs) + sentence[term.end :]


def _other_name(
    sentence: str, case: Case, cases: Sequence[Case], chance: random.Random
) -> str | None:
    found = [run for run in _names(sentence) if run[2].lower() not in MONTHS]
    if not found:
        return None
    start, end, _ = chance.choice(found)
    if chance.random() < 0.5:
        pool = [run[2] for passage in case.passages for run in _names(passage)]
    else:
        other = chance.choice([c for c in cases if c.source == case.source])
        pool = [run[2] for text in (*other.sentences, *other.passages) for run in _names(text)]
    pool = [one for one in pool if not set(one.split()) & set(sentence.split())]
    if not pool:
        return None
    return sentence[:start] + chance.choice(pool) + sentence[end:]


def _names(text: str) -> list[tuple[int, int, str]]:
    """Runs of capitalised words within sentences."""
    runs: list[tuple[int, int, str]] = []
    for term in terms(text):
        if term.kind != "name" or term.form.isupper():
            continue
        if runs and text[runs[-1][1] : term.start] == " ":
            runs[-1] = (runs[-1][0], term.end, text[runs[-1][0] : term.end])
        else:
            runs.append((term.start, term.end, term.form))
    return runs


def _negated(sentence: str, case: Case, cases: Sequence[Case], chance: random.Random) -> str | None:
    if there := _NOT.search(sentence):
        return sentence[: there.start()] + sentence[there.end() :]
    if _NEGATED.search(sentence):
        return None  # two negations would say what the source says
    if verb := _AUXILIARY.search(sentence):
        return sentence[: verb.end()] + " not" + sentence[verb.end() :]
    return None


# ------------------------------------------------------------------------------ the measuring


@dataclass
class Tally:
    """Counts of what was flagged as not supported."""

    caught: int = 0
    missed: int = 0
    false: int = 0
    passed: int = 0

    def add(self, changed: bool, flag: bool) -> None:
        self.caught += changed and flag
        self.missed += changed and not flag
        self.false += flag and not changed
        self.passed += not (flag or changed)

    @property
    def flagged(self) -> int:
        return self.caught + self.false

    @property
    def all(self) -> int:
        return self.flagged + self.missed + self.passed

    def __str__(self) -> str:
        changed = self.caught + self.missed
        precision, recall = self.caught / max(1, self.flagged), self.caught / max(1, changed)
        return f"{self.all:5}, {changed} changed: precision {precision:.3f}, recall {recall:.3f}"


def weakest(case: Case, embedder: Embedder) -> list[float]:
    """For each sentence, the least score of what is said not to be supported; else infinity."""
    claims = support.check_support(case.text, case.citations, (), embedder, question=case.question)
    at, found = 0, []
    marks = "".join(mark(n) for n in range(1, len(case.passages) + 1))
    for sentence in case.sentences:
        end = at + len(sentence) + len(marks) + 2
        inside = [claim for claim in claims if at <= claim.start < end]
        scores = [claim.score or 0.0 for claim in inside if claim.support is Support.UNSUPPORTED]
        found.append(min(scores, default=math.inf))
        at = end
    return found


def flagged(case: Case, embedder: Embedder) -> list[bool]:
    """For each sentence of the answer, whether it is said not to be supported."""
    return [score < math.inf for score in weakest(case, embedder)]


def figures(cases: Sequence[Case], embedder: Embedder, show: int) -> None:
    """Precision and recall of "not supported" by answer and by sentence, then by set and change."""
    told(cases, [flagged(case, embedder) for case in cases], show)


def told(cases: Sequence[Case], found: Sequence[list[bool]], show: int) -> None:
    """The figures of what was flagged in each case, printed."""
    answers, sentences = Tally(), Tally()
    parts: dict[str, Tally] = {}
    for case, flags in zip(cases, found, strict=True):
        wrong, changed = any(flags), bool(case.change)
        for name in (case.change or "as it was", f"{case.source}{', changed' * changed}"):
            parts.setdefault(name, Tally()).add(changed, wrong)
        answers.add(changed, wrong)
        for at, flag in enumerate(flags):
            sentences.add(case.change == "passage" or at == case.changed, flag)
        if wrong != changed and show > 0:
            show -= 1
            print(f"\n{case.source}, {case.change or 'as it was'}: {flags}\n{case.text[:600]}")
    print(f"answers:   {answers}")
    print(f"sentences: {sentences}")
    for name, tally in sorted(parts.items()):
        print(f"{name:20} flagged {tally.flagged:4} of {tally.all:4}")


def judged(replies: Sequence[Reply], embedder: Embedder) -> list[tuple[float, bool]]:
    """The score of the weakest sentence of each reply (1 without one), and its flag."""
    found = []
    for reply in replies:
        case = Case("", "begin", reply.sentences, (reply.passage,))
        claims = support.check_support(case.text, case.citations, (), embedder)
        scores = [claim.score for claim in claims if claim.score is not None]
        flag = any(claim.support is Support.UNSUPPORTED for claim in claims)
        found.append((min(scores, default=1.0), flag))
    return found


def attributable(replies: Sequence[Reply], embedder: Embedder) -> None:
    """AUC, balanced accuracy, precision and recall of "not attributable", printed."""
    found = judged(replies, embedder)
    right = np.array([reply.attributable for reply in replies])
    scores = np.array([score for score, _ in found])
    tally = Tally()
    for reply, (_, flag) in zip(replies, found, strict=True):
        tally.add(not reply.attributable, flag)
    recall = tally.caught / (tally.caught + tally.missed)
    balanced = (recall + tally.passed / (tally.passed + tally.false)) / 2
    print(f"BEGIN: {tally}, AUC {auc(scores[right], scores[~right]):.3f}, balanced {balanced:.3f}")


def by_class(cases: Sequence[Case], embedder: Embedder) -> None:
    """Precision and recall by class of answers that are made for it, printed."""
    tallies: dict[str, Tally] = {}
    for sample in samples([text for case in cases for text in case.passages]):
        flag = is_flagged(sample, embedder)
        tallies.setdefault(sample.kind, Tally()).add(sample.wrong, flag)
    for kind, tally in tallies.items():
        print(f"{kind:20} {tally}")


def clean(cases: Sequence[Case], embedder: Embedder) -> None:
    """How many sentences of people's own answers are flagged, printed."""
    flags = [
        flag
        for case in cases
        if case.source == "clapnq" and not case.change
        for flag in flagged(case, embedder)
    ]
    print(f"people's own sentences (ClapNQ): {sum(flags)} of {len(flags)} flagged")


@functools.cache
def _row(
    sentence: str, texts: tuple[str, ...], question: str, embedder: Embedder
) -> list[float] | None:
    """The signals of a sentence; None where a figure decides alone."""
    asked = {term.key for term in read_terms(question) if term.kind != "stop"}
    found = comparison.compare(without_opening(sentence), _read(texts), asked)
    if found.missing_numbers or found.other_quantity:
        return None
    vectors = embedder.embed([sentence, *found.best])
    signals = found.signals | {"cosine": max(0.0, float((vectors[1:] @ vectors[0]).max()))}
    return [signals[name] for name in SIGNALS]


@functools.lru_cache(maxsize=256)
def _read(texts: tuple[str, ...]) -> tuple[comparison.Passage, ...]:
    return tuple(comparison.read_passage(n, text) for n, text in enumerate(texts, 1))


def learn(
    cases: Sequence[Case], more: Sequence[Case], replies: Sequence[Reply], embedder: Embedder
) -> None:
    """Print weights learned on single sentences, and set them for the figures that follow.

    `more` are answers that weigh less.

    Which sentence of a reply is the one that is not attributable is not known: it is the one that
    the weights of the round before find weakest.
    """
    rows, good, weights = [], [], []
    for place, case in enumerate([*cases, *more]):
        for at, sentence in enumerate(case.sentences):
            if row := _row(sentence, case.passages, case.question, embedder):
                rows.append(row)
                good.append(not (case.change == "passage" or at == case.changed))
                less = 1.0 if good[-1] else _OF_THE_WRONG
                weights.append(1.0 if place < len(cases) else _WEIGHT_OF_MORE * less)
    talk = []
    for reply in replies:
        found = [_row(sentence, (reply.passage,), "", embedder) for sentence in reply.sentences]
        talk.append((reply.attributable, [row for row in found if row]))
    learned = np.zeros(len(SIGNALS) + 1)
    for _ in range(3):
        told = [
            (row, right)
            for right, found in talk
            if found
            for row in (found if right else [min(found, key=lambda row: learned[:-1] @ row)])
        ]
        matrix = np.array([*rows, *(row for row, _ in told)])
        right = np.array([*good, *(right for _, right in told)])
        weight = np.array(weights + [_WEIGHT_OF_BEGIN] * len(told))
        learned = learn_logistic(matrix, right, weight)
    scores = matrix @ learned[:-1]
    print(f"{len(right)} sentences, AUC {auc(scores[right], scores[~right]):.3f}")
    for name, value in zip((*SIGNALS, "bias"), learned, strict=True):
        print(f'    "{name}": {value:.2f},')
    comparison.WEIGHTS.update(dict(zip(SIGNALS, learned[:-1].tolist(), strict=True)))
    comparison.BIAS = float(learned[-1])


def folded(
    cases: Sequence[Case],
    choosing: Sequence[Case],
    others: Sequence[Case],
    replies: Sequence[Reply],
    embedder: Embedder,
) -> None:
    """Print what of the choosing half is flagged by weights learned on its other folds.

    `cases` are its answers with their changes, `choosing` without; `others` are more answers, told
    apart. Folds are parted by article, conversation and passage; what shares a passage with the
    fold that is judged is not learned from.
    """
    twice = with_changes([case for case in others for _ in range(2)])
    more = [*every_change(choosing), *every_change(others)]
    scores: list[tuple[Case, list[float]]] = []
    talk: list[tuple[Reply, float]] = []
    for fold in range(_FOLDS):
        judging = [case for case in (*cases, *twice) if _fold(case.group) == fold]
        shown = {text for case in judging if not case.change for text in case.passages}
        learning, besides = (
            [case for case in part if _fold(case.group) != fold and shown.isdisjoint(case.passages)]
            for part in (cases, more)
        )
        kept = [one for one in replies if _fold(one.passage) != fold]
        learn(learning, besides, kept, embedder)
        support.SUPPORTED = 1.0  # so that every score is told
        scores += [(case, weakest(case, embedder)) for case in judging]
        for reply in replies:
            if _fold(reply.passage) == fold:
                case = Case("", "begin", reply.sentences, (reply.passage,))
                talk.append((reply, min(weakest(case, embedder), default=math.inf)))
    for threshold in _THRESHOLDS:
        print(f"\n{threshold}:")
        for apart_from_it in (False, True):
            part = [one for one in scores if (one[0].source == "mtrag_un") is apart_from_it]
            flags = [[score < threshold for score in found] for _, found in part]
            told([case for case, _ in part], flags, 0)
        told_right, told_wrong = (
            np.mean([score < threshold for one, score in talk if one.attributable is right])
            for right in (True, False)
        )
        print(f"BEGIN: balanced {(told_wrong + 1 - told_right) / 2:.3f}")


def _fold(group: str) -> int:
    return hashlib.sha256(group.encode()).digest()[0] % _FOLDS


def crossed(
    halves: Sequence[tuple[Sequence[Case], Sequence[Case]]],
    replies: Sequence[Reply],
    embedder: Embedder,
) -> None:
    """Each half judged by weights learned on the other; the figures of both together.

    A half is its answers, and what is learned from besides.
    """
    found: list[list[bool]] = []
    both = list(zip(halves, reversed(halves), (True, False), strict=True))
    for (learning, more), (judging, _), part in both:
        learn(learning, more, [reply for reply in replies if reply.building is part], embedder)
        found += [flagged(case, embedder) for case in judging]
    print("\nEach half by weights learned on the other:")
    told([case for _, (judging, _), _ in both for case in judging], found, 0)


def main() -> None:
    """Make the answers, learn if asked to, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--crossed", action="store_true")
    parser.add_argument(
        "--choosing", action="store_true", help="the choosing half, by the weights as they are"
    )
    parser.add_argument(
        "--folds", action="store_true", help="the choosing half, each fifth by the other four"
    )
    parser.add_argument("--show", type=int, default=0, help="print so many mistakes")
    arguments = parser.parse_args()
    embedder = Remembering(load_embedder(load_settings()))
    cases = [*squad(arguments.data), *clapnq(arguments.data), *mtrag(arguments.data)]
    replies = begin(arguments.data)
    groups = sorted({case.group for case in cases})
    building = {group for at, group in enumerate(groups) if at % 2 == 0}
    parts = [[case for case in cases if (case.group in building) is one] for one in (True, False)]
    for_building, for_report = (with_changes(part) for part in parts)
    if arguments.folds:
        choosing = [reply for reply in replies if reply.building]
        folded(for_building, parts[0], list(mtrag_un(arguments.data)), choosing, embedder)
        return
    if arguments.crossed or arguments.learn:
        others = every_change(list(mtrag_un(arguments.data)))
        more = [[*every_change(part), *others] for part in parts]
    if arguments.crossed:
        crossed(list(zip((for_building, for_report), more, strict=True)), replies, embedder)
        return
    if arguments.learn:
        learn(for_building, more[0], [reply for reply in replies if reply.building], embedder)
    if arguments.learn or arguments.choosing:
        print(
            "\nOn the half that it was built with, by the probability from which it is supported:"
        )
        for support.SUPPORTED in _THRESHOLDS:
            print(f"{support.SUPPORTED}:")
            figures(for_building, embedder, arguments.show)
            clean(for_building, embedder)
            attributable([reply for reply in replies if reply.building], embedder)
        return
    print("\nOn the other half:")
    figures(for_report, embedder, arguments.show)
    clean(for_report, embedder)
    attributable([reply for reply in replies if not reply.building], embedder)
    by_class(for_report, embedder)


if __name__ == "__main__":
    main()
