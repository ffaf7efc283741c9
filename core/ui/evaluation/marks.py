"""Human marks: given beside an answer, and summed up over a run."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluation.runs.exporting import number
from core.evaluation.runs.marks import judge_agreement, mark_summaries
from core.evaluation.runs.results import MARKED, SOURCED, Mark, Result, Run
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.formatting import count

_SCALE = [1, 2, 3, 4, 5]


def marks_form(context: PageContext, run: Run, result: Result) -> None:
    """The marks of one person for one answer."""
    if not context.may("evaluations.set_mark"):
        return
    marks = context.service.evaluations.marks(context.session, run.id)
    mine = [mark for mark in marks if mark.position == result.position]
    label = f"Your rating ({len(mine)} given)" if mine else "Your rating"
    with st.expander(label, icon=":material/grading:"):
        rater = st.text_input(
            "Your name", key="rater", max_chars=80, persist_state="session",
            help="Several people can rate the same answer.",
        )  # fmt: skip
        given = next((mark for mark in mine if mark.rater == rater.strip()), None)
        key = f"{run.id}-{result.position}-{rater}"
        with st.form(f"marks-{key}", border=False):
            values = {aspect: _scale(aspect, given, key) for aspect in MARKED}
            st.caption("Beside its sources")
            values |= {aspect: _scale(aspect, given, key) for aspect in SOURCED}
            comment = st.text_input(
                "Comment", given.comment if given else "", max_chars=500, key=f"comment-{key}"
            )
            pressed = st.form_submit_button("Save the rating")
        if pressed:
            chosen = {aspect: value for aspect, value in values.items() if value is not None}
            mark = Mark(result.position, rater.strip(), chosen, comment)
            with show_errors():
                context.service.evaluations.set_mark(context.session, run.id, mark)
                st.rerun()
        for mark in mine:
            said = ", ".join(f"{aspect} {value}" for aspect, value in mark.values.items())
            st.caption(escape_markdown(f"{mark.rater}: {said} {mark.comment}"))


def _scale(aspect: str, given: Mark | None, key: str) -> int | None:
    return st.segmented_control(
        aspect.capitalize(),
        _SCALE,
        default=given.values.get(aspect) if given else None,
        key=f"mark-{aspect}-{key}",
    )


def show_marks_summary(context: PageContext, run: Run, results: Sequence[Result]) -> None:
    """The means and the agreement of raters with each other and with the judge."""
    marks = context.service.evaluations.marks(context.session, run.id)
    if not marks:
        st.caption("No answer of this run has been rated yet. Open one under Questions.")
        return
    raters = sorted({mark.rater for mark in marks})
    st.caption(escape_markdown(f"{count(len(marks), 'rating')} by {', '.join(raters)}."))
    rows = [
        {
            "Aspect": one.aspect.capitalize(),
            "Mean (0 to 1)": one.mean,
            "Ratings": one.marks,
            "Agreement of raters (kappa)": one.agreement,
        }
        for one in mark_summaries(marks)
    ]
    st.dataframe(rows, hide_index=True, height="content")
    value, pairs = judge_agreement(marks, results)
    if pairs:
        st.text(
            f"Agreement of judge and raters (kappa): {number(value)} over {count(pairs, 'rating')}."
        )
    comments = [f"{mark.position + 1}. {mark.rater}: {mark.comment}" for mark in marks]
    for comment in (one for one, mark in zip(comments, marks, strict=True) if mark.comment):
        st.text(printable(comment))
