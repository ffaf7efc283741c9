"""What each kind of collecting reads: a documentation, a site, files. Each into its folder.

In the folder are what was read, how far it is, and the JSON that everything is taken from
(`stored_pages.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.collecting.stored_pages import stored
from core.config import Settings
from core.errors import Interrupted
from core.parsing.html.web_page import WebPage
from core.types import CollectKind, CollectOutcome, CollectProgress, CollectRequest
from scraper import documentation_file, python_docs, site, stack_overflow
from scraper.collection import sections_of
from scraper.crawl_plan import Limits, Observer, Progress
from scraper.pair_selection import Choice
from scraper.preview import (
    DumpPreview,
    FilePreview,
    SitePreview,
    preview_dump,
    preview_file,
    preview_site,
)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was read. `stopped` says why it ended, `whole` whether nothing is left to be read."""

    outcome: CollectOutcome
    stopped: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Callbacks:
    """The functions that a reading calls: on progress, on each page, and to ask for its end."""

    progress: Callable[[CollectProgress], None]
    page: Callable[[WebPage], None]
    cancelled: Callable[[], bool]


def gather(
    request: CollectRequest,
    folder: Path,
    files: Sequence[Path],
    settings: Settings,
    callbacks: Callbacks,
    *,
    refresh: bool,
) -> Gathered:
    """Read the source into `folder`, going on where an earlier run of it was ended.

    `files` are those of the request and, if it names one, the file of authors after them.
    Raises `FetchError`, `IngestionError` (`Interrupted` for a file that was cancelled) and
    `DataDirectoryInUse`.
    """
    if request.kind is CollectKind.STACK_EXCHANGE:
        return _dump(request, folder, files, callbacks)
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        read = documentation_file.write(files[0], stored(request, folder))
        if callbacks.cancelled():  # it is read again where the run goes on: that takes seconds
            raise Interrupted("The run was stopped.")
        return Gathered(CollectOutcome(sections_of(read.pages), read.left_out))
    limits = _limits(request, settings)
    observer = Observer(
        lambda found: callbacks.progress(_progress(found)), callbacks.page, callbacks.cancelled
    )
    if request.kind is CollectKind.PYTHON_DOCS:
        report = python_docs.collect(
            request.urls[0],
            folder,
            settings,
            observer,
            whats_new=request.whats_new,
            limits=limits,
            refresh=refresh,
        )
    else:
        report = site.collect(
            request.urls,
            folder,
            settings,
            observer,
            limits=limits,
            sitemaps=request.sitemaps,
            whole_host=request.whole_host,
            refresh=refresh,
        )
    outcome = CollectOutcome(report.sections, report.left_out, report.run.gone)
    return Gathered(outcome, report.run.stopped, whole=report.run.queued == 0)


def preview(
    request: CollectRequest, files: Sequence[Path], settings: Settings
) -> SitePreview | DumpPreview | FilePreview:
    """A look at the first page, or the first questions that fit."""
    if request.kind is CollectKind.STACK_EXCHANGE:
        return preview_dump(files[0], _choice(request), site=_site(request))
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        return preview_file(files[0])
    limits = _limits(request, settings)
    return preview_site(request.urls[0], settings, limits=limits, whole_host=request.whole_host)


def _limits(request: CollectRequest, settings: Settings) -> Limits:
    return Limits(
        pages=request.pages,
        depth=50 if request.kind is CollectKind.PYTHON_DOCS else request.depth,
        megabytes=request.megabytes,
        seconds=request.minutes * 60,
        delay=settings.collect_delay,
    )


def _progress(found: Progress) -> CollectProgress:
    to_come = found.visited + found.queued
    return CollectProgress(
        "Reading pages",
        found=found.pages,
        visited=found.visited,
        queued=found.queued,
        left_out=found.left_out,
        errors=found.failed,
        requests=found.requests,
        megabytes=found.megabytes,
        seconds=found.seconds,
        seconds_left=found.seconds_left,
        share=found.visited / to_come if to_come else None,
        now=found.url,
    )


# ------------------------------------------------------------------------------------ dumps


def _dump(
    request: CollectRequest, folder: Path, files: Sequence[Path], callbacks: Callbacks
) -> Gathered:
    dumps, users = files, None
    if request.users:
        dumps, users = files[:-1], files[-1]
    began: dict[str, float] = {}

    def progress(step: str, share: float) -> None:
        seconds = time.monotonic() - began.setdefault(step, time.monotonic())
        left = seconds * (1 - share) / share if share and seconds > 2 else None
        callbacks.progress(CollectProgress(_STEPS[step], share=share, seconds_left=left))

    report = stack_overflow.collect(
        dumps,
        stored(request, folder),
        _choice(request),
        site=_site(request),
        users=users,
        on_progress=progress,
        cancelled=callbacks.cancelled,
    )
    sections = (
        ("Questions in the dump", report.questions),
        ("Answers in the dump", report.answers),
        ("Questions that fit", report.matching),
        ("Taken with an answer", report.pairs),
        ("Code blocks in them", report.code_blocks),
    )
    return Gathered(CollectOutcome(sections))


_STEPS = {
    "choosing": "Choosing questions",
    "taking": "Taking what was chosen",
    "authors": "Learning the authors' names",
}


def _choice(request: CollectRequest) -> Choice:
    return Choice(
        request.tag,
        request.limit,
        request.min_score,
        "accepted" if request.accepted_only else "best",
    )


def _site(request: CollectRequest) -> str:
    """The site of a dump: as asked for, or as the names say that people gave to files."""
    named = [Path(name.rpartition(":")[2]) for name in request.files]
    return request.site.strip() or stack_overflow.guess_site(named)
