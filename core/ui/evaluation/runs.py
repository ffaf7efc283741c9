"""Starting runs, and following those that are under way."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import streamlit as st

from core.evaluation.runs.presets import MATRIX, Column
from core.evaluation.runs.results import Run, RunSettings, RunState
from core.llm.choice import ModelChoice
from core.types import Level
from core.ui.answer.markdown import plain, shown
from core.ui.chat.models import current_choice
from core.ui.evaluation.sets import choose
from core.ui.evaluation.words import STATES, run_about, run_label
from core.ui.shell import failures
from core.ui.shell.state import Desk

_LOOK_EVERY = 1.0
_ROWS = 20
_ACTIVE = (RunState.WAITING, RunState.RUNNING)
_RESUMABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FAILED)


def show(desk: Desk) -> None:
    """The form, then the runs of the session."""
    sets = desk.service.evaluations.sets(desk.session)
    if not desk.may("evaluations.start_run"):
        st.caption("Editors of the session start runs.")
    elif not sets:
        st.caption("A run needs a golden set: make or upload one in the first tab.")
    else:
        _form(desk)
    busy = any(run.state in _ACTIVE for run in desk.service.evaluations.runs(desk.session))
    st.fragment(_runs, run_every=_LOOK_EVERY if busy else None)(desk, busy)


def _form(desk: Desk) -> None:
    model = current_choice(desk.service, desk.session)
    with st.container(border=True):
        chosen = choose(desk.service.evaluations.sets(desk.session), "run-set")
        columns = st.pills(
            "Ways to ask, one run each",
            [name for name, column in MATRIX.items() if _possible(desk, column, model)],
            selection_mode="multi",
            default=["Documents"],
            key="run-columns",
        )
        absent = [n for n, column in MATRIX.items() if not _possible(desk, column, model)]
        if absent:
            st.caption(f"Need a language model or the live web: {plain(', '.join(absent))}.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            limit = st.number_input(
                "Questions (0: all)", 0, chosen.questions, 0, key="run-limit",
                help="Fewer are taken at even distances, the same each time.",
            )  # fmt: skip
            k = st.number_input("Cut-off k", 1, 20, 5, key="run-k")
        bertscore = st.toggle("BERTScore", value=True, key="run-bertscore")
        judged = bool(model.provider) and st.toggle(
            f"Let {plain(model.model)} judge the answers", key="run-judge"
        )
        settings = _settings(desk, model, judged, int(k), bertscore)
        if st.button("Start", type="primary", icon=":material/play_arrow:", disabled=not columns):
            _start(desk, chosen.id, columns or [], settings, int(limit), model)


def _possible(desk: Desk, column: Column, model: ModelChoice) -> bool:
    web = bool(getattr(desk.service.settings, "searxng_url", ""))
    return (bool(model.provider) or not column.needs_model) and (web or not column.needs_web)


def _settings(desk: Desk, model: ModelChoice, judged: bool, k: int, bertscore: bool) -> RunSettings:
    options: dict[str, Any] = asdict(desk.service.search_options(desk.session))
    return RunSettings(
        preset="session",
        level=str(Level.AS_TYPED),
        options=options,
        provider=model.provider,
        model=model.model,
        judge_provider=model.provider if judged else "",
        judge_model=model.model if judged else "",
        k=k,
        bertscore=bertscore,
    )


def _start(
    desk: Desk,
    set_id: str,
    columns: list[str],
    settings: RunSettings,
    limit: int,
    model: ModelChoice,
) -> None:
    with failures.told():
        chosen = [column for name, column in MATRIX.items() if name in columns]
        desk.service.evaluations.start_matrix(
            desk.session, set_id, chosen, settings, limit=limit, keys=_keys(model)
        )
        st.rerun()


def _keys(model: ModelChoice) -> dict[str, Any]:
    return {model.provider: model.key} if model.key is not None else {}


def _runs(desk: Desk, busy: bool) -> None:
    runs = desk.service.evaluations.runs(desk.session)
    if busy and not any(run.state in _ACTIVE for run in runs):
        st.rerun()
    pages = -(-len(runs) // _ROWS)
    at = st.pagination(pages, key=f"runs-page-{pages}") if pages > 1 else 1
    for run in runs[(at - 1) * _ROWS : at * _ROWS]:
        _row(desk, run)


def _row(desk: Desk, run: Run) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{STATES[run.state]} · {run_label(run)}")
            if not desk.may("evaluations.start_run"):
                pass
            elif run.state in _ACTIVE:
                _button(desk, "Stop", "stop_circle", run, _stop)
            elif run.state in _RESUMABLE:
                _button(desk, "Resume", "play_circle", run, _resume)
            if desk.may("evaluations.delete_run") and run.state not in _ACTIVE:
                _button(desk, "Delete", "delete", run, _delete)
        st.caption(plain(run_about(run)))
        if run.state is not RunState.DONE:
            st.progress(run.done / run.total if run.total else 1.0)
        for note in (run.reason, *run.notes):
            if note:
                st.text(shown(note))


def _button(desk: Desk, label: str, icon: str, run: Run, act: Any) -> None:
    st.button(
        label, icon=f":material/{icon}:", key=f"{label}-{run.id}", on_click=act, args=(desk, run.id)
    )


def _stop(desk: Desk, run_id: str) -> None:
    with failures.told():
        desk.service.evaluations.stop_run(desk.session, run_id)


def _resume(desk: Desk, run_id: str) -> None:
    with failures.told():
        keys = _keys(current_choice(desk.service, desk.session))
        desk.service.evaluations.resume_run(desk.session, run_id, keys)


def _delete(desk: Desk, run_id: str) -> None:
    with failures.told():
        desk.service.evaluations.delete_run(desk.session, run_id)
