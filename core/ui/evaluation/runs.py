"""Starting runs, and following those that are under way."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import streamlit as st

from core.evaluation.runs.presets import MATRIX, Column
from core.evaluation.runs.results import Run, RunSettings, RunState
from core.types import Level, ModelChoice
from core.ui.answer.search_view import EFFORTS
from core.ui.chat.language_model import current_choice
from core.ui.evaluation.formatting import STATES, run_about, run_label
from core.ui.evaluation.sets import choose_set
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.time_zone import browser_zone

_LOOK_EVERY = 1.0
_ROWS = 20
_ACTIVE = (RunState.WAITING, RunState.RUNNING)
_RESUMABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FAILED)


def show_runs(context: PageContext) -> None:
    """The form, then the runs of the session."""
    sets = context.service.evaluations.sets(context.session)
    if not context.may("evaluations.start_run"):
        st.caption("Editors of this session can start runs.")
    elif not sets:
        st.caption("A run needs a question set: generate or upload one in the first tab.")
    else:
        _form(context)
    busy = any(run.state in _ACTIVE for run in context.service.evaluations.runs(context.session))
    st.fragment(_runs, run_every=_LOOK_EVERY if busy else None)(context, busy)


def _form(context: PageContext) -> None:
    model = current_choice(context.service, context.session)
    if not model.model:
        model = ModelChoice()  # a provider alone, before one of its models is chosen
    with st.container(border=True):
        chosen = choose_set(context.service.evaluations.sets(context.session), "run-set")
        columns = st.pills(
            "Ways to ask (one run each)",
            [name for name, column in MATRIX.items() if _possible(context, column, model)],
            format_func=_words,
            selection_mode="multi",
            default=["Documents"],
            key="run-columns",
        )
        absent = [_words(n) for n, one in MATRIX.items() if not _possible(context, one, model)]
        if absent:
            st.caption(
                "Not available without a language model or the live web: "
                f"{escape_markdown(', '.join(absent))}."
            )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            limit = st.number_input(
                "Questions (0 = all)", 0, chosen.questions, 0, key="run-limit",
                help="A smaller number takes questions at even distances, the same ones each time.",
            )  # fmt: skip
            k = st.number_input(
                "Passages that count", 1, 20, 5, key="run-k",
                help="The measures of the search look at this many of the best passages (their k).",
            )  # fmt: skip
        bertscore = st.toggle(
            "BERTScore", value=True, key="run-bertscore",
            help="How near in meaning an answer is to the expected one, word by word.",
        )  # fmt: skip
        judged = bool(model.provider) and st.toggle(
            f"Let {escape_markdown(model.model)} judge the answers", key="run-judge"
        )
        settings = _settings(context, model, judged, int(k), bertscore)
        if st.button("Start", type="primary", icon=":material/play_arrow:", disabled=not columns):
            _start(context, chosen.id, columns or [], settings, int(limit), model)


def _words(name: str) -> str:
    """A way to ask; an effort is called as in the menu of the chat."""
    level = MATRIX[name].level
    return name if level is Level.AS_TYPED else f"{EFFORTS[level]} effort"


def _possible(context: PageContext, column: Column, model: ModelChoice) -> bool:
    web = bool(getattr(context.service.settings, "searxng_url", ""))
    return (bool(model.provider) or not column.needs_model) and (web or not column.needs_web)


def _settings(
    context: PageContext, model: ModelChoice, judged: bool, k: int, bertscore: bool
) -> RunSettings:
    options: dict[str, Any] = asdict(context.service.sessions.search_options(context.session))
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
    context: PageContext,
    set_id: str,
    columns: list[str],
    settings: RunSettings,
    limit: int,
    model: ModelChoice,
) -> None:
    with show_errors():
        chosen = [column for name, column in MATRIX.items() if name in columns]
        context.service.evaluations.start_matrix(
            context.session, set_id, chosen, settings, limit=limit, keys=_keys(model)
        )
        st.rerun()


def _keys(model: ModelChoice) -> dict[str, Any]:
    return {model.provider: model.key} if model.key is not None else {}


def _runs(context: PageContext, busy: bool) -> None:
    runs = context.service.evaluations.runs(context.session)
    if busy and not any(run.state in _ACTIVE for run in runs):
        st.rerun()
    pages = -(-len(runs) // _ROWS)
    at = st.pagination(pages, key=f"runs-page-{pages}") if pages > 1 else 1
    for run in runs[(at - 1) * _ROWS : at * _ROWS]:
        _row(context, run)


def _row(context: PageContext, run: Run) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{STATES[run.state]} · {run_label(run, browser_zone())}")
            if not context.may("evaluations.start_run"):
                pass
            elif run.state in _ACTIVE:
                _button(context, "Stop", "stop_circle", run, _stop)
            elif run.state in _RESUMABLE:
                _button(context, "Resume", "play_circle", run, _resume)
            if context.may("evaluations.delete_run") and run.state not in _ACTIVE:
                _button(context, "Delete", "delete", run, _delete)
        st.caption(escape_markdown(run_about(run)))
        if run.state is not RunState.DONE:
            st.progress(run.done / run.total if run.total else 1.0)
        for note in (run.reason, *run.notes):
            if note:
                st.text(printable(note))


def _button(context: PageContext, label: str, icon: str, run: Run, act: Any) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"{label}-{run.id}",
        on_click=act,
        args=(context, run.id),
    )


def _stop(context: PageContext, run_id: str) -> None:
    with show_errors():
        context.service.evaluations.stop_run(context.session, run_id)


def _resume(context: PageContext, run_id: str) -> None:
    with show_errors():
        keys = _keys(current_choice(context.service, context.session))
        context.service.evaluations.resume_run(context.session, run_id, keys)


def _delete(context: PageContext, run_id: str) -> None:
    with show_errors():
        context.service.evaluations.delete_run(context.session, run_id)
