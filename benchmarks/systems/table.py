"""The outcomes as one table: intervals, and what differs from what was published (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.systems.asked import Outcome
from benchmarks.systems.sets import SETS
from core.evaluation.measures.statistics import mean_interval

COLUMNS = {
    "recall": "recall@10",
    "cited_document": "right document cited",
    "citation_precision": "citation precision",
    "holds": "holds the answer",
    "f1": "F1",
    "abstained_wrong": "refused wrongly",
    "abstained_right": "refused rightly",
    "seconds": "s a question",
}
DIFFERENCES = {
    "balanced": "nothing published: the program's default",
    "documents": "quotes instead of a language model's answer; another embedding model",
    "python-docs": "quotes instead of a tree summary; not Gemini's embeddings, which its cut-off"
    " of 0.7 belongs to (0.35 here)",
    "stack-overflow": "quotes instead of a code example; {reranker} instead of bge-reranker-base",
    "live-web": "the set's documents instead of web pages; quotes instead of 4,096 tokens;"
    " {reranker} instead of jina-reranker-v2",
}
"""What differs in these runs, beside the differences of docs/systems.md."""


def markdown(outcomes: Sequence[Outcome], *, reranker: str, embedding: str) -> str:
    """Return the table, a block of rows for each set, and the differences below it."""
    head = ["set", "system", *COLUMNS.values(), "s to index", "passages", "peak MB"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    last = ""
    for one in outcomes:
        shown = "" if one.name == last else f"{one.name} ({one.documents}; {one.questions})"
        cells = [shown, one.preset, *(cell(one, name) for name in COLUMNS)]
        cells += [f"{one.indexing:.0f}", f"{one.passages:,}", f"{one.peak:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
        last = one.name
    lines += ["", f"Embedding model: {embedding}. Reranker: {reranker}. Failed questions: "
              f"{sum(one.errors for one in outcomes)}."]  # fmt: skip
    presets = dict.fromkeys(one.preset for one in outcomes)
    lines += ["", "| system | differs from what was published |", "|---|---|"]
    lines += [f"| {name} | {DIFFERENCES[name].format(reranker=reranker)} |" for name in presets]
    return "\n".join(lines)


def cell(one: Outcome, column: str) -> str:
    """Return a mean with its 95 % bootstrap interval, "-" where nothing was measured."""
    name = SETS[one.name].holds if column == "holds" else column
    values = one.values.get(name, [])
    if not values:
        return "-"
    low, high = mean_interval(values)
    return f"{_short(sum(values) / len(values))} [{_short(low)}, {_short(high)}]"


def _short(value: float) -> str:
    """A number with two digits behind the point, and none before it where that is 0.

    >>> _short(0.8345), _short(1.0)
    ('.83', '1.00')
    """
    return f"{value:.2f}".removeprefix("0")
