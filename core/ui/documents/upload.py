"""Adding documents: files, web addresses, and the question what to do with the same name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.typing import UploadedFile

from core.text.names import folder_tags
from core.types import AddOutcome, AddResult, DocumentKind, DocumentState
from core.ui.shell import state
from core.ui.shell.addresses import addresses_in
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.folding import is_wanted
from core.ui.shell.formatting import count

_NAMED = 20
"""Results that are shown one by one."""
_ICONS = {
    AddOutcome.DUPLICATE: ":gray[:material/content_copy:]",
    AddOutcome.FAILED: ":red[:material/error:]",
    AddOutcome.COLLECTED: ":green[:material/download:]",
}
"""The results that are more than a document that was added."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file whose name is there already with other content, until the person has decided."""

    name: str
    data: bytes
    tags: tuple[str, ...] = ()


def show_upload(context: PageContext) -> None:
    """The box for files, the box for addresses, and what became of the last ones.

    The box is emptied when the person closes the message about it, never by itself: what is
    dropped while earlier files are taken in would go with the old box.
    """
    folder = st.toggle("A folder", key="upload-what")
    files = st.file_uploader(
        f"Drop a folder here: {DocumentKind.files()}. Its folders become tags."
        if folder
        else f"Drop files here: {DocumentKind.files()}",
        accept_multiple_files="directory" if folder else True,
        key=f"{'folder' if folder else 'files'}-{state.number('files')}",
    )
    add_files(context, files)
    block = st.expander("Add web pages", icon=":material/link:", key="web-pages", on_change="rerun")
    if is_wanted(block, "web-pages"):
        with block:
            _address_form(context)
    show_added(context)


def _address_form(context: PageContext) -> None:
    with st.form(f"addresses-{state.number('addresses')}", border=False):
        text = st.text_area(
            "Addresses, one per line", placeholder="https://example.org/report", height=110
        )
        if st.form_submit_button("Add", type="primary") and text.strip():
            with show_errors():
                _keep_results(
                    context.service.documents.add_urls(context.session, addresses_in(text))
                )
            state.advance("addresses")
            st.rerun()


def show_added(context: PageContext) -> None:
    """What became of the last files and addresses, and the questions that they leave."""
    for place, conflict in enumerate(_conflicts()):
        _conflict_form(context, place, conflict)
    show_results(context)


def add_files(context: PageContext, files: Sequence[UploadedFile]) -> None:
    """Hand files in, each of them once; those whose name is taken wait for the person's choice.

    What is done is noted in place, without asking Streamlit: a click in the meantime ends this run
    at its next call to Streamlit, and the run that follows must go on where this one was.
    """
    handed: set[str] = st.session_state.setdefault("handed", set())
    fresh = [file for file in files if file.file_id not in handed]
    if not fresh:
        return
    if not st.session_state.get("taking"):
        st.session_state.pop("added", None)  # it is about the files before these
    st.session_state["taking"] = True
    results: list[AddResult] = st.session_state.setdefault("added", [])
    conflicts: list[Conflict] = st.session_state.setdefault("conflicts", [])
    with st.spinner(f"Adding {count(len(fresh), 'file')}", show_time=len(fresh) > 20):
        for file in fresh:
            file.seek(0)
            tags = folder_tags(file.name)
            result = context.service.documents.add_file(context.session, file.name, file, tags=tags)
            handed.add(file.file_id)
            if result.outcome is AddOutcome.CONFLICT:
                conflicts.append(Conflict(result.name, file.getvalue(), tags))
            else:
                results.append(result)
            state.free_upload(file)
        st.session_state["taking"] = False


def resolve_conflict(
    context: PageContext, conflict: Conflict, how: Literal["replace", "keep", ""]
) -> None:
    """Do with a conflict what the person chose; "" leaves the new file out."""
    st.session_state["conflicts"] = [other for other in _conflicts() if other is not conflict]
    if how:
        with show_errors():
            _keep_results(
                [
                    context.service.documents.add_file(
                        context.session, conflict.name, conflict.data, how, conflict.tags
                    )
                ]
            )


def _conflict_form(context: PageContext, place: int, conflict: Conflict) -> None:
    with st.container(border=True):
        st.text(f"“{conflict.name}” already exists with different content.")
        with st.container(horizontal=True):
            st.button(
                "Replace it",
                type="primary",
                key=f"replace-{place}",
                on_click=resolve_conflict,
                args=(context, conflict, "replace"),
            )
            st.button(
                "Keep both",
                key=f"keep-{place}",
                on_click=resolve_conflict,
                args=(context, conflict, "keep"),
            )
            st.button(
                "Skip the new file",
                type="tertiary",
                key=f"leave-{place}",
                on_click=resolve_conflict,
                args=(context, conflict, ""),
            )


def _conflicts() -> list[Conflict]:
    return list(st.session_state.get("conflicts", ()))


def _keep_results(results: Sequence[AddResult]) -> None:
    st.session_state["added"] = [*st.session_state.get("added", ()), *results]


def show_results(context: PageContext) -> None:
    """What became of what was added, until the person closes the message."""
    results: list[AddResult] = list(st.session_state.get("added", ()))
    if not results:
        return
    taken = [r for r in results if r.outcome in (AddOutcome.ACCEPTED, AddOutcome.REPLACED)]
    failed_ids = {
        document.id
        for document in context.service.documents.list(context.session)
        if document.state is DocumentState.FAILED
    }
    unreadable = sum(r.document is not None and r.document.id in failed_ids for r in taken)
    added = len(taken) - unreadable
    others = [r for r in results if r.outcome in _ICONS]
    with st.container(border=True), st.container(horizontal=True, vertical_alignment="top"):
        with st.container(gap="xsmall"):
            if added:
                st.markdown(f":green[:material/check_circle:] {count(added, 'document')} added.")
            if unreadable:
                st.markdown(
                    f":red[:material/error:] {count(unreadable, 'document')} failed: "
                    "Documents gives the reason for each."
                )
            for result in others[:_NAMED]:
                said = f"{escape_markdown(result.reason)} {escape_markdown(result.cure)}"
                icon = _ICONS[result.outcome]
                st.markdown(f"{icon} **{escape_markdown(result.name)}** {said}")
            if len(others) > _NAMED:
                st.caption(f"And {len(others) - _NAMED:,} more.")
        st.button(
            "",
            icon=":material/close:",
            type="tertiary",
            help="Close this message",
            on_click=_close,
        )


def _close() -> None:
    st.session_state.pop("added", None)
    state.advance("files")
