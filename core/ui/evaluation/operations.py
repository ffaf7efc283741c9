"""The table of operations in the page: times, successes, and three ways to see quality."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.evaluation.operations import Operations, as_csv, rows
from core.evaluation.runs.results import Run
from core.ui.evaluation.results import choose_run
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

_HELD = "operations"


def _thousandths(*names: str) -> dict[str, Any]:
    return {name: st.column_config.NumberColumn(format="%.3f") for name in names}


def show_operations(context: PageContext) -> None:
    """The operations of this session, with the searches and answers of the run that is chosen."""
    runs = [run for run in context.service.evaluations.runs(context.session) if run.done]
    run = choose_run(runs, "operations-run", "Run") if runs else None
    with show_errors(), st.spinner("Measuring …"):
        _show(context, _measured(context, run), run)


def _measured(context: PageContext, run: Run | None) -> Operations:
    """What was measured for this tab; again when the run, its marks or the documents change."""
    service, session = context.service, context.session
    marks = service.evaluations.marks(session, run.id) if run else []
    states = [(one.id, one.state) for one in service.documents.list(session)]
    key = (session.id, run and (run.id, run.done), marks, states)
    kept = st.session_state.get(_HELD)
    if not kept or kept[0] != key:
        kept = (key, service.evaluations.operations(session, run.id if run else ""))
        st.session_state[_HELD] = kept
    found: Operations = kept[1]
    return found


def _show(context: PageContext, found: Operations, run: Run | None) -> None:
    table = rows(found.tries)
    st.dataframe(
        [
            {
                "Operation": one.title,
                "Tried": one.tries,
                "Succeeded": one.succeeded,
                "Mean seconds": one.mean,
                "Worst seconds": one.worst,
            }
            for one in table
        ],
        hide_index=True,
        height="content",
        placeholder="-",
        column_config=_thousandths("Mean seconds", "Worst seconds"),
    )
    st.caption(
        f"{count(len(context.sessions), 'session')}. The program held {found.memory:,.0f} MB of "
        "memory at most. Times are those of what succeeded."
    )
    for one in table:
        for reason in one.reasons:
            st.caption(escape_markdown(f"{one.title} failed: {reason}"))
    if run is None:
        st.caption("Start a run to measure searches and answers.")
        return
    st.markdown("**Quality of the answers, 0 to 1**")
    st.dataframe(
        [
            {
                "Quality": one.title,
                "By code": one.by_code,
                "By a judge": one.by_judge,
                "By people": one.by_people,
            }
            for one in found.qualities
        ],
        hide_index=True,
        height="content",
        placeholder="-",
        column_config=_thousandths("By code", "By a judge", "By people"),
    )
    st.caption("A judge is a language model that is chosen for a run. People rate under Results.")
    st.download_button(
        "operations.csv", lambda: as_csv(table, found.qualities), "operations.csv",
        key="download-operations", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
