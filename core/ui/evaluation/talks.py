"""Conversations in the page: a file of them asked in this session, with what satisfies in them."""

from __future__ import annotations

import functools

import streamlit as st

from core.evaluation.measures.talks import MEASURES, Reply, measures
from core.evaluation.runs.exporting import number
from core.evaluation.runs.talks import Talking, as_json, merit, reply_row
from core.types import QueryOptions
from core.ui.chat.language_model import current_choice
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

_LOOK_EVERY = 1.0
_NAMED = 8
_FORMS = ["jsonl", "ndjson", "json"]
_FIELDS = "conversation, turn, library, question, kind, answerable, follows and ideal"


def show_talks(context: PageContext) -> None:
    """The upload, and how the conversations of the last file were answered."""
    if not context.may("evaluations.start_talks"):
        st.caption("Editors can ask conversations here.")
        return
    talking = context.service.evaluations.talking(context.session)
    busy = talking is not None and not talking.progress().done
    _upload(context, busy)
    if talking is None:
        st.caption("No conversation was asked yet.")
        return
    st.fragment(_asking, run_every=_LOOK_EVERY if busy else None)(talking, busy)
    if not busy:
        _show(talking)


def _upload(context: PageContext, busy: bool) -> None:
    turn = state.number("talks-upload")
    file = st.file_uploader(
        "Upload conversations: JSON Lines, one question a line",
        type=_FORMS,
        key=f"talks-file-{turn}",
        disabled=busy,
        help=f"Each line has {_FIELDS}; ideal lists the quotes that satisfy, as objects with the "
        "field quote. answer_span, the words that answer, may be given. library names documents "
        "of this session.",
    )
    if file is not None:
        with show_errors():
            service, session = context.service, context.session
            options = QueryOptions(service.sessions.search_options(session))
            service.evaluations.start_talks(
                session, file.name, file.getvalue(), options, current_choice(service, session)
            )
            state.advance("talks-upload")
            st.rerun()


def _asking(talking: Talking, busy: bool) -> None:
    now = talking.progress()
    if busy and now.done:
        st.rerun()
    if not now.done:
        with st.container(horizontal=True, vertical_alignment="center"):
            asked = f"{len(now.replies):,} of {now.total:,} questions"
            st.progress(len(now.replies) / now.total, asked)
            st.button("Stop", key="talks-stop", on_click=talking.stop, disabled=talking.stopping)


def _show(talking: Talking) -> None:
    now = talking.progress()
    asked = len({reply.turn.conversation for reply in now.replies})
    st.caption(
        f"{escape_markdown(now.name)} · {count(asked, 'conversation')} · "
        f"{len(now.replies):,} of {now.total:,} questions. Kept until the program ends."
    )
    if now.problem:
        st.warning(escape_markdown(now.problem))
    if now.left_out:
        named = ", ".join(now.left_out[:_NAMED]) + (" …" if len(now.left_out) > _NAMED else "")
        st.warning(
            "Conversations about documents that this session does not have were left out: "
            f"{escape_markdown(named)}",
            icon=":material/link_off:",
        )
    if not now.replies:
        return
    values = measures(now.replies)
    st.dataframe(
        [
            {"Measure": name, "Value": number(value), "Meaning": MEASURES[name]}
            for name, value in values.items()
        ],
        hide_index=True,
        height="content",
    )
    st.markdown("**Questions, the worst first**")
    worst = sorted(now.replies, key=merit)
    st.dataframe([_row(reply) for reply in worst], hide_index=True)
    st.download_button(
        "talks.json", functools.partial(as_json, now.replies), "talks.json",
        key="talks-json", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _row(reply: Reply) -> dict[str, object]:
    turn, row = reply.turn, reply_row(reply)
    return {
        "Turn": f"{turn.conversation}.{turn.turn}",
        "Kind": turn.kind,
        "Question": turn.question,
        "Ideal": " / ".join(turn.ideal) or "(a refusal)",
        "Answer": reply.text,
        "Marked": reply.marked,
        "Refused": reply.refused,
        "f1": row["f1"],
    }
