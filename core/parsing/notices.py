"""Notices of loaders about the text that they read."""

from __future__ import annotations

from core.types import Notice


def hidden_notice(count: int) -> Notice | None:
    """Return the notice for `count` characters that were left out as invisible."""
    if not count:
        return None
    return Notice(
        "hidden-text",
        f"{count:,} hidden characters (invisible text or control characters) were left out.",
        "Look at the text of the document if you do not expect hidden text in it.",
        "info" if count < 20 else "warning",
    )


def boilerplate_notice(count: int) -> Notice | None:
    """Return the notice for `count` characters around the main text of a page."""
    if not count:
        return None
    return Notice(
        "boilerplate",
        f"{count:,} characters around the main text (menus, teasers, comments) were left out.",
        "If something is missing, print the page to a PDF file and add that.",
        "info",
    )


def notices(*found: Notice | None) -> tuple[Notice, ...]:
    """Return the notices that are not None."""
    return tuple(notice for notice in found if notice is not None)
