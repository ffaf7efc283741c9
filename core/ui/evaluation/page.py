"""The Evaluation page: its tabs, of which only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from core.ui.evaluation import compare, results
from core.ui.evaluation import runs as evaluating_runs
from core.ui.evaluation import sets as evaluating_sets
from core.ui.shell.state import Desk

_TABS = {
    "Golden sets": evaluating_sets.show,
    "Run": evaluating_runs.show,
    "Results": results.show,
    "Compare": compare.show,
}


def show(desk: Desk) -> None:
    """The tabs."""
    for tab, draw in zip(
        st.tabs(list(_TABS), on_change="rerun", key="evaluation-tab"), _TABS.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw(desk)
