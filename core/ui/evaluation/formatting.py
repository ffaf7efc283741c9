"""Golden sets, runs and measures in words, and as rows of tables (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from core.evaluation.measures.registry import HEADLINES, MEASURES, title_of
from core.evaluation.runs.presets import WAYS
from core.evaluation.runs.results import GoldenSet, Measures, Result, Run, RunState
from core.types import Level
from core.ui.answer.search_view import EFFORTS
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import count, one_line

STATES = {
    RunState.WAITING: "Waiting",
    RunState.RUNNING: "Running",
    RunState.STOPPED: "Stopped",
    RunState.INTERRUPTED: "Interrupted",
    RunState.FAILED: "Failed",
    RunState.DONE: "Done",
}
_CARDS = 6


def when(moment: datetime, zone: tzinfo) -> str:
    """A moment, to the minute, as the person's clock shows it."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def numbered(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels of a list, newest first, with the number of each: a selection tells equal ones apart
    by nothing else.
    """
    return {key: f"{len(labels) - at}. {label}" for at, (key, label) in enumerate(labels.items())}


def set_label(one: GoldenSet) -> str:
    """A set in a list."""
    return f"{one_line(one.name)} · {count(one.questions, 'question')}"


def run_label(run: Run, zone: tzinfo) -> str:
    """A run in a list."""
    asked = f"{run.done:,} of {run.total:,}" if run.state is not RunState.DONE else f"{run.total:,}"
    return f"{one_line(run.name)} · {asked} · {when(run.created_at, zone)}"


def run_about(run: Run) -> str:
    """How a run was asked, on one line."""
    settings = run.settings
    answers = f"{settings.provider} {settings.model}" if settings.provider else "quoted answers"
    judge = f"judged by {settings.judge_model}" if settings.judge_model else ""
    parts = [
        WAYS.get(settings.way, settings.way), f"preset {settings.preset}",
        f"{EFFORTS[Level(settings.level)]} effort", answers, judge,
        run.made_with.get("Library", ""), run.made_with.get("Version", ""),
        run.made_with.get("Machine", ""), f"set {run.set_digest[:12]}",
    ]  # fmt: skip
    return " · ".join(one_line(part) for part in parts if part)


def cards(summary: Measures) -> list[str]:
    """The measures that are shown large: the first that are known."""
    return [name for name in HEADLINES if summary.get(name) is not None][:_CARDS]


def measured(summary: Measures) -> list[str]:
    """The known measures in the order of the registry, then the times of single steps."""
    known = [name for name in MEASURES if summary.get(name) is not None]
    steps = sorted(name for name in summary if name.startswith("seconds_") and name not in MEASURES)
    return known + steps


def measure_rows(tags: Mapping[str, Measures], k: int) -> list[dict[str, Any]]:
    """A row a measure, a column a tag with its number of questions."""
    heads = {tag: f"{printable(tag)} ({v.get('questions') or 0:.0f})" for tag, v in tags.items()}
    return [
        {"Measure": title_of(name, k), **{heads[tag]: v.get(name) for tag, v in tags.items()}}
        for name in measured(tags.get("all", {}))
    ]


def question_rows(results: Sequence[Result], names: Sequence[str]) -> list[dict[str, Any]]:
    """A row a question, with some of its measures."""
    return [
        {
            "#": result.position + 1,
            "Question": one_line(result.item.question),
            "Tags": ", ".join(printable(tag) for tag in result.item.tags),
            **{title_of(name): result.measures.get(name) for name in names},
            "Error": printable(result.error),
        }
        for result in results
    ]


def hit_rows(result: Result) -> list[dict[str, Any]]:
    """What was found for a question, best first, and whether it is a right place."""
    marks = {True: "right", False: "", None: "-"}
    return [
        {
            "Rank": rank,
            "Right": marks[hit.right],
            "Document": printable(hit.label),
            "Place": printable(hit.place),
            "Score": hit.score,
            "Text": one_line(hit.text),
        }
        for rank, hit in enumerate(result.hits, 1)
    ]
