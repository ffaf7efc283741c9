"""Failures as a person should see them: what happened, what to do, and nothing from inside."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import AppError
from core.telemetry import tracing
from core.ui.shell.escaping import escape_markdown

log = logging.getLogger(__name__)


@contextmanager
def show_errors() -> Iterator[None]:
    """Show an error of ours on the page instead of ending it."""
    try:
        yield
    except AppError as error:
        show_error(error)


def show_error(error: AppError) -> None:
    """An error of ours: its message and its cure."""
    st.error(
        f"{escape_markdown(error.message)}\n\n{escape_markdown(error.cure)}",
        icon=":material/error:",
    )


def on_script_error(error: BaseException) -> bool:
    """The last net under every page (`st.App(on_script_error=...)`): a number, no traceback.

    The log has the traceback under the same number. Gives True: Streamlit shows nothing itself.
    """
    if isinstance(error, AppError):
        show_error(error)
        return True
    number = tracing.begin()
    log.error("Page failed, number %s", number, exc_info=error)
    st.error(
        f"Something went wrong on this page. Nothing is lost. Reload it, and if it happens again, "
        f"look for {number} in the log.",
        icon=":material/error:",
    )
    return True
