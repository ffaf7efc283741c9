"""The Evaluation page: its tabs, of which only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from core.ui.evaluation.compare import show_comparison
from core.ui.evaluation.ready_answers import show_ready_answers
from core.ui.evaluation.results import show_results
from core.ui.evaluation.runs import show_runs
from core.ui.evaluation.sets import show_sets
from core.ui.evaluation.talks import show_talks
from core.ui.shell.context import PageContext

_TABS = {
    "Golden sets": show_sets,
    "Run": show_runs,
    "Results": show_results,
    "Compare": show_comparison,
    "Conversations": show_talks,
    "Ready answers": show_ready_answers,
}


def show_evaluation(context: PageContext) -> None:
    """Draw the tabs."""
    for tab, show in zip(
        st.tabs(list(_TABS), on_change="rerun", key="evaluation-tab"), _TABS.values(), strict=True
    ):
        if tab.open:
            with tab:
                show(context)
