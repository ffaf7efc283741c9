"""The Status page's part for upkeep: check, mend, rebuild, back up, tidy; with progress."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.types import UpkeepState, UpkeepTask
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown, printable

_LOOK_EVERY = 0.5  # seconds between two looks at work that is being done
_TASKS: tuple[tuple[UpkeepTask, str, str, str], ...] = (
    (
        "check",
        "Check everything",
        ":material/fact_check:",
        "Compares files, catalogue, indexes.",
    ),
    ("mend", "Repair", ":material/healing:", "Restores what is missing or damaged."),
    ("rebuild", "Rebuild indexes", ":material/construction:", "Builds all indexes again."),
    ("backup", "Back up", ":material/archive:", "Copies the catalogue and all originals."),
    (
        "vacuum",
        "Clean up",
        ":material/cleaning_services:",
        "Erases traces of deleted documents.",
    ),
)


def show_upkeep(context: PageContext) -> None:
    """Buttons for the work, how far it is, and what it found."""
    block = st.expander(
        "Maintenance",
        icon=":material/handyman:",
        expanded=_wanted(context),
        key="maintenance",
        on_change="rerun",
    )
    if not block.open:
        return
    with block:
        st.caption(
            "Questions are still answered during this work. To restore a backup, stop the program "
            "and run `python -m core.maintenance restore`."
        )
        running = context.service.upkeep.state().running
        # Looked at again and again only while something is being done.
        st.fragment(_work, run_every=_LOOK_EVERY if running else None)(context, running)


def _wanted(context: PageContext) -> bool:
    state = context.service.upkeep.state()
    return state.running or state.task not in (None, "start") or not state.clean


def _work(context: PageContext, watched: bool) -> None:
    state = context.service.upkeep.state()
    if state.running != watched:
        st.rerun()
    with st.container(horizontal=True):
        for task, label, icon, help_ in _TASKS:
            st.button(
                label,
                icon=icon,
                help=help_,
                disabled=state.running,
                key=f"upkeep-{task}",
                on_click=_begin,
                args=(context, task),
            )
    if state.running:
        share = min(1.0, state.done / state.total) if state.total else 0.0
        of = f": {state.done} of {state.total}" if state.total else ""
        st.progress(share, f"{escape_markdown(state.doing or 'Starting')}{of}")
    else:
        _result(state)


def _result(state: UpkeepState) -> None:
    if state.failure is not None:
        text = f"{escape_markdown(state.failure.text)}\n\n{escape_markdown(state.failure.cure)}"
        st.error(text, icon=":material/error:")
        return
    for line in state.lines:
        st.text(printable(line))


def _begin(context: PageContext, task: UpkeepTask) -> None:
    folder: Path | None = (
        context.service.settings.data_dir / "backups" if task == "backup" else None
    )
    context.service.upkeep.start(task, folder)
