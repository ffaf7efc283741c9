"""The Evaluation page: its tabs, of which only the open one is drawn."""

from __future__ import annotations

import streamlit as st

from core.ui import evaluating_compare, evaluating_results, evaluating_runs, evaluating_sets
from core.ui.state import Desk

_TABS = {
    "Golden sets": evaluating_sets.show,
    "Run": evaluating_runs.show,
    "Results": evaluating_results.show,
    "Compare": evaluating_compare.show,
}


def show(desk: Desk) -> None:
    """The tabs."""
    for tab, draw in zip(
        st.tabs(list(_TABS), on_change="rerun", key="evaluation-tab"), _TABS.values(), strict=True
    ):
        if tab.open:
            with tab:
                draw(desk)
