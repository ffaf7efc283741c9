"""The time zone in which moments are shown."""

from __future__ import annotations

import contextlib
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def browser_zone() -> tzinfo:
    """The time zone of the browser; UTC where it names none that is known."""
    with contextlib.suppress(ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(st.context.timezone or "UTC")
    return UTC
