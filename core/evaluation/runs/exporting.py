"""Export a run as CSV, JSON and Markdown (pure)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, tzinfo
from typing import Any

from core.citations.mark import plain_words
from core.evaluation.measures.aggregate import by_tag
from core.evaluation.measures.registry import HEADLINES, MEASURES, title_of
from core.evaluation.runs.comparing import Comparison
from core.evaluation.runs.presets import PUBLISHED, WAYS, ours
from core.evaluation.runs.results import Measures, Result, Run
from core.text.inert import inert
from core.text.markdown_quoting import collapse

OUTPUT_FILE = "evaluated_output.csv"
SUMMARY_FILE = "evaluated_summary.csv"
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def output_csv(results: Iterable[Result]) -> str:
    """Return a row for each question: what was asked, expected, answered, cited, all measures."""
    rows = [_flat(result) for result in results]
    names = dict.fromkeys(name for row in rows for name in row)
    return csv_table(rows, list(names))


def summary_csv(results: Sequence[Result]) -> str:
    """Return a row for each category, "all" first, with the number of questions and the means."""
    rows = [{"category": tag, **values} for tag, values in by_tag(results).items()]
    names = dict.fromkeys(name for row in rows for name in row)
    return csv_table(rows, list(names))


def as_json(run: Run, results: Iterable[Result]) -> str:
    """Return the whole run, with settings, model, machine and every answer."""
    whole = {"run": asdict(run), "results": [_data(result) for result in results]}
    return json.dumps(whole, ensure_ascii=False, indent=1, default=str)


def as_markdown(run: Run, results: Sequence[Result], zone: tzinfo = UTC) -> str:
    """Return a report: settings, the table by category, published figures beside ours."""
    tags = by_tag(results)
    names = [name for name in MEASURES if name in tags["all"]]
    lines = [f"# {_cell(run.name)}", "", *_about(run, zone), "", "## Measures", ""]
    lines += [_row(["measure", *tags]), _row(["---"] * (len(tags) + 1))]
    counts = [f"{values.get('questions') or 0:.0f}" for values in tags.values()]
    lines.append(_row(["questions", *counts]))
    for name in names:
        values = [number(tag.get(name)) for tag in tags.values()]
        lines.append(_row([title_of(name, run.settings.k), *values]))
    lines += ["", "## Beside published figures", "", *_published(run, tags["all"])]
    return "\n".join(lines) + "\n"


def comparison_markdown(a: Run, b: Run, found: Comparison) -> str:
    """Return two runs side by side."""
    lines = [f"# {_cell(b.name)} against {_cell(a.name)}", ""]
    lines.append(
        f"{found.shared} questions in both, {found.only_a} and {found.only_b} in one alone. "
        "The interval is the paired bootstrap's 95 %, p that of a paired randomisation test."
    )
    lines += ["", _row(["measure", "A", "B", "B - A", "95 %", "p", ""]), _row(["---"] * 7)]
    for name, one in found.differences.items():
        interval = f"{one.low:+.3f} to {one.high:+.3f}"
        lines.append(
            _row([title_of(name, a.settings.k), number(one.mean_a), number(one.mean_b),
                  f"{one.mean:+.3f}", interval, f"{one.p:.3f}", found.verdict(name)])
        )  # fmt: skip
    lines += ["", f"## Questions that changed sides ({len(found.changed)})", ""]
    for changed in found.changed:
        sign = "won" if changed.won else "lost"
        lines.append(f"- {sign} ({title_of(changed.measure)}): {_cell(changed.question)}")
    return "\n".join(lines) + "\n"


def headline(summary: Measures, k: int | None = None) -> str:
    """Return the main measures, one on each line, for a terminal."""
    shown = [name for name in HEADLINES if summary.get(name) is not None]
    rest = [name for name in MEASURES if summary.get(name) is not None and name not in shown]
    lines = [f"{title_of(name, k):28}{number(summary[name]):>10}" for name in (*shown, *rest)]
    return "\n".join([f"{'Questions':28}{summary.get('questions') or 0:>10.0f}", *lines])


def number(value: float | None) -> str:
    """Return a measure with three decimals, "-" if there is none."""
    return "-" if value is None else f"{value:.3f}"


def _about(run: Run, zone: tzinfo) -> list[str]:
    settings = run.settings
    answers = f"{settings.provider} {settings.model}" if settings.provider else "quoted"
    judge = f"{settings.judge_provider} {settings.judge_model}" if settings.judge_model else "none"
    facts = {
        "Question set": f"{run.set_name} ({run.done} of {run.total} asked, {run.set_digest[:12]})",
        "Asked": f"{WAYS.get(settings.way, settings.way)}, {settings.level}, "
        f"preset {settings.preset}",
        "Answers": answers,
        "Judge": judge,
        **run.made_with,
        "When": f"{run.created_at.astimezone(zone):%Y-%m-%d %H:%M %Z}",
    }
    return [f"- {name}: {_cell(value)}" for name, value in facts.items()] + [
        f"- {_cell(note)}" for note in run.notes
    ]


def _published(run: Run, summary: Measures) -> list[str]:
    lines = [_row(["figure", "published", "ours", "needs"]), _row(["---"] * 4)]
    for one in PUBLISHED:
        value = ours(one, summary, run.settings.way)
        needs = "" if value is not None else one.needs or "A run that measures it."
        lines.append(_row([one.about, f"{one.value:.3f}", number(value), needs]))
    return lines


def _flat(result: Result) -> dict[str, Any]:
    answer = result.answer
    refused = bool(answer and answer.abstention)
    row: dict[str, Any] = {
        "id": result.item.id,
        "question": result.item.question,
        "expected": " | ".join(result.item.answers),
        "answerable": result.item.answerable,
        "tags": " | ".join(result.item.tags),
        "answer": "" if answer is None or refused else plain_words(answer.text),
        "refused": refused,
        "cited": " | ".join(_cited(result)),
        "error": result.error,
        **result.measures,
    }
    if result.judgement is not None:
        row["grade"] = result.judgement.grade or "not graded"
        for name, reason in result.judgement.reasons.items():
            row[f"{name}_reason"] = reason
    return row


def _cited(result: Result) -> list[str]:
    citations = result.answer.citations if result.answer else ()
    return [
        f"{one.label}, page {one.page_number}" if one.page_number is not None else one.label
        for one in citations
    ]


def _data(result: Result) -> dict[str, Any]:
    row = asdict(result)
    if result.answer is not None:
        row["answer"]["unused"] = ()
    return row


def csv_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return rows as a CSV with these columns; no cell of it is a formula."""
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _harmless(value: Any) -> Any:
    """Prefix text that a spreadsheet would take for a formula with a quote mark."""
    if isinstance(value, str) and value.startswith(_DANGEROUS):
        return f"'{value}"
    return f"{value:.6g}" if isinstance(value, float) else value


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |"


def _cell(text: str) -> str:
    return inert(collapse(text).replace("|", "\\|").replace("<", "&lt;"))
