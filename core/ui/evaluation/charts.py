"""The plots of the Evaluation page. They get few, counted rows, however large a run is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Any

import numpy as np

from core.evaluation.measures.registry import title_of
from core.evaluation.measures.statistics import mean_interval
from core.evaluation.runs.results import Measures, Result, Run
from core.ui.evaluation.formatting import when

Chart = Any
_BINS = 20
_HEIGHT, _ROW, _AXIS = 300, 34, 64  # pixels: of a chart, of a bar, of what is around the bars
_TAGS = 12
_LINE = "#868d89"  # of intervals: seen on light and on dark, which black is not
_LABEL = 220  # pixels of a label


def distribution(results: Sequence[Result], name: str) -> Chart | None:
    """How many questions have which value; None where nobody has one."""
    import altair as alt

    values = _values(results, name)
    if not values:
        return None
    low, high = min(values), max(values)
    span = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high if high > low else low + 1)
    counts, edges = np.histogram(values, bins=_BINS, range=span)
    rows = [
        {"from": float(edges[at]), "to": float(edges[at + 1]), "questions": int(number)}
        for at, number in enumerate(counts)
    ]
    return (
        alt.Chart(alt.Data(values=rows), height=_HEIGHT)
        .mark_bar()
        .encode(
            x=alt.X("from:Q", title=title_of(name), bin="binned"),
            x2="to:Q",
            y=alt.Y("questions:Q", title="Questions"),
            tooltip=["from:Q", "to:Q", "questions:Q"],
        )
    )


def by_tag_bars(results: Sequence[Result], name: str) -> Chart | None:
    """The mean for each tag with its 95 % interval (bootstrap)."""
    import altair as alt

    groups: dict[str, list[Result]] = {"all": list(results)}
    for result in results:
        for tag in result.item.tags:
            groups.setdefault(tag, []).append(result)
    largest = sorted(groups, key=lambda tag: (tag != "all", -len(groups[tag])))[:_TAGS]
    rows = []
    for tag in largest:
        if values := _values(groups[tag], name):
            low, high = mean_interval(values)
            mean = sum(values) / len(values)
            rows.append({"tag": tag, "mean": mean, "low": low, "high": high, "n": len(values)})
    if not rows:
        return None
    base = alt.Chart(alt.Data(values=rows), height=_AXIS + _ROW * len(rows))
    sort = [row["tag"] for row in rows]
    y = alt.Y("tag:N", title=None, sort=sort, axis=alt.Axis(labelLimit=_LABEL))
    bars = base.mark_bar(opacity=0.75).encode(
        y=y, x=alt.X("mean:Q", title=title_of(name)), tooltip=["tag:N", "mean:Q", "n:Q"]
    )
    return bars + base.mark_rule(color=_LINE).encode(y=y, x="low:Q", x2="high:Q")


def over_runs(runs: Sequence[Run], name: str, zone: tzinfo) -> Chart | None:
    """One measure of every run of the same questions, in the order in which they were made."""
    import altair as alt

    rows = [
        {"run": f"{number}. {run.name}", "at": when(run.created_at, zone), "value": value}
        for number, run in enumerate(sorted(runs, key=lambda run: run.created_at), 1)
        if (value := run.summary.get(name)) is not None
    ]
    if len(rows) < 2:
        return None
    order = [row["run"] for row in rows]
    return (
        alt.Chart(alt.Data(values=rows), height=_HEIGHT)
        .mark_line(point=True)
        .encode(
            x=alt.X("run:N", title=None, sort=order, axis=alt.Axis(labelAngle=-30)),
            y=alt.Y("value:Q", title=title_of(name), scale=alt.Scale(zero=False)),
            tooltip=["run:N", "value:Q", alt.Tooltip("at:N", title="when")],
        )
    )


def latency(summary: Measures) -> Chart | None:
    """The mean seconds of each step of a question."""
    import altair as alt

    steps = {
        name: value
        for name, value in summary.items()
        if name.startswith("seconds_") and name != "seconds_search" and value
    }
    if not steps:
        return None
    rows = [{"step": title_of(name), "seconds": value} for name, value in steps.items()]
    return (
        alt.Chart(alt.Data(values=rows), height=_AXIS + _ROW * len(rows))
        .mark_bar()
        .encode(
            y=alt.Y("step:N", title=None, sort="-x", axis=alt.Axis(labelLimit=_LABEL)),
            x=alt.X("seconds:Q", title="Seconds, mean"),
            tooltip=["step:N", "seconds:Q"],
        )
    )


def grades(counts: Mapping[str, Mapping[str, int]]) -> Chart | None:
    """How many answers of each run a judge graded how, one bar a run; None without a judge."""
    import altair as alt

    rows = [
        {"run": run, "grade": grade, "answers": number, "order": order}
        for run, given in counts.items()
        for order, (grade, number) in enumerate(given.items())
    ]
    if not rows:
        return None
    names = list(dict.fromkeys(row["grade"] for row in rows))
    return (
        alt.Chart(alt.Data(values=rows), height=_AXIS + _ROW * len(counts))
        .mark_bar()
        .encode(
            y=alt.Y("run:N", title=None, sort=list(counts), axis=alt.Axis(labelLimit=_LABEL)),
            x=alt.X("answers:Q", title="Answers"),
            color=alt.Color("grade:N", title=None, sort=names),
            order="order:Q",
            tooltip=["run:N", "grade:N", "answers:Q"],
        )
    )


def differences(rows: Sequence[Mapping[str, Any]]) -> Chart | None:
    """The differences of two runs with their intervals; rows have name, mean, low, high."""
    import altair as alt

    if not rows:
        return None
    base = alt.Chart(alt.Data(values=list(rows)), height=_AXIS + _ROW * len(rows))
    y = alt.Y(
        "name:N", title=None, sort=[row["name"] for row in rows], axis=alt.Axis(labelLimit=_LABEL)
    )
    zero = (
        alt.Chart(alt.Data(values=[{"x": 0}]))
        .mark_rule(color=_LINE, strokeDash=[4, 4])
        .encode(x="x:Q")
    )
    points = base.mark_point(filled=True, size=60).encode(
        y=y, x=alt.X("mean:Q", title="B - A"), color=alt.Color("verdict:N", title=None),
        tooltip=["name:N", "mean:Q", "low:Q", "high:Q", "p:Q"],
    )  # fmt: skip
    return zero + base.mark_rule(color=_LINE).encode(y=y, x="low:Q", x2="high:Q") + points


def _values(results: Sequence[Result], name: str) -> list[float]:
    found = (result.measures.get(name) for result in results)
    return [value for value in found if value is not None]
