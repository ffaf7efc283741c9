"""The Status page: every part of the program, whether it works, and what mends it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import streamlit as st

from core.types import Health
from core.ui.shell.context import PageContext
from core.ui.shell.escaping import escape_markdown, escape_markdown_except_code, printable
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
    for health in found:
        _part(health)


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
    with st.expander("Versions and folders", icon=":material/info:"):
        st.table(versions(), border="horizontal", width="content")
        settings = context.service.settings
        st.caption("Documents, conversations and vectors are kept here:")
        st.code(f"{settings.data_dir}\n{settings.chroma_dir}", language=None)


def _part(health: Health) -> None:
    words, icon, colour = _STATES[health.state]
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(health.name)}**", width="content")
            st.badge(words, icon=icon, color=colour)
            if health.seconds >= 0.001:
                st.caption(format_seconds(health.seconds), width="content")
        st.text(printable(health.detail))
        if health.cure:
            st.caption(f":material/build: {escape_markdown_except_code(health.cure)}")
