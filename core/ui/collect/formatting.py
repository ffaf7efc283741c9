"""Runs and previews of collecting in words (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, tzinfo
from typing import Literal
from urllib.parse import urlsplit

from core.types import (
    CollectKind,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
    RefreshEvery,
)
from core.ui.shell.formatting import count, format_seconds
from scraper.preview import DumpPreview, FilePreview, SitePreview

Colour = Literal["gray", "blue", "orange", "green", "red"]

STATES: dict[CollectState, tuple[str, Colour]] = {
    CollectState.WAITING: ("Waiting", "gray"),
    CollectState.RUNNING: ("Running", "blue"),
    CollectState.PAUSED: ("Paused", "orange"),
    CollectState.INTERRUPTED: ("Interrupted", "orange"),
    CollectState.DONE: ("Done", "green"),
    CollectState.STOPPED: ("Stopped", "gray"),
    CollectState.FAILED: ("Failed", "red"),
}
"""The word and the colour of each state."""


EVERY: dict[RefreshEvery, str] = {
    RefreshEvery.NEVER: "never",
    RefreshEvery.DAY: "every day",
    RefreshEvery.WEEK: "every week",
    RefreshEvery.MONTH: "every month",
}
"""How often something is refreshed."""


def title(request: CollectRequest) -> str:
    """What is collected, on one line.

    >>> title(CollectRequest(CollectKind.SITE, ("https://e.org/a/", "https://e.org/b/")))
    'e.org/a/ and 1 more'
    """
    if request.kind is CollectKind.STACK_EXCHANGE:
        names = [name.rpartition(":")[2] for name in request.files]
        tag = f", tag {request.tag}" if request.tag else ", all tags"
        return ", ".join(names) + tag
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        return request.files[0].rpartition(":")[2]
    first = urlsplit(request.urls[0])
    more = f" and {len(request.urls) - 1} more" if len(request.urls) > 1 else ""
    return f"{first.netloc}{first.path}{more}"


def limits(request: CollectRequest) -> str:
    """The limits that a run was given."""
    if request.kind is CollectKind.STACK_EXCHANGE:
        which = "accepted answers" if request.accepted_only else "accepted or best answers"
        return f"at most {count(request.limit, 'question')}, score {request.min_score}+, {which}"
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        return "the whole file"
    parts = [f"at most {count(request.pages, 'page')}"]
    if request.kind is CollectKind.SITE:
        parts.append(f"{request.depth} links deep")
    return ", ".join([*parts, f"{request.megabytes} MB", f"{request.minutes} min"])


def live_words(now: CollectProgress) -> str:
    """How far a run is: pages, bytes, queue, errors, time left."""
    parts = [now.step or "Starting"]
    if now.visited or now.found:
        parts.append(f"{now.found:,} kept of {now.visited:,} read")
        parts.append(f"{now.megabytes:,.1f} MB")
        parts.append(f"{now.queued:,} in the queue")
        parts.append(count(now.errors, "error"))
    elif now.share is not None:
        parts.append(f"{now.share:.0%}")
    if now.seconds_left is not None:
        parts.append(f"about {format_seconds(max(now.seconds_left, 1.0))} left")
    return " · ".join(parts)


def result_words(run: CollectRun) -> str:
    """What came of a run."""
    now, noun = run.progress, "page"
    if run.request.kind is CollectKind.STACK_EXCHANGE:
        noun = "question"
    parts = [f"{count(now.found, noun)}: {now.added:,} new"]
    if now.changed:
        parts.append(f"{now.changed:,} changed")
    if now.same:
        parts.append(f"{now.same:,} unchanged")
    if now.gone:
        parts.append(f"{now.gone:,} no longer there")
    if now.failed:
        parts.append(f"{now.failed:,} not added")
    tail = [f"{now.queued:,} in the queue"] if now.queued else []
    if now.left_out:
        tail.append(f"{now.left_out:,} skipped")
    if now.requests:
        tail.append(f"{count(now.requests, 'request')}, {now.megabytes:,.1f} MB")
    if now.seconds:
        tail.append(format_seconds(now.seconds))
    return " · ".join([", ".join(parts), *tail])


def began_words(run: CollectRun, zone: tzinfo) -> str:
    """When the run was begun, by the clock of the time zone, as the next refresh is."""
    return f"{run.created_at.astimezone(zone):%Y-%m-%d %H:%M}"


def next_words(run: CollectRun, now: datetime, zone: tzinfo) -> str:
    """When the next refresh comes, by the calendar of the time zone; "" where none does."""
    if run.next_refresh_at is None:
        return ""
    if run.next_refresh_at <= now:
        return "next as soon as other runs have ended"
    day = run.next_refresh_at.astimezone(zone)
    year = f" {day.year}" if day.year != now.astimezone(zone).year else ""
    return f"next on {day.day} {day:%B}{year}"


def reasons(left_out: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """Why addresses were left out, the most frequent reason first."""
    return Counter(reason for _, reason in left_out).most_common()


def look_words(look: SitePreview | DumpPreview | FilePreview) -> list[str]:
    """A preview in lines."""
    if isinstance(look, FilePreview):
        left_out = f"{count(look.left_out, 'section')} left out." if look.left_out else ""
        return [f"{count(look.pages, 'page')} with their addresses.", *filter(None, [left_out])]
    if isinstance(look, DumpPreview):
        if not look.titles:
            return [f"None of the first {count(look.rows, 'row')} matches."]
        return [f"The first matches, in {count(look.rows, 'row')}:", *look.titles]
    if look.closed:
        return [look.closed]
    found = [f"{look.title or look.url}"]
    if look.sections:
        found.append(
            f"A documentation with {count(len(look.sections), 'section')} on its start page."
        )
    listed = f", {look.listed:,} in its sitemaps" if look.listed else ""
    found.append(f"{count(look.links, 'link')} to follow from here{listed}.")
    found.append(
        f"One request every {format_seconds(look.delay)}."
        if look.delay
        else "No delay between requests."
    )
    return found


def sections_words(look: SitePreview | DumpPreview | FilePreview) -> list[str]:
    """The parts of a documentation, as its first page or its file names them."""
    if isinstance(look, FilePreview):
        return [f"{number:6,}  {section}" for section, number in look.sections]
    if isinstance(look, DumpPreview):
        return []
    return [section.title or section.url for section in look.sections]
