"""Golden sets in the page: uploaded, generated, from the chat, and edited in a table."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.errors import InvalidRequest
from core.evaluation.golden.formats import COLUMNS, as_csv, flat_row, item_of_row
from core.evaluation.golden.sets import GoldenItem, as_jsonl
from core.evaluation.golden.thumbs import SET_NAME
from core.evaluation.runs.results import GoldenSet
from core.ui.chat.language_model import current_choice
from core.ui.evaluation.formatting import numbered, set_label, when
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.formatting import count
from core.ui.shell.time_zone import browser_zone

_ROWS = 100
"""Rows of a set that are edited at once."""
_LOOK_EVERY = 1.0
_NAMED = 8
_FORMS = ["csv", "tsv", "jsonl", "json", "ndjson", "zip"]


def show_sets(context: PageContext) -> None:
    """Ways to come to a set, then the one that is chosen."""
    may = context.may("evaluations.save_set")
    if may:
        left, right = st.columns(2, gap="large")
        with left:
            _upload(context)
        with right:
            _generate(context)
        _from_chat(context)
    sets = context.service.evaluations.sets(context.session)
    if not sets:
        how = "Upload one, or generate one from your documents." if may else "Editors can add one."
        st.caption(f"No question set yet. {how}")
        return
    chosen = choose_set(sets, "set-shown")
    _details(context, chosen)


def choose_set(sets: Sequence[GoldenSet], key: str) -> GoldenSet:
    """A selection of one set; the newest first."""
    known = {one.id: one for one in sets}
    labels = numbered({one.id: set_label(one) for one in sets})
    if st.session_state.get(key) not in known:
        st.session_state[key] = sets[0].id
    chosen = st.selectbox(
        "Question set", list(known), format_func=lambda key: labels[key], key=key,
        persist_state="session",
    )  # fmt: skip
    return known[chosen]


def _upload(context: PageContext) -> None:
    turn = state.number("golden-upload")
    file = st.file_uploader(
        "Upload questions with known answers: CSV or JSON Lines",
        type=_FORMS,
        key=f"golden-file-{turn}",
        help="A column or field named question is required. Answer, document, page, passage, "
        "answerable and tags are optional. A zip file holds queries.jsonl and qrels, as BEIR's do.",
    )
    if file is not None:
        with show_errors():
            made = context.service.evaluations.upload(context.session, file.name, file.getvalue())
            st.session_state["set-shown"] = made.id
            state.advance("golden-upload")
            st.rerun()


def _generate(context: PageContext) -> None:
    making = context.service.evaluations.making(context.session)
    busy = making is not None and not making.progress().done
    model = current_choice(context.service, context.session)
    with st.form("golden-generate"):
        st.markdown("**Generate from your documents**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            wanted = st.number_input("Questions", 1, 500, 20, key="golden-wanted")
            name = st.text_input("Name", "Generated", max_chars=120, key="golden-name")
        audience = ""
        if model.provider:
            st.caption(
                f"{escape_markdown(model.model)} writes questions and rates each of them. Only "
                "good ones are kept. Some have no answer, some are follow-up questions."
            )
            audience = st.text_input("Audience", max_chars=200, key="golden-audience")
        else:
            st.caption(
                "Without a language model, fixed rules make the questions (fill in the blank, what "
                "a heading says). They are easier than questions of people."
            )
        pressed = st.form_submit_button("Generate", icon=":material/auto_awesome:", disabled=busy)
    if pressed:
        with show_errors():
            service = context.service.evaluations
            service.generate(context.session, name or "Generated", int(wanted), model, audience)
            st.session_state.pop("set-shown", None)
            st.rerun()
    if making is not None:
        st.fragment(_making, run_every=_LOOK_EVERY if busy else None)(context, busy)


def _making(context: PageContext, busy: bool) -> None:
    making = context.service.evaluations.making(context.session)
    if making is None:
        return
    now = making.progress()
    if busy and now.done:
        st.rerun()
    if not now.done:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(min(now.kept / now.wanted, 1.0), f"{now.kept} of {now.wanted} questions")
            st.button("Stop", key="golden-stop", on_click=making.stop, disabled=making.stopping)
    if now.problem:
        st.warning(escape_markdown(now.problem))
    if now.dropped:
        with st.expander(f"{count(len(now.dropped), 'question')} rejected"):
            for reason in reversed(now.dropped):
                st.text(printable(reason))


def _from_chat(context: PageContext) -> None:
    items = context.service.evaluations.thumbs.golden_items(context.session)
    if items:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{count(len(items), 'answer')} rated in the chat.")
            if st.button("Make a question set from them", icon=":material/thumb_up:"):
                _save(context, SET_NAME, items, None)


def _details(context: PageContext, chosen: GoldenSet) -> None:
    items = context.service.evaluations.items(context.session, chosen.id)
    st.caption(
        f"{count(len(items), 'question')} · changed {when(chosen.updated_at, browser_zone())} · "
        f"version {chosen.digest[:12]}"
    )
    unknown = context.service.evaluations.unknown_documents(context.session, items)
    if unknown:
        named = ", ".join(unknown[:_NAMED]) + (" …" if len(unknown) > _NAMED else "")
        st.warning(
            f"This set names {count(len(unknown), 'document')} that this session does not have, so "
            f"citations cannot be checked there: {escape_markdown(named)}",
            icon=":material/link_off:",
        )
    _table(context, chosen, items)
    with st.container(horizontal=True):
        for ending, make in (("csv", as_csv), ("jsonl", as_jsonl)):
            st.download_button(
                f"Download {ending.upper()}", functools.partial(make, items),
                f"{chosen.name.rsplit('.', 1)[0]}.{ending}", key=f"set-{ending}",
                on_click="ignore",
            )  # fmt: skip
        may = context.may("evaluations.delete_set")
        if may and st.button("Delete this set", icon=":material/delete:", key="set-delete"):
            context.service.evaluations.delete_set(context.session, chosen.id)
            st.rerun()


def _table(context: PageContext, chosen: GoldenSet, items: list[GoldenItem]) -> None:
    """A page of the set as a table; what is changed in it is kept by the button below."""
    may = context.may("evaluations.save_set")
    words = st.text_input("Filter", key="set-filter", placeholder="Words of a question, or a tag")
    sought = words.casefold().strip()
    places = [at for at, item in enumerate(items) if _fits(item, sought)]
    pages = max(1, -(-len(places) // _ROWS))
    at = st.pagination(pages, key=f"set-page-{chosen.id}-{pages}") if pages > 1 else 1
    these = places[(at - 1) * _ROWS : at * _ROWS]
    rows = [flat_row(items[place]) for place in these]
    edited = st.data_editor(
        rows or [dict.fromkeys(COLUMNS)],
        num_rows="dynamic" if may else "fixed",
        disabled=not may,
        key=f"set-table-{chosen.id}-{at}-{sought}-{chosen.digest[:8]}",
        column_order=COLUMNS[1:],
        column_config={
            "question": st.column_config.TextColumn("Question", width="large", required=True),
            "answers": st.column_config.TextColumn(
                "Expected answers, separated by |", width="medium"
            ),
            "answerable": st.column_config.CheckboxColumn("Answerable", default=True),
            "document": "Document",
            "page": st.column_config.NumberColumn("Page", min_value=1, step=1),
            "passage": st.column_config.TextColumn("Passage", width="medium"),
            "anchor": "Anchor",
            "tags": "Tags",
            "origin": st.column_config.TextColumn("Made by", disabled=True),
        },
    )
    with show_errors():
        changed = merged(items, these, edited)
        if may and changed != items and st.button("Save changes", type="primary", key="set-save"):
            _save(context, chosen.name, changed, chosen.id)


def _fits(item: GoldenItem, sought: str) -> bool:
    return not sought or sought in f"{item.question}\n{' '.join(item.tags)}".casefold()


def merged(
    items: Sequence[GoldenItem], places: Sequence[int], edited: Sequence[dict[str, Any]]
) -> list[GoldenItem]:
    """The set with the edited rows in the place of those that were shown.

    A row that says what it said stays the item that it was, with all that a table cannot show.
    Raises `InvalidRequest` for a page that is no number.
    """
    known = {items[place].id: items[place] for place in places}
    try:
        rows = [
            _edited(row, len(items) + at, known.get(str(row.get("id") or "")))
            for at, row in enumerate(edited, 1)
        ]
    except ValueError:
        raise InvalidRequest("A page is not a number.", "Write numbers from 1.") from None
    changed = [item for item in rows if item.question]  # an empty row is no question
    hidden = set(places)
    first = places[0] if places else len(items)
    before = [item for at, item in enumerate(items[:first]) if at not in hidden]
    after = [item for at, item in enumerate(items[first:], first) if at not in hidden]
    return [*before, *changed, *after]


def _edited(row: dict[str, Any], at: int, kept: GoldenItem | None) -> GoldenItem:
    found = item_of_row(row, at, kept)
    if kept is not None and found == item_of_row(flat_row(kept), at, kept):
        return kept
    return found


def _save(context: PageContext, name: str, items: Sequence[GoldenItem], set_id: str | None) -> None:
    with show_errors():
        made = context.service.evaluations.save_set(context.session, name, items, set_id)
        st.session_state["set-shown"] = made.id
        st.rerun()
