"""The results of one run: averages, tables by tag, plots, and each question, the worst first."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluation.measures.aggregate import by_tag, worst_first
from core.evaluation.measures.judged import grade_counts
from core.evaluation.measures.registry import MEASURES, title_of
from core.evaluation.measures.verdict import verdict
from core.evaluation.runs.exporting import (
    OUTPUT_FILE,
    SUMMARY_FILE,
    as_json,
    as_markdown,
    number,
    output_csv,
    summary_csv,
)
from core.evaluation.runs.results import Measures, Result, Run, RunState
from core.ui.evaluation import charts
from core.ui.evaluation.formatting import (
    cards,
    measure_rows,
    measured,
    numbered,
    question_rows,
    run_about,
    run_label,
)
from core.ui.evaluation.marks import show_marks_summary
from core.ui.evaluation.question import show_question
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.time_zone import browser_zone

_COLUMNS = 5
"""Measures beside each question in the table."""


def show_results(context: PageContext) -> None:
    """The run that is chosen."""
    runs = [run for run in context.service.evaluations.runs(context.session) if run.done]
    if not runs:
        st.caption("No run has results yet. Start one in the Run tab.")
        return
    run = choose_run(runs, "results-run", "Run")
    results = context.service.evaluations.results(context.session, run.id)
    tags = by_tag(results)
    st.markdown(f"**{escape_markdown(verdict(results))}**")
    st.caption(escape_markdown(run_about(run)))
    for note in run.notes:
        st.text(printable(note))
    if run.state is not RunState.DONE:
        st.caption(f"Not finished: {run.done:,} of {run.total:,} questions.")
    _cards(tags["all"], run)
    _downloads(context, run)
    tables, plots, questions, marks = st.tabs(
        ["Measures", "Plots", "Questions", "Ratings by people"],
        on_change="rerun",
        key="results-tab",
    )
    if tables.open:
        with tables:
            _measures(run, tags)
    if plots.open:
        with plots:
            _plots(context, run, results, tags["all"])
    if questions.open:
        with questions:
            _questions(context, run, results, tags["all"])
    if marks.open:
        with marks:
            show_marks_summary(context, run, results)


def choose_run(runs: Sequence[Run], key: str, label: str, usual: int = 0) -> Run:
    """A selection of one run; the newest first."""
    known = {run.id: run for run in runs}
    labels = numbered({run.id: run_label(run, browser_zone()) for run in runs})
    if st.session_state.get(key) not in known:
        st.session_state[key] = runs[min(usual, len(runs) - 1)].id
    chosen = st.selectbox(
        label, list(known), format_func=lambda key: labels[key], key=key,
        persist_state="session",
    )  # fmt: skip
    return known[chosen]


def _cards(summary: Measures, run: Run) -> None:
    with st.container(horizontal=True):
        for name in cards(summary):
            about = MEASURES[name].about
            title = title_of(name, run.settings.k)
            st.metric(title, number(summary[name]), help=about, border=True, width=148)


def _downloads(context: PageContext, run: Run) -> None:
    """Made when they are asked for: they hold every answer."""
    evaluations, zone = context.service.evaluations, browser_zone()
    files = {
        OUTPUT_FILE: lambda: output_csv(evaluations.whole_results(context.session, run.id)),
        SUMMARY_FILE: lambda: summary_csv(evaluations.results(context.session, run.id)),
        "run.json": lambda: as_json(run, evaluations.whole_results(context.session, run.id)),
        "report.md": lambda: as_markdown(run, evaluations.results(context.session, run.id), zone),
    }
    with st.container(horizontal=True):
        for name, make in files.items():
            st.download_button(
                name, make, name, key=f"download-{name}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip


def _measures(run: Run, tags: dict[str, Measures]) -> None:
    rows = measure_rows(tags, run.settings.k)
    st.dataframe(
        rows,
        hide_index=True,
        height="content",
        placeholder="-",
        column_config={
            key: st.column_config.NumberColumn(format="%.3f") for key in rows[0] if key != "Measure"
        },
    )
    with st.expander("What the measures mean"):
        for name in measured(tags["all"]):
            if name in MEASURES:
                one = MEASURES[name]
                st.markdown(f"**{escape_markdown(one.title)}**: {escape_markdown(one.about)}")


def _plots(context: PageContext, run: Run, results: Sequence[Result], summary: Measures) -> None:
    names = measured(summary)
    chosen = st.selectbox(
        "Measure", names, format_func=lambda name: title_of(name, run.settings.k),
        key="plot-measure", index=names.index(cards(summary)[0]) if cards(summary) else 0,
    )  # fmt: skip
    same = [
        other
        for other in context.service.evaluations.runs(context.session)
        if other.set_digest == run.set_digest and other.state is RunState.DONE
    ]
    left, right = st.columns(2, gap="large")
    drawn = (
        (left, "Distribution", charts.distribution(results, chosen)),
        (right, "By tag, with 95 % intervals", charts.by_tag_bars(results, chosen)),
        (left, "Over all runs of this set", charts.over_runs(same, chosen, browser_zone())),
        (right, "Time by step", charts.latency(summary)),
    )
    for column, title, chart in drawn:
        with column:
            st.markdown(f"**{title}**")
            if chart is None:
                st.caption("Nothing to draw: this needs two runs, or another measure.")
            else:
                st.altair_chart(chart, width="stretch")
    _grades(context, same)


def _grades(context: PageContext, runs: Sequence[Run]) -> None:
    """The judge's grades of every run of these questions, counted."""
    evaluations, zone = context.service.evaluations, browser_zone()
    labels = numbered({run.id: run_label(run, zone) for run in runs})
    counts = {
        labels[run.id]: found
        for run in runs
        if run.settings.judge_model
        and (found := grade_counts(evaluations.results(context.session, run.id)))
    }
    if (chart := charts.grades(counts)) is None:
        return
    st.markdown("**Grades by the judge**")
    rows = [
        {"Run": label, **{grade.capitalize(): number for grade, number in found.items()}}
        for label, found in counts.items()
    ]
    st.dataframe(rows, hide_index=True, height="content")
    st.altair_chart(chart, width="stretch")


def _questions(
    context: PageContext, run: Run, results: Sequence[Result], summary: Measures
) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox(
            "Worst first by", ["", *measured(summary)], key="question-measure",
            format_func=lambda name: title_of(name) if name else "The main measures",
        )  # fmt: skip
        tags = sorted({tag for result in results for tag in result.item.tags})
        tag = st.selectbox("Tag", ["", *tags], key="question-tag", format_func=_tag_words)
    chosen = [result for result in results if not tag or tag in result.item.tags]
    ordered = worst_first(chosen, measure)
    names = [name for name in cards(summary) if name != measure][: _COLUMNS - 1]
    rows = question_rows(ordered, [measure, *names] if measure else names)
    picked = st.dataframe(
        rows,
        hide_index=True,
        height=320,
        on_select="rerun",
        selection_mode="single-row",
        key=f"questions-{run.id}-{measure}-{tag}",
        column_config={"Question": st.column_config.TextColumn(width="large")},
    )
    selected = list(picked.selection.rows) if picked else []
    at = selected[0] if selected and selected[0] < len(ordered) else 0
    if ordered:
        show_question(context, run, ordered[at].position)


def _tag_words(tag: str) -> str:
    return printable(tag) if tag else "All"
