"""The Evaluation page: its tabs, of which only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from core.evaluation.measures.verdict import verdict
from core.ui.evaluation.compare import show_comparison
from core.ui.evaluation.formatting import run_label
from core.ui.evaluation.operations import show_operations
from core.ui.evaluation.ready_answers import show_ready_answers
from core.ui.evaluation.results import show_results
from core.ui.evaluation.runs import show_runs
from core.ui.evaluation.sets import show_sets
from core.ui.evaluation.talks import show_talks
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.time_zone import browser_zone

_RESULTS = "Results"
_TABS = {
    "Question sets": show_sets,
    "Run": show_runs,
    _RESULTS: show_results,
    "Compare": show_comparison,
    "Operations": show_operations,
    "Conversations": show_talks,
    "Ready answers": show_ready_answers,
}


def show_evaluation(context: PageContext) -> None:
    """What the last run says, then the tabs."""
    _last_verdict(context)
    for tab, show in zip(
        st.tabs(list(_TABS), on_change="rerun", key="evaluation-tab"), _TABS.values(), strict=True
    ):
        if tab.open:
            with tab:
                show(context)


def _last_verdict(context: PageContext) -> None:
    """The verdict on the newest run with results, kept until there is more of it."""
    service = context.service.evaluations
    run = next((one for one in service.runs(context.session) if one.done), None)
    if run is None or st.session_state.get("evaluation-tab") == _RESULTS:  # there it has its own
        return
    kept = st.session_state.get("last-verdict")
    if not kept or kept[0] != (run.id, run.done):
        said = verdict(service.results(context.session, run.id))
        kept = ((run.id, run.done), said)
        st.session_state["last-verdict"] = kept
    with st.container(border=True):
        st.markdown(f"**{escape_markdown(kept[1])}**")
        st.caption(escape_markdown(f"Last run: {run_label(run, browser_zone())}"))
