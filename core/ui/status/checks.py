"""The Status page: every part of the program, whether it works, and what mends it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import streamlit as st

from core.types import Health
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown, escape_markdown_except_code
from core.ui.shell.formatting import format_seconds

_Colour = Literal["green", "gray", "orange", "red"]
_STATES: dict[str, tuple[str, str, _Colour]] = {
    "ok": ("Works", ":material/check_circle:", "green"),
    "off": ("Off", ":material/do_not_disturb_on:", "gray"),
    "warning": ("Warning", ":material/warning:", "orange"),
    "error": ("Error", ":material/error:", "red"),
}
_PARTS = ("streamlit", "chromadb", "tantivy", "onnxruntime", "pypdfium2")


def show_health(context: PageContext) -> None:
    """What the doctor finds; looked at once, and again when asked."""
    with st.spinner("Checking every part"):
        found = context.service.health()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(verdict(found))
        st.button("Check again", icon=":material/refresh:")
    # One element for all: a page of many is drawn slowly.
    st.container(border=True).markdown("\n\n".join(map(part_words, found)))


def verdict(found: Sequence[Health]) -> str:
    """The whole in one sentence.

    >>> verdict([Health("Disk", "ok", "")])
    'Everything that is set up works.'
    """
    errors = [health.name for health in found if health.state == "error"]
    warnings = [health.name for health in found if health.state == "warning"]
    if errors:
        return f"Not working: {', '.join(errors)}."
    if warnings:
        return f"Working, with warnings: {', '.join(warnings)}."
    return "Everything that is set up works."


def versions() -> dict[str, str]:
    """The versions that matter when somebody asks for help."""
    found = {"Python": platform.python_version()}
    for name in _PARTS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def show_versions(context: PageContext) -> None:
    """Versions, and where the data lie."""
    block = st.expander(
        "Versions and folders", icon=":material/info:", key="versions", on_change="rerun"
    )
    if block.open:
        with block:
            st.table(versions(), border="horizontal", width="content")
            settings = context.service.settings
            st.caption("Documents, conversations and vectors are kept here:")
            st.code(f"{settings.data_dir}\n{settings.chroma_dir}", language=None)


def part_words(health: Health) -> str:
    """A part in Markdown: its name and state, what was found, and the cure.

    >>> part_words(Health("Disk", "off", "1 GB")).splitlines()
    ['**Disk** :gray-badge[:material/do_not_disturb_on: Off]  ', '1 GB']
    """
    words, icon, colour = _STATES[health.state]
    took = f" :small[:gray[{format_seconds(health.seconds)}]]" if health.seconds >= 0.001 else ""
    said = [f"**{escape_markdown(health.name)}** :{colour}-badge[{icon} {words}]{took}"]
    said += [escape_markdown(line) for line in health.detail.splitlines() if line.strip()]
    if health.cure:
        cure = escape_markdown_except_code(health.cure)
        said.append(f":small[:gray[:material/build: {cure}]]")
    return "  \n".join(said)
