"""Ready answers in the page: a CSV of answers that were made elsewhere, and their measures."""

from __future__ import annotations

import functools

import streamlit as st

from core.evaluation.ready_answers import COLUMNS, MEASURES, Scored, as_csv, averages
from core.evaluation.runs.exporting import number
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

_HELD = "ready-answers"


def show_ready_answers(context: PageContext) -> None:
    """The upload, and the measures of the last file; they are kept for this tab alone."""
    if not context.may("evaluations.score_answers"):
        st.caption("Editors can score answers here.")
        return
    _upload(context)
    held: tuple[str, str, list[Scored]] | None = st.session_state.get(_HELD)
    if held is not None and held[0] == context.session.id:
        _show(held[1], held[2])


def _upload(context: PageContext) -> None:
    file = st.file_uploader(
        "Upload ready answers: a CSV, one answer a row",
        type=["csv"],
        key=f"ready-answers-file-{state.number('ready-answers-upload')}",
        help=f"It has the columns {', '.join(COLUMNS)}. Nothing is asked or stored: each answer is "
        "compared with the expected answer and with the chunks in its row.",
    )
    if file is not None:
        with show_errors(), st.spinner("Comparing …"):
            found = context.service.evaluations.score_answers(
                context.session, file.name, file.getvalue()
            )
            st.session_state[_HELD] = (context.session.id, file.name, found)
            state.advance("ready-answers-upload")
            st.rerun()


def _show(name: str, found: list[Scored]) -> None:
    st.caption(f"{escape_markdown(name)} · {count(len(found), 'answer')}. Kept until you leave.")
    st.dataframe(
        [
            {"Measure": measure, "Mean": number(value), "Meaning": MEASURES[measure]}
            for measure, value in averages(found).items()
        ],
        hide_index=True,
        height="content",
    )
    st.markdown("**Answers, the least like the expected first**")
    worst = sorted(found, key=lambda one: _or(one.measures["f1"], 2.0))
    st.dataframe(
        [
            {
                "Question": one.row.question,
                "Answer": one.row.answer,
                "Expected": one.row.expected,
                **{name: one.measures[name] for name in MEASURES},
            }
            for one in worst
        ],
        hide_index=True,
    )
    st.download_button(
        "scored.csv", functools.partial(as_csv, found), "scored.csv",
        key="ready-answers-csv", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
