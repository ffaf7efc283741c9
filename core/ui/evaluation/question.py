"""One question of a run: what was expected, the answer with its evidence, what the judge said."""

from __future__ import annotations

import streamlit as st

from core.evaluation.measures.registry import title_of
from core.evaluation.runs.results import Result, Run
from core.ui.answer import views
from core.ui.answer.sheet import show_sheet
from core.ui.evaluation.formatting import hit_rows
from core.ui.evaluation.marks import marks_form
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.time_zone import browser_zone


def show_question(context: PageContext, run: Run, position: int) -> None:
    """The question at a position of a run."""
    result = context.service.evaluations.result(context.session, run.id, position)
    if result is None:
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        _answer(context, run, result)
    with right:
        _expected(result)
        _judged(result)
        marks_form(context, run, result)
    if result.hits:
        with st.expander(f"Passages found ({len(result.hits)})"):
            st.dataframe(hit_rows(result), hide_index=True, height="content")
    with st.expander("All measures"):
        rows = [
            {"Measure": title_of(name, run.settings.k), "Value": value}
            for name, value in result.measures.items()
            if value is not None
        ]
        st.dataframe(rows, hide_index=True, height="content")


def _answer(context: PageContext, run: Run, result: Result) -> None:
    for earlier in result.item.follows:
        st.caption(f"Asked before: {escape_markdown(earlier)}")
    if result.answer is None:
        st.markdown(f"**{escape_markdown(result.item.question)}**")
        st.error(escape_markdown(result.error), icon=":material/error:")
        return
    content = views.answer_view(result.answer, result.item.question, browser_zone())
    found = {"cited": result.answer.citations, "unused": result.answer.unused}
    show_sheet(context, content, found, key=f"evaluated-{run.id}-{result.position}")


def _expected(result: Result) -> None:
    item = result.item
    st.markdown("**Expected**")
    if not item.answerable:
        st.text("A refusal: the documents do not contain the answer.")
    for answer in item.answers:
        st.text(printable(answer))
    for source in item.sources:
        page = f", page {source.page}" if source.page is not None else ""
        anchor = f", {source.anchor}" if source.anchor else ""
        st.caption(escape_markdown(f"In {source.document}{page}{anchor}"))
        if source.quote:
            with st.popover("Passage"):
                st.text(printable(source.quote))
    if result.answer is not None and result.right:
        right = sum(bool(one) for one in result.right)
        st.caption(f"{right} of {len(result.right)} citations lead to an expected source.")
    if item.origin:
        st.caption(escape_markdown(f"Made by {item.origin}"))
    for critique in item.critiques:
        st.caption(escape_markdown(f"{critique.name} {critique.score} of 5: {critique.reason}"))


def _judged(result: Result) -> None:
    judgement = result.judgement
    if judgement is None:
        return
    st.markdown(f"**Judge: {escape_markdown(judgement.grade or 'not graded')}**")
    for name in ("faithfulness", "relevance", "citations", "retrieval", "sources"):
        value = getattr(judgement, name)
        if value is not None:
            st.caption(f"{name.capitalize()} {value:.2f}")
    for name, reason in judgement.reasons.items():
        st.text(printable(f"{name}: {reason}"))
