"""The operations of the program in a table: how long each takes, and how often it succeeds.

Upload, web address, embedding, retrieval and answer, and below them how good the answers are: each
quality by code, by a model as judge, and by people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.errors import AppError
from core.evaluation.measures.aggregate import mean
from core.evaluation.runs.exporting import csv_table, number
from core.evaluation.runs.marks import mark_summaries
from core.evaluation.runs.results import Mark, Measures, Result
from core.types import Document, DocumentState, Origin

TITLES = {
    "upload": "Upload",
    "address": "Web address",
    "embedding": "Embedding of a passage",
    "retrieval": "Retrieval",
    "answer": "Answer",
}
"""The operations by name, in the order of the table."""
_KINDS = {Origin.UPLOAD: "upload", Origin.WATCHED: "upload", Origin.WEB: "address"}
_MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class Try:
    """One operation that was done: its wall time, and why it failed ("" where it did not)."""

    operation: str
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """All tries of one operation. Times are those of the ones that succeeded, in seconds."""

    title: str
    tries: int
    succeeded: int
    mean: float | None
    worst: float | None
    reasons: tuple[str, ...] = ()

    @property
    def success(self) -> float | None:
        """The share of tries that succeeded, 0 to 1; None where nothing was tried."""
        return self.succeeded / self.tries if self.tries else None


@dataclass(frozen=True, slots=True)
class Quality:
    """One quality of the answers, 0 to 1 each; None where that way did not measure it."""

    title: str
    by_code: float | None
    by_judge: float | None
    by_people: float | None


@dataclass(frozen=True, slots=True)
class Operations:
    """What was tried, how good the answers are, and the most memory in MB that was held."""

    tries: list[Try]
    qualities: list[Quality]
    memory: float


QUALITIES = {
    "Correctness": ("contains", "correct", "correctness"),
    "Citation precision": ("citation_precision", "judged_citations", "citation precision"),
    "Relevant retrieval": ("document_hit", "judged_retrieval", "relevant retrieval"),
    "Free of hallucination": ("flag_tokens", "faithfulness", "free of hallucination"),
    "Source matching": ("cited_document", "judged_sources", "source matching"),
}
"""Each quality with its measures by code and by a judge, and the aspect that people mark."""


def rows(tries: Iterable[Try]) -> list[Row]:
    """Return a row for each operation, tried or not.

    >>> rows([Try("answer", 0.25), Try("answer", 0.75), Try("answer", 9.0, "Away.")])[-1]
    Row(title='Answer', tries=3, succeeded=2, mean=0.5, worst=0.75, reasons=('Away.',))
    """
    every = list(tries)
    return [_row(title, [one for one in every if one.operation == name])
            for name, title in TITLES.items()]  # fmt: skip


def _row(title: str, tries: Sequence[Try]) -> Row:
    times = [one.seconds for one in tries if not one.reason]
    reasons = dict.fromkeys(one.reason for one in tries if one.reason)
    return Row(
        title, len(tries), len(times), mean(times), max(times, default=None),
        tuple(reasons)[:_MOST_REASONS],
    )  # fmt: skip


def reading_tries(documents: Iterable[Document]) -> Iterator[Try]:
    """Yield how reading and indexing each document went that a person added; others wait still."""
    for document in documents:
        operation = _KINDS.get(document.origin)
        if operation and document.state is DocumentState.READY:
            yield Try(operation, document.seconds)
        elif operation and document.state is DocumentState.FAILED:
            yield Try(operation, document.seconds, document.reason or "It could not be read.")


def asking_tries(results: Iterable[Result]) -> Iterator[Try]:
    """Yield how searching and answering each question of a run went; a refusal is an answer."""
    for result in results:
        seconds = result.measures.get("seconds") or 0.0
        searched = result.measures.get("seconds_search")
        if searched is not None:
            yield Try("retrieval", searched)
        yield Try("answer", seconds, result.error)


def embedding_tries(
    embed: Callable[[Sequence[str]], object], texts: Sequence[str]
) -> Iterator[Try]:
    """Embed each text by itself, now, and yield how that went."""
    for text in texts:
        began, reason = time.perf_counter(), ""
        try:
            embed([text])
        except AppError as error:
            reason = error.message
        yield Try("embedding", time.perf_counter() - began, reason)


def qualities(summary: Measures, marks: Sequence[Mark]) -> list[Quality]:
    """Return how good the answers of a run are, by each of the three ways."""
    marked = {one.aspect: one.mean for one in mark_summaries(marks)}
    found = []
    for title, (code, judged, aspect) in QUALITIES.items():
        value = summary.get(code)
        if value is not None and code.startswith("flag"):
            value = 1 - value  # the share without the flag
        found.append(Quality(title, value, summary.get(judged), marked.get(aspect)))
    return found


def as_markdown(found: Sequence[Row], good: Sequence[Quality], facts: str) -> str:
    """Return both tables, and a line of facts (memory, sessions) between them."""
    lines = ["| operation | tried | succeeded | mean s | worst s |", "|---|---|---|---|---|"]
    lines += [
        f"| {one.title} | {one.tries} | {number(one.success)} | {number(one.mean)} "
        f"| {number(one.worst)} |"
        for one in found
    ]
    lines += [f"- {one.title}: {reason}" for one in found for reason in one.reasons]
    lines += ["", facts, "", "| quality | by code | by a judge | by people |", "|---|---|---|---|"]
    lines += [
        f"| {one.title} | {number(one.by_code)} | {number(one.by_judge)} "
        f"| {number(one.by_people)} |"
        for one in good
    ]
    return "\n".join(lines)


def as_csv(found: Sequence[Row], good: Sequence[Quality]) -> str:
    """Return both tables as one CSV: a row for each operation, then for each quality."""
    operations = [
        {"what": one.title, "tried": one.tries, "succeeded": one.success, "mean_seconds": one.mean,
         "worst_seconds": one.worst}
        for one in found
    ]  # fmt: skip
    answers = [
        {"what": one.title, "by_code": one.by_code, "by_judge": one.by_judge,
         "by_people": one.by_people}
        for one in good
    ]  # fmt: skip
    return csv_table([*operations, *answers], list(operations[0] | answers[0]))
