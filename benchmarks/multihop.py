"""Questions that need two passages: as typed, and with a second query made without a model.

    python -m benchmarks.multihop --data DIR [--show]

DIR holds `qa/multihop`: 100 questions of HotpotQA with the two articles that answer each, among
994. The second query is the question with a name of the first hits that it does not have
(`core/retrieval/second_hop.py`); both go the way of the level "several" without a model.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from core.cli.retrieval import indexed
from core.config import load_settings
from core.evaluation.beir import Collection, Text
from core.retrieval.retriever import Retriever
from core.retrieval.search import search
from core.types import Level, QueryOptions, QueryPlan, SearchOptions, SearchResult

PLACES = 10
PLAIN = SearchOptions(top_k=PLACES, diversify=False, rerank=False, join_neighbours=False)
WAYS = {"as typed": Level.AS_TYPED, "second query by rule": Level.SEVERAL}


def read_articles(data: Path) -> tuple[Text, ...]:
    """The articles by their titles."""
    found = json.loads((data / "qa/multihop/hotpotqa_train_corpus.json").read_text("utf-8"))
    return tuple(Text(title, title, "".join(lines)) for title, lines in found.items())


def result_of(retriever: Retriever, session: str, question: str, level: Level) -> SearchResult:
    """The result at a level, without a model."""
    plan = QueryPlan(question, question, (question,), level)
    work = search(retriever, session, plan, QueryOptions(PLAIN, level))
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: SearchResult = end.value
            return found


def wanted(question: dict[str, Any]) -> set[str]:
    """The titles of the articles that answer a question."""
    return {title for title, _ in question["supporting_facts"]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what is not found")
    arguments = parser.parse_args()
    questions = json.loads((arguments.data / "qa/multihop/hotpotqa_train.json").read_text("utf-8"))
    collection = Collection(read_articles(arguments.data), {}, {})
    both = dict.fromkeys(WAYS, 0)
    with indexed(collection, load_settings()) as (retriever, session):
        for question in questions:
            text, gold = " ".join(question["question"].split()), wanted(question)
            for way, level in WAYS.items():
                result = result_of(retriever, session, text, level)
                found = gold <= {hit.document.name for hit in result.hits[:PLACES]}
                both[way] += found
                if arguments.show and not found and level is Level.SEVERAL:
                    print(text, sorted(gold), result.plan.queries[1:])
    for way, count in both.items():
        print(f"{way:22} both passages among the first {PLACES}: {count} of {len(questions)}")


if __name__ == "__main__":
    main()
