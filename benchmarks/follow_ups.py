"""Questions that lean on the conversation: as typed, completed by rule, and rewritten by people.

    python -m benchmarks.follow_ups --data DIR [--show]

DIR holds `conversation/mtrag_human` (turns with human rewrites and judged passages) and
`conversation/mtrag_un` (last turns with judged passages). The corpus are all passages that the two
bring along. A turn depends on the conversation where its rewrite has a content word that the turn
has not, but an earlier turn or answer has; without a rewrite, where people marked it as a
follow-up or clarification. Rules were made on the conversations of the first half (by the hash of
their ids) and are reported on both.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.cli.retrieval import indexed
from core.config import load_settings
from core.evaluation.beir import Collection, Text
from core.planning.rules import plan_by_rule
from core.retrieval.retriever import Retriever
from core.retrieval.search import search
from core.text.terms import content_keys
from core.types import (
    Answer,
    Citation,
    Message,
    QueryOptions,
    QueryPlan,
    SearchOptions,
    SearchResult,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = SearchOptions(top_k=5, diversify=False, rerank=False, join_neighbours=False)
_PREFIX = "|user|: "


@dataclass(frozen=True)
class Said:
    """One earlier turn: its answer, "" where unknown, and the titles of what it rests on."""

    question: str
    answer: str = ""
    titles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A question at its place in a conversation. `rewrite` is a person's, None where none is."""

    id: str
    question: str
    earlier: tuple[Said, ...]
    relevant: frozenset[str]
    rewrite: str | None
    marked: bool = False

    @property
    def half(self) -> int:
        """1 for the half on which the rules were made, 2 for the other."""
        return zlib.crc32(self.id.partition("<")[0].encode()) % 2 + 1

    @property
    def depends(self) -> bool:
        """Whether the question leans on what was said before."""
        if self.rewrite is None:
            return self.marked
        own = set(content_keys(self.question))
        said = " ".join(f"{turn.question} {turn.answer}" for turn in self.earlier)
        return bool((set(content_keys(self.rewrite)) - own) & set(content_keys(said)))


# ---------------------------------------------------------------------------------- the data


def read_passages(data: Path) -> dict[str, Text]:
    """All passages of both sets by their ids."""
    found: dict[str, Text] = {}
    given = [
        *_subset(data)["documents"],
        *(c for task in _unanswered(data) for c in task["contexts"]),
    ]
    for document in given:
        key, title = document["document_id"], document.get("title") or ""
        found.setdefault(key, Text(key, title, document["text"].removeprefix(title).strip()))
    return found


def human_turns(data: Path, passages: dict[str, Text]) -> Iterator[Turn]:
    """The turns of `mtrag_human` of which at least one judged passage is there."""
    answers = _answers(data)
    for name in ("clapnq", "cloud"):
        folder = data / "conversation" / "mtrag_human" / name
        questions = _texts(folder / f"{name}_questions.jsonl")
        rewrites = _texts(folder / f"{name}_rewrite.jsonl")
        judged = _judged(folder / "qrels" / "dev.tsv")
        for key, text in questions.items():
            relevant = frozenset(judged.get(key, set()) & passages.keys())
            if not relevant:
                continue
            asked = [part.strip() for part in text.split(f"\n{_PREFIX}")]
            conversation = key.partition("<::>")[0]
            earlier = [
                Said(
                    question,
                    answers.get(f"{conversation}<::>{number}", ""),
                    _titles(judged.get(f"{conversation}<::>{number}", set()), passages),
                )
                for number, question in enumerate(asked[:-1], 1)
            ]
            yield Turn(key, asked[-1], tuple(earlier), relevant, rewrites.get(key))


def unanswered_turns(data: Path, passages: dict[str, Text]) -> Iterator[Turn]:
    """The turns of `mtrag_un` that have judged passages."""
    for task in _unanswered(data):
        relevant = frozenset(c["document_id"] for c in task["contexts"])
        if not relevant or len(relevant) > 9:
            continue
        said = [message["text"] for message in task["input"]]
        earlier = tuple(
            Said(question, answer) for question, answer in zip(said[::2], said[1::2], strict=False)
        )
        marked = task["Multi-Turn"][0] in ("Follow-up", "Clarification")
        yield Turn(task["task_id"], said[-1].strip(), earlier, relevant, None, marked)


def _subset(data: Path) -> dict[str, Any]:
    name = "reference_subset_with_human_evaluations.json"
    found: dict[str, Any] = json.loads(
        (data / "conversation/mtrag_human" / name).read_text("utf-8")
    )
    return found


def _unanswered(data: Path) -> list[dict[str, Any]]:
    lines = (data / "conversation/mtrag_un/reference.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _answers(data: Path) -> dict[str, str]:
    """What was answered, by the id of the turn."""
    found: dict[str, str] = {}
    for task in _subset(data)["tasks"]:
        conversation = task["task_id"].partition("<::>")[0]
        for place, message in enumerate(task["input"]):
            if message["speaker"] == "agent":
                found[f"{conversation}<::>{(place + 1) // 2}"] = message["text"]
    return found


def _texts(path: Path) -> dict[str, str]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["_id"]: row["text"].removeprefix(_PREFIX) for row in rows}


def _judged(path: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text("utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        found[query].add(document)
    return found


def _titles(ids: set[str], passages: dict[str, Text]) -> tuple[str, ...]:
    titles = [passages[key].title for key in sorted(ids) if key in passages]
    return tuple(dict.fromkeys(title for title in titles if title))


# ------------------------------------------------------------------------------ the measuring


def history(turn: Turn) -> list[Message]:
    """The earlier turns as the program keeps them: each answer with its plan and citations."""
    said: list[Message] = []
    for number, earlier in enumerate(turn.earlier):
        made = plan_by_rule(earlier.question, said)
        cited = tuple(_citation(n, title) for n, title in enumerate(earlier.titles, 1))
        answer = Answer(earlier.question, earlier.answer, cited, search=SearchResult(made, ()))
        said.append(Message(2 * number, "user", earlier.question, NOW))
        said.append(Message(2 * number + 1, "assistant", earlier.answer, NOW, answer))
    return said


def _citation(number: int, title: str) -> Citation:
    return Citation(number, f"{title}:0", title, title, None, 0, None, 0, 0, "", title)


def plans(turn: Turn) -> dict[str, QueryPlan]:
    """The ways to search for one turn."""
    typed = " ".join(turn.question.split())
    found = {
        "as typed": QueryPlan(typed, typed, (typed,)),
        "by rule": plan_by_rule(typed, history(turn)),
    }
    if turn.rewrite:
        found["by a person"] = QueryPlan(typed, turn.rewrite, (turn.rewrite,))
    return found


def recall(retriever: Retriever, session: str, turn: Turn, made: QueryPlan) -> float:
    """The share of the turn's passages among the first five."""
    work = search(retriever, session, made, QueryOptions(PLAIN))
    while True:
        try:
            next(work)
        except StopIteration as end:
            places = {hit.document.name for hit in end.value.hits[:5]}
            return len(places & turn.relevant) / len(turn.relevant)


def table(name: str, rows: Sequence[tuple[Turn, dict[str, float]]]) -> Iterator[str]:
    """Means for each group of turns, and how much of the gap to people's rewrites is closed."""
    for halves in ((1,), (2,), (1, 2)):
        for depends in (True, False):
            some = [
                found for turn, found in rows if turn.half in halves and turn.depends is depends
            ]
            if not some:
                continue
            means = {way: sum(found[way] for found in some) / len(some) for way in some[0]}
            half = "both" if len(halves) > 1 else f"half {halves[0]}"
            line = f"{name:12} {half:6} {'depends' if depends else 'alone':8} n={len(some):3}"
            line += "".join(f"  {way} {mean:.3f}" for way, mean in means.items())
            if depends and "by a person" in means:
                gap = means["by a person"] - means["as typed"]
                line += f"  closed {(means['by rule'] - means['as typed']) / gap:.0%}"
            yield line


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print turns where the rule matters")
    arguments = parser.parse_args()
    passages = read_passages(arguments.data)
    sets = {
        "mtrag_human": list(human_turns(arguments.data, passages)),
        "mtrag_un": list(unanswered_turns(arguments.data, passages)),
    }
    collection = Collection(tuple(passages.values()), {}, {})
    with indexed(collection, load_settings()) as (retriever, session):
        for name, turns in sets.items():
            rows = []
            for turn in turns:
                made = plans(turn)
                found = {way: recall(retriever, session, turn, made[way]) for way in made}
                rows.append((turn, found))
                if arguments.show and found["by rule"] != found["as typed"]:
                    print(
                        f"{found['as typed']:.2f} {found['by rule']:.2f}", made["by rule"].queries
                    )
            print("\n".join(table(name, rows)))


if __name__ == "__main__":
    main()
