"""How often the support check is right: answers from the shared sets, half of them made wrong.

    python -m benchmarks.support_check --data DIR [--learn | --crossed] [--show N]

DIR holds `golden/squad`, `qa/clapnq` and `conversation/mtrag_human`. An answer is a sentence of
an article, a long answer that a person wrote, or what a language model wrote from passages and
people judged faithful. In every second one something is changed: a number, a name, a negation, or
the passage that it cites. Weights are learned on one half and reported on the other; `--crossed`
judges each half by weights learned on the other, and reports both together.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.learn_extractive import Remembering, auc, learn_logistic
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
from core.verification.comparison import SIGNALS

FAITHFUL = 4.0
"""The mean of people's grades (1 to 4) from which a model's answer counts as supported."""
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
        pieces = split_sentences(row["model_response"])
        said = tuple(
            " ".join(p.text.split()) for p in pieces if p.kind is SentenceKind.PROSE
            and not re.search(r":$|^.{0,3}$|\b\d+\.$", p.text.rstrip())
        )  # fmt: skip
        if said:
            question = " ".join(turn["text"] for turn in task["input"] if turn["speaker"] == "user")
            yield Case(row["task_id"].partition("<")[0], "mtrag", said, passages, question)


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


def _changed(case: Case, kind: str, cases: Sequence[Case], chance: random.Random) -> Case | None:
    if kind == "passage":
        near = [c for c in cases if c.group == case.group and c.passages != case.passages]
        far = [c for c in cases if c.source == case.source and c.group != case.group]
        other = chance.choice(near if near and chance.random() < 0.5 else far)
        return replace(case, passages=other.passages, change="passage", changed=None)
    places = list(range(len(case.sentences)))
    chance.shuffle(places)
    make = {"number": _other_number, "name": _other_name, "negation": _negated}[kind]
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


def flagged(case: Case, embedder: Embedder) -> list[bool]:
    """For each sentence of the answer, whether it is said not to be supported."""
    claims = support.check_support(case.text, case.citations, (), embedder, question=case.question)
    at, flags = 0, []
    marks = "".join(mark(n) for n in range(1, len(case.passages) + 1))
    for sentence in case.sentences:
        end = at + len(sentence) + len(marks) + 2
        inside = [claim for claim in claims if at <= claim.start < end]
        flags.append(any(claim.support is Support.UNSUPPORTED for claim in inside))
        at = end
    return flags


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


def learn(cases: Sequence[Case], embedder: Embedder) -> None:
    """Print weights learned on single sentences, and set them for the figures that follow."""
    rows, good, weights = [], [], []
    for case in cases:
        passages = tuple(
            comparison.read_passage(n, text, "") for n, text in enumerate(case.passages, 1)
        )
        asked = set(support.content_keys(case.question))
        for at, sentence in enumerate(case.sentences):
            wrong = case.change == "passage" or at == case.changed
            found = comparison.compare(sentence, passages, asked)
            if found.missing_numbers:
                continue  # these are not left to the model
            vectors = embedder.embed([sentence, *found.best])
            signals = found.signals | {"cosine": float((vectors[1:] @ vectors[0]).max())}
            rows.append([signals[name] for name in SIGNALS])
            good.append(not wrong)
            weights.append(1.0)
    learned = learn_logistic(np.array(rows), np.array(good), np.array(weights))
    scores = np.array(rows) @ learned[:-1]
    right = np.array(good)
    print(f"{len(rows)} sentences, AUC {auc(scores[right], scores[~right]):.3f}")
    for name, value in zip((*SIGNALS, "bias"), learned, strict=True):
        print(f'    "{name}": {value:.2f},')
    comparison.WEIGHTS.update(dict(zip(SIGNALS, learned[:-1].tolist(), strict=True)))
    comparison.BIAS = float(learned[-1])


def crossed(first: Sequence[Case], second: Sequence[Case], embedder: Embedder) -> None:
    """Each half judged by weights learned on the other; the figures of both together."""
    found: list[list[bool]] = []
    for learning, judging in ((first, second), (second, first)):
        learn(learning, embedder)
        found += [flagged(case, embedder) for case in judging]
    print("\nEach half by weights learned on the other:")
    told([*second, *first], found, 0)


def main() -> None:
    """Make the answers, learn if asked to, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--crossed", action="store_true")
    parser.add_argument("--show", type=int, default=0, help="print so many mistakes")
    arguments = parser.parse_args()
    embedder = Remembering(load_embedder(load_settings()))
    cases = [*squad(arguments.data), *clapnq(arguments.data), *mtrag(arguments.data)]
    groups = sorted({case.group for case in cases})
    building = {group for at, group in enumerate(groups) if at % 2 == 0}
    for_building = with_changes([case for case in cases if case.group in building])
    for_report = with_changes([case for case in cases if case.group not in building])
    if arguments.crossed:
        crossed(for_building, for_report, embedder)
        return
    if arguments.learn:
        learn(for_building, embedder)
        print("\nOn the half that it was built with:")
        figures(for_building, embedder, arguments.show)
    print("\nOn the other half:")
    figures(for_report, embedder, 0 if arguments.learn else arguments.show)


if __name__ == "__main__":
    main()
