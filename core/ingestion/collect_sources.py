"""What each kind of collecting reads: a documentation, dumps, a site. Each to files and pages.

A source is a folder: what was read, how far it is, and the JSON that everything is taken from.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.config import Settings
from core.errors import InvalidRequest
from core.ids import digest
from core.types import CollectKind, CollectOutcome, CollectProgress, CollectRequest, LoadedDocument
from scraper import python_docs, site, stack_overflow
from scraper.collection import CollectReport, read_json, state_folder
from scraper.crawl_plan import Limits, Progress
from scraper.extract import WebPage, attribution, to_loaded
from scraper.pair_selection import Choice
from scraper.preview import DumpPreview, SitePreview, preview_dump, preview_site
from scraper.qa_pairs import attribution as attribution_of_pair
from scraper.url_safety import canonical_url

Item = tuple[str, str, LoadedDocument | Path]
"""Name, address and content of a page or a pair; of a PDF its file."""

UPLOAD = "upload:"
_MOST_ADDRESSES = 20
_MOST_LISTED = 500
_DEEPEST = 3
_ENDINGS = (".xml", ".xml.gz", ".7z", ".csv", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was read. `stopped` says why it ended, `whole` whether nothing is left to be read.

    `items` reads the JSON page by page.
    """

    outcome: CollectOutcome
    items: Callable[[], Iterator[Item]]
    stopped: str = ""
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """Whom a reading tells about itself, and who may end it."""

    progress: Callable[[CollectProgress], None]
    page: Callable[[WebPage], None]
    cancelled: Callable[[], bool]


def checked(request: CollectRequest, settings: Settings) -> CollectRequest:
    """The request with canonical addresses, within what the operator allows.

    Raises `InvalidUrl` and `InvalidRequest`.
    """
    most = settings.collect_pages
    if request.kind is CollectKind.STACK_EXCHANGE:
        if not request.files:
            raise InvalidRequest("No dump was chosen.", "Choose a file or upload one.")
        limit = min(request.limit or most, most)
        return replace(request, urls=(), limit=limit, tag=request.tag.strip())
    urls = tuple(dict.fromkeys(canonical_url(url) for url in request.urls if url.strip()))
    if not urls:
        raise InvalidRequest("No address was given.", "Give the address of its first page.")
    if len(urls) > _MOST_ADDRESSES:
        raise InvalidRequest(f"At most {_MOST_ADDRESSES} addresses can be collected at once.")
    return replace(
        request,
        urls=urls[:1] if request.kind is CollectKind.PYTHON_DOCS else urls,
        pages=min(max(request.pages, 1), most),
        depth=min(max(request.depth, 0), 100),
    )


def source_name(request: CollectRequest) -> str:
    """The name of what is collected: the same for a run with other limits."""
    parts = [*request.urls, str(request.whole_host), str(request.whats_new)]
    if request.kind is CollectKind.STACK_EXCHANGE:
        parts = [*request.files, request.tag.lower(), request.site]
    return f"{request.kind}-{digest(*parts)[:16]}"


def gather(
    request: CollectRequest,
    folder: Path,
    files: Sequence[Path],
    settings: Settings,
    told: Told,
    *,
    refresh: bool,
) -> Gathered:
    """Read the source into `folder`, going on where an earlier run of it was ended.

    `files` are the dumps of the request and, if it names one, the file of authors after them.
    Raises `FetchError`, `IngestionError` (`Interrupted` for a dump that was cancelled) and
    `DataDirectoryInUse`.
    """
    if request.kind is CollectKind.STACK_EXCHANGE:
        return _dump(request, folder, files, told)
    limits = _limits(request, settings)

    def progress(found: Progress) -> None:
        told.progress(_progress(found))

    if request.kind is CollectKind.PYTHON_DOCS:
        report = python_docs.collect(
            request.urls[0],
            folder,
            settings,
            whats_new=request.whats_new,
            limits=limits,
            refresh=refresh,
            on_progress=progress,
            on_page=told.page,
            cancelled=told.cancelled,
        )
    else:
        report = site.collect(
            request.urls,
            folder,
            settings,
            limits=limits,
            sitemaps=request.sitemaps,
            whole_host=request.whole_host,
            refresh=refresh,
            on_progress=progress,
            on_page=told.page,
            cancelled=told.cancelled,
        )
    path = stored(request, folder)
    return Gathered(
        _outcome(report),
        lambda: _items(request, folder, path) if path.is_file() else iter(()),
        report.run.stopped,
        whole=report.run.queued == 0,
    )


def item_of(request: CollectRequest, folder: Path, page: WebPage) -> Item:
    """A page as it goes into the session."""
    if page.file:
        docs = request.kind is CollectKind.PYTHON_DOCS
        crawl = state_folder(folder, "python_docs" if docs else "site", *request.urls)
        return page.title, page.url, crawl / "files" / page.file
    return page.title, page.url, to_loaded(page)


def _items(request: CollectRequest, folder: Path, path: Path) -> Iterator[Item]:
    for one in read_json(path):
        yield item_of(request, folder, one.page)


def stored(request: CollectRequest, folder: Path) -> Path:
    """The JSON that a collecting writes; it may not be there yet."""
    if request.kind is CollectKind.STACK_EXCHANGE:
        return folder / "pairs.json"
    if request.kind is CollectKind.PYTHON_DOCS:
        return folder / "python_docs.json"
    return site.result_file(folder, request.urls)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page or a pair as it is stored; `about` names authors, tags and licence."""

    title: str
    section: str
    url: str
    about: str
    text: str


@functools.lru_cache(maxsize=2)
def browse(kind: CollectKind, path: Path, version: int) -> tuple[StoredPage, ...]:
    """Everything in a JSON. `version` is its time of change: a new one is read anew."""
    if kind is CollectKind.STACK_EXCHANGE:
        return tuple(
            StoredPage(
                pair.title,
                ", ".join(pair.tags),
                pair.question.url,
                attribution_of_pair(pair),
                f"{pair.question.text}\n\n{'-' * 20}\n\n{pair.answer.text}",
            )
            for pair in stack_overflow.read_json(path)
        )
    return tuple(
        StoredPage(
            one.page.title, one.section, one.page.url, attribution(one.page), one.page.markdown
        )
        for one in read_json(path)
    )


def preview(
    request: CollectRequest, files: Sequence[Path], settings: Settings
) -> SitePreview | DumpPreview:
    """A look at the first page, or the first questions that fit."""
    if request.kind is CollectKind.STACK_EXCHANGE:
        return preview_dump(files[0], _choice(request), site=_site(request))
    limits = _limits(request, settings)
    return preview_site(request.urls[0], settings, limits=limits, whole_host=request.whole_host)


def dump_names(folder: str) -> list[str]:
    """The dumps in the operator's folder and three levels below, by their path in it.

    Links are not followed. "" is no folder.
    """
    if not folder or not (root := Path(folder)).is_dir():
        return []
    found: list[str] = []
    for place, folders, names in os.walk(root):
        inner = Path(place).relative_to(root)
        folders[:] = sorted(folders) if len(inner.parts) < _DEEPEST else []
        for name in sorted(names):
            path = Path(place) / name
            if name.lower().endswith(_ENDINGS) and path.is_file() and not path.is_symlink():
                found.append(str(inner / name))
        if len(found) >= _MOST_LISTED:
            break
    return found[:_MOST_LISTED]


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


def _outcome(report: CollectReport) -> CollectOutcome:
    return CollectOutcome(report.sections, report.left_out, report.run.gone)


# ------------------------------------------------------------------------------------ dumps


def _dump(request: CollectRequest, folder: Path, files: Sequence[Path], told: Told) -> Gathered:
    dumps, users = files, None
    if request.users:
        dumps, users = files[:-1], files[-1]
    out = folder / "pairs.json"

    began: dict[str, float] = {}

    def progress(step: str, share: float) -> None:
        seconds = time.monotonic() - began.setdefault(step, time.monotonic())
        left = seconds * (1 - share) / share if share and seconds > 2 else None
        told.progress(CollectProgress(_STEPS[step], share=share, seconds_left=left))

    report = stack_overflow.collect(
        dumps,
        out,
        _choice(request),
        site=_site(request),
        users=users,
        on_progress=progress,
        cancelled=told.cancelled,
    )
    sections = (
        ("Questions in the dump", report.questions),
        ("Answers in the dump", report.answers),
        ("Questions that fit", report.matching),
        ("Taken with an answer", report.pairs),
        ("Code blocks in them", report.code_blocks),
    )
    return Gathered(
        CollectOutcome(sections),
        lambda: stack_overflow.loaded_pairs(stack_overflow.read_json(out)),
    )


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
