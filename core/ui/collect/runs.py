"""The runs of collecting: live, their history, and what each of them gave."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from core.collecting.collector import RESUMABLE
from core.types import CollectRun, CollectState, RefreshEvery, Session
from core.ui.collect.formatting import (
    EVERY,
    STATES,
    began_words,
    limits,
    live_words,
    next_words,
    reasons,
    result_words,
    title,
)
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.time_zone import browser_zone

_LOOK_EVERY = 1.0  # seconds between two looks at work that is going on
_RUNS = 10
_ROWS = 12
_READ = 20_000
"""Characters of a stored page that are shown at once."""
_LIVE = (CollectState.WAITING, CollectState.RUNNING)
_OPEN = "collect-open"

Act = Callable[[Session, str], object]


def show_runs(context: PageContext) -> None:
    """The runs, newest first; looked at again and again only while there is work."""
    if opened := st.session_state.pop(_OPEN, None):
        st.session_state["collect-shown"] = opened
    runs = context.service.collecting.runs(context.session)
    if not runs:
        return
    st.subheader("Runs", anchor=False)
    busy = any(run.state in _LIVE for run in runs)
    st.fragment(_runs, run_every=_LOOK_EVERY if busy else None)(context, busy)
    if shown_id := st.session_state.get("collect-shown"):
        with show_errors():
            _dialog(context, context.service.collecting.run(context.session, shown_id))


def _runs(context: PageContext, busy: bool) -> None:
    runs = context.service.collecting.runs(context.session)
    if busy and not any(run.state in _LIVE for run in runs):
        st.rerun()  # nothing left to look at: the page goes on without looking
    slot = st.container()
    pages = -(-len(runs) // _RUNS)
    at = st.pagination(pages, key=f"runs-{pages}") if pages > 1 else 1
    newest = {run.source: run.id for run in reversed(runs)}
    with slot:
        for run in runs[(at - 1) * _RUNS : at * _RUNS]:
            _run(context, run, is_newest=newest[run.source] == run.id)
    if _OPEN in st.session_state:
        st.rerun()  # a dialog belongs to the whole page


def _run(context: PageContext, run: CollectRun, *, is_newest: bool) -> None:
    word, colour = STATES[run.state]
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(word, color=colour)
            st.markdown(f"**{escape_markdown(title(run.request))}**")
            st.caption(began_words(run, browser_zone()))
        if run.state in _LIVE:
            st.progress(run.progress.share or 0.0, escape_markdown(live_words(run.progress)))
        else:
            st.caption(escape_markdown(result_words(run)))
        if run.reason:
            st.caption(escape_markdown(f"{run.reason} {run.cure}".strip()))
        with st.container(horizontal=True, vertical_alignment="center"):
            _buttons(context, run)
            # A schedule is of what is collected: it is shown once, not at every run of it.
            if is_newest and not run.request.kind.reads_files:
                _schedule(context, run)


def _schedule(context: PageContext, run: CollectRun) -> None:
    """How often it is refreshed, for those who may change that a choice; and when it is next."""
    words = next_words(run, datetime.now(UTC), browser_zone())
    if run.state in (*_LIVE, *RESUMABLE) or not context.may("collecting.schedule"):
        if words:
            st.caption(f"Refreshed {EVERY[run.refresh_every]}, {words}")
        return
    choices = list(RefreshEvery)
    chosen = st.selectbox(
        "How often it is refreshed",
        choices,
        index=choices.index(run.refresh_every),
        format_func=lambda every: f"Refresh: {EVERY[every]}",
        key=f"every-{run.id}-{run.refresh_every}",  # what somebody else chose shows at once
        label_visibility="collapsed",
        width=210,
    )
    if words:
        st.caption(words)
    if chosen != run.refresh_every:
        with show_errors():
            context.service.collecting.schedule(context.session, run.id, chosen)
            st.rerun()


def _buttons(context: PageContext, run: CollectRun) -> None:
    collector = context.service.collecting
    choices: list[tuple[str, str, Act | None]] = [("Details", ":material/list_alt:", None)]
    if run.state in _LIVE:
        choices += [("Pause", ":material/pause_circle:", collector.pause)]
    if run.state in RESUMABLE:
        choices += [("Resume", ":material/play_circle:", collector.resume)]
    if run.state in (*_LIVE, *RESUMABLE):
        choices += [("Stop", ":material/stop_circle:", collector.stop)]
    else:
        choices += [
            ("Refresh", ":material/refresh:", collector.again),
            ("Remove from history", ":material/history_toggle_off:", collector.forget),
        ]
    if not context.may("collecting.start"):
        choices = choices[:1]
    for label, icon, act in choices:
        if st.button(label, icon=icon, key=f"{label}-{run.id}", type="tertiary"):
            if act is None:
                st.session_state[_OPEN] = run.id
            else:
                with show_errors():
                    act(context.session, run.id)
                    st.rerun()


# ---------------------------------------------------------------------------------- details


def _close() -> None:
    st.session_state.pop("collect-shown", None)


@st.dialog("What was collected", width=880, on_dismiss=_close)
def _dialog(context: PageContext, run: CollectRun) -> None:
    st.text(printable(title(run.request)))
    st.caption(escape_markdown(f"{limits(run.request)} · {result_words(run)}"))
    stored, left, parts = st.tabs(["Pages", "Skipped", "Sections"])
    outcome = context.service.collecting.outcome(context.session, run.id)
    with stored:
        _stored(context, run)
    with left:
        _left_out(outcome.left_out)
    with parts:
        if not outcome.sections:
            st.caption("Listed when the run has ended.")
        for section, number in outcome.sections:
            st.text(f"{number:6,}  {printable(section)}")
        if outcome.gone:
            st.caption("No longer there:")
            st.text(printable("\n".join(outcome.gone[:500])))


def _stored(context: PageContext, run: CollectRun) -> None:
    """The JSON, page by page, and as a file."""
    path = context.service.collecting.stored(context.session, run.id)
    if path is None:
        st.caption("Nothing is stored yet. Pages become documents while the run goes on.")
        return
    pages = context.service.collecting.browse(context.session, run.id)
    with st.container(horizontal=True, vertical_alignment="center"):
        words = st.text_input(
            "Filter", key="stored-words", placeholder="Filter by title or address",
            label_visibility="collapsed",
        ).casefold()  # fmt: skip
        st.download_button(
            "JSON", path.read_bytes, path.name, "application/json", icon=":material/download:",
            key="stored-json",
        )  # fmt: skip
    found = [page for page in pages if words in f"{page.title}\n{page.url}".casefold()]
    if not found:
        st.caption("No page matches this filter.")
        return
    chosen = st.selectbox(
        "Page",
        range(len(found)),
        format_func=lambda index: printable(f"{found[index].title} · {found[index].section}"),
        key=f"stored-page-{len(found)}",
        label_visibility="collapsed",
    )
    page = found[min(int(chosen), len(found) - 1)]
    st.text(printable(page.url))
    if page.about:
        st.text(printable(page.about))
    with st.container(height=380, border=True):
        st.text(printable(page.text[:_READ]))
        if len(page.text) > _READ:
            st.caption("The rest of this long page is not shown here.")


def _left_out(left_out: tuple[tuple[str, str], ...]) -> None:
    """Why, how often, and which."""
    if not left_out:
        st.caption("Nothing was skipped.")
        return
    counted = reasons(left_out)
    reason = st.selectbox(
        "Reason",
        range(len(counted)),
        format_func=lambda index: f"{counted[index][1]:,}  {printable(counted[index][0])}",
        key="left-out-reason",
    )
    which = [url for url, why in left_out if why == counted[int(reason)][0]]
    with st.container(height=380, border=True):
        st.text(printable("\n".join(which[:2_000])))
        if len(which) > 2_000:
            st.caption(f"And {len(which) - 2_000:,} more.")
