"""Two runs side by side: differences with intervals and a test, and what changed sides."""

from __future__ import annotations

import streamlit as st

from core.evaluation.measures.registry import title_of
from core.evaluation.runs.comparing import Comparison
from core.evaluation.runs.exporting import comparison_markdown
from core.evaluation.runs.results import Run
from core.ui.answer import views
from core.ui.answer.sheet import show_sheet
from core.ui.evaluation import charts
from core.ui.evaluation.formatting import run_about
from core.ui.evaluation.results import choose_run
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count, one_line
from core.ui.shell.time_zone import browser_zone

_DRAWN = 14
_UNITS = ("seconds", "tokens", "sentences", "calls", "dollars")


def show_comparison(context: PageContext) -> None:
    """The choice of two runs, then their comparison."""
    runs = [run for run in context.service.evaluations.runs(context.session) if run.done]
    if len(runs) < 2:
        st.caption("A comparison needs two runs with results.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        a = choose_run(runs, "compare-a", "A (before)", usual=1)
        st.caption(escape_markdown(run_about(a)))
    with right:
        b = choose_run(runs, "compare-b", "B (after)")
        st.caption(escape_markdown(run_about(b)))
    with show_errors(), st.spinner("Comparing"):
        found = _compared(context, a, b)
        _measures(found, a, b)
        _changed(context, found, a, b)


def _compared(context: PageContext, a: Run, b: Run) -> Comparison:
    """The comparison of this tab; it is made anew when a run or its progress is another one."""
    key = (context.session.id, a.id, a.done, b.id, b.done)
    kept = st.session_state.get("compared")
    if not kept or kept[0] != key:
        kept = (key, context.service.evaluations.compare(context.session, a.id, b.id))
        st.session_state["compared"] = kept
    found: Comparison = kept[1]
    return found


def _measures(found: Comparison, a: Run, b: Run) -> None:
    st.caption(
        f"{count(found.shared, 'question')} in both, {found.only_a:,} in A alone, "
        f"{found.only_b:,} in B alone. Interval: paired bootstrap, 95 %. p: paired randomisation "
        "test; below 0.05 chance is an unlikely explanation."
    )
    rows = [
        {
            "Measure": title_of(name, a.settings.k),
            "A": one.mean_a,
            "B": one.mean_b,
            "B - A": one.mean,
            "from": one.low,
            "to": one.high,
            "p": one.p,
            "B is": found.verdict(name),
            "Questions": one.count,
        }
        for name, one in found.differences.items()
    ]
    numbers = ("A", "B", "B - A", "from", "to", "p")
    drawn = [
        {
            "name": title_of(name), "mean": one.mean, "low": one.low, "high": one.high, "p": one.p,
            "verdict": found.verdict(name),
        }
        for name, one in found.differences.items()
        if not name.startswith(_UNITS)
    ][:_DRAWN]  # fmt: skip
    if (chart := charts.differences(drawn)) is not None:
        st.altair_chart(chart, width="stretch")
    st.dataframe(
        rows,
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in numbers},
    )
    st.download_button(
        "comparison.md", lambda: comparison_markdown(a, b, found), "comparison.md",
        icon=":material/download:", on_click="ignore", key="download-comparison",
    )  # fmt: skip


def _changed(context: PageContext, found: Comparison, a: Run, b: Run) -> None:
    won = sum(one.won for one in found.changed)
    st.markdown(f"**Changed: {won} better in B, {len(found.changed) - won} worse**")
    if not found.changed:
        return
    rows = [
        {
            "B": "better" if one.won else "worse",
            "By": title_of(one.measure),
            "Question": one_line(one.question),
        }
        for one in sorted(found.changed, key=lambda one: one.won)
    ]
    picked = st.dataframe(
        rows, hide_index=True, height=240, on_select="rerun", selection_mode="single-row",
        key=f"changed-{a.id}-{b.id}",
        column_config={"Question": st.column_config.TextColumn(width="large")},
    )  # fmt: skip
    selected = list(picked.selection.rows) if picked else []
    at = selected[0] if selected and selected[0] < len(rows) else 0
    chosen = sorted(found.changed, key=lambda one: one.won)[at]
    left, right = st.columns(2, gap="large")
    for column, run, result in ((left, a, chosen.a), (right, b, chosen.b)):
        with column:
            whole = context.service.evaluations.result(context.session, run.id, result.position)
            if whole is not None and whole.answer is not None:
                content = views.answer_view(whole.answer, whole.item.question, browser_zone())
                cited = {"cited": whole.answer.citations, "unused": whole.answer.unused}
                key = f"side-{column is left}-{run.id}-{result.position}"
                show_sheet(context, content, cited, key=key)
