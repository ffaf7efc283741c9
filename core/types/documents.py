"""Documents, their pages and passages, and what came of adding them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from core.types.formats import DocumentKind

MOST_TITLE = 500
"""Characters of the title of a document. Title and headings stand before every passage, so they
are cut where they are made: in the child that reads a file, and again where its result arrives."""
MOST_HEADING = 600
"""Characters of a heading: the longest signatures of functions in documentations have 400."""
MOST_PATH = 2_000
"""Characters of all headings above a passage; the nearest ones stay."""
DEEPEST_LEVEL = 12
"""The level of headings below which all are siblings."""
MOST_HEADINGS = 50_000
"""Headings of one document: every one may begin a passage."""
_MOST_ANCHOR = 1_000
_MOST_ATTRIBUTION = 1_000
_MOST_NOTICES = 100
_MOST_NOTICE = 2_000
CLOCK_SLACK = timedelta(hours=1)
"""How far a clock is corrected now and then. What is further in the future was noted by a clock
that was wrong, and is not waited for."""


def shortened(text: str, most: int) -> str:
    """Return the text, cut with an ellipsis where it is longer than `most` characters.

    >>> shortened("A long title", 7)
    'A long…'
    """
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _set(frozen: object, name: str, value: object) -> None:
    object.__setattr__(frozen, name, value)


class DocumentState(StrEnum):
    """Where a document stands. Only `READY` documents are searched."""

    WAITING = "waiting"
    READING = "reading"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class Origin(StrEnum):
    """How a document came into its session."""

    UPLOAD = "upload"
    WATCHED = "watched"  # a file of the watched folder
    COLLECTION = "collection"  # of a documentation, a dump or a site
    WEB = "web"  # an address that was added, or a page read for an answer


class ChunkKind(StrEnum):
    """What a chunk or a block of a page holds."""

    TEXT = "text"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that begins at `offset` of its page's text; level 1 is the highest.

    `anchor` is the id under which the place can be linked (`os.html#os.system`), if any.
    """

    offset: int
    level: int
    title: str
    anchor: str | None = None

    def __post_init__(self) -> None:
        _set(self, "level", min(max(self.level, 1), DEEPEST_LEVEL))
        _set(self, "title", shortened(self.title, MOST_HEADING))
        if self.anchor is not None and len(self.anchor) > _MOST_ANCHOR:
            _set(self, "anchor", None)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch `[start, end)` of a page's text that is no running text (table or code)."""

    start: int
    end: int
    kind: ChunkKind


@dataclass(frozen=True, slots=True)
class Page:
    """The text of one page, slide or part of a document, with what is known of its layout.

    `ordinal` counts from 0 within the document. `number` is the page as people count it, from
    1, or None where the format has no pages. `boxes` holds one box for each character of
    `text`, as `core.parsing.boxes` packs an array of shape (len(text), 4): left, top, right,
    bottom in 1/65535 of the page's width and height from its top left corner; a box of
    zeros stands for a character that is not drawn (a line end); empty where there is no layout.
    `width` and `height` are in PDF points (1/72 inch), 0 where there is no layout.
    """

    ordinal: int
    text: str
    number: int | None = None
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    boxes: bytes = b""
    width: float = 0.0
    height: float = 0.0
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to report to the person: what was cut, left out, failed or is uncertain.

    `code` is a stable name for programs ("pages-without-text"), `text` a sentence for people,
    `cure` what to do about it (may be empty).
    """

    code: str
    text: str
    cure: str = ""
    level: Literal["info", "warning", "error"] = "warning"

    def __post_init__(self) -> None:
        _set(self, "text", shortened(self.text, _MOST_NOTICE))
        _set(self, "cure", shortened(self.cure, _MOST_NOTICE))


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """What a loader read from the bytes of one document."""

    kind: DocumentKind
    pages: tuple[Page, ...]
    title: str = ""
    language: str = ""  # ISO 639-1, "" when unknown
    notices: tuple[Notice, ...] = ()
    pages_without_text: int = 0
    attribution: str = ""  # who wrote it, when, under which licence: shown with its citations
    published: str = ""  # YYYY-MM-DD, of a web page that says so

    def __post_init__(self) -> None:
        _set(self, "title", shortened(self.title, MOST_TITLE))
        _set(self, "language", self.language[:8])
        _set(self, "attribution", shortened(self.attribution, _MOST_ATTRIBUTION))
        _set(self, "published", self.published[:32])
        _set(self, "notices", self.notices[:_MOST_NOTICES])
        if sum(len(page.headings) for page in self.pages) > MOST_HEADINGS:
            _set(self, "pages", _with_fewer_headings(self.pages))


def _with_fewer_headings(pages: tuple[Page, ...]) -> tuple[Page, ...]:
    """The pages with the first `MOST_HEADINGS` headings; the text of the others stays."""
    left, kept = MOST_HEADINGS, []
    for page in pages:
        headings = page.headings[:left]
        left -= len(headings)
        is_whole = len(headings) == len(page.headings)
        kept.append(page if is_whole else replace(page, headings=headings))
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Document:
    """One row of the Documents page: a document of a session, whatever its state.

    `id` is the SHA-256 (hex) of its bytes, or for a web page of canonical URL and text. `name`
    is what the person gave; `label` tells two documents of one name apart and is what
    citations show. `progress` runs from 0 to 1. `size` is in bytes, `seconds` is the time that
    reading and indexing took.
    """

    id: str
    session_id: str
    name: str
    label: str
    kind: DocumentKind | None
    state: DocumentState
    title: str = ""
    url: str = ""
    size: int = 0
    pages: int = 0
    pages_without_text: int = 0
    pages_ocr: int = 0
    chunks: int = 0
    language: str = ""
    progress: float = 0.0
    seconds: float = 0.0
    reason: str = ""
    cure: str = ""
    notices: tuple[Notice, ...] = ()
    searched: bool = True
    added_at: datetime | None = None
    ready_at: datetime | None = None
    attribution: str = ""  # as its loader found it
    source: str = ""  # of the collecting that it came from, "" when it was added by hand
    published: str = ""  # YYYY-MM-DD, of a web page that says so
    expires_at: datetime | None = None  # of a page read for an answer; None: it is in the library
    deaths: int = 0  # how often the process ended while it was in work
    tags: tuple[str, ...] = ()  # that people gave it, and the folders that it was uploaded in
    watched: bool = False  # whether it is a file of the watched folder

    def __post_init__(self) -> None:
        # Rows that an earlier version wrote hold titles of any length.
        _set(self, "title", shortened(self.title, MOST_TITLE))

    @property
    def origin(self) -> Origin:
        """How it came into its session."""
        if self.source:
            return Origin.COLLECTION
        if self.watched:
            return Origin.WATCHED
        return Origin.WEB if self.url else Origin.UPLOAD

    @property
    def read_at(self) -> datetime | None:
        """The moment at which a page of the web was read; None for other documents."""
        return self.added_at if self.url else None

    def is_over(self, now: datetime) -> bool:
        """Return whether this page was read for an answer and is searched no more.

        It expired, or a clock that was wrong let it be read in the future.
        """
        if self.expires_at is None:
            return False
        late = self.added_at is not None and self.added_at > now + CLOCK_SLACK
        return late or self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: `text == page.text[start:end]` of the page at `page_ordinal`.

    `id` is the document's id, a colon and the ordinal. `headings` is the path of headings that
    it stands under, highest first; `anchor` the nearest linkable place at or before it.
    """

    id: str
    document_id: str
    ordinal: int
    page_ordinal: int
    page_number: int | None
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    anchor: str | None = None
    kind: ChunkKind = ChunkKind.TEXT

    def __post_init__(self) -> None:
        if sum(map(len, self.headings)) > MOST_PATH:
            _set(self, "headings", _nearest(self.headings))


def _nearest(headings: tuple[str, ...]) -> tuple[str, ...]:
    """The lowest headings of a path that have no more than `MOST_PATH` characters together."""
    kept: list[str] = []
    room = MOST_PATH
    for heading in (shortened(h, MOST_HEADING) for h in reversed(headings)):
        if len(heading) > room:
            break
        kept.insert(0, heading)
        room -= len(heading)
    return tuple(kept)


class AddOutcome(StrEnum):
    """What became of one file or URL that a person added."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"  # the same bytes are already there
    CONFLICT = "conflict"  # the same name with other bytes: replace or keep both?
    REPLACED = "replaced"
    COLLECTED = "collected"  # a file of many pages: a run of collecting takes them in
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AddResult:
    """One result for each file or URL; `document` is the row that it became or collided with.

    `run_id` is the run of collecting that takes it in, of what is `COLLECTED`.
    """

    name: str
    outcome: AddOutcome
    document: Document | None = None
    reason: str = ""
    cure: str = ""
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class JobItem:
    """One file or URL of an ingest call, and what became of it; `document_id` "" if nothing did."""

    name: str
    outcome: AddOutcome
    document_id: str = ""
    reason: str = ""
    cure: str = ""
    run_id: str = ""  # as of `AddResult`


@dataclass(frozen=True, slots=True)
class Job:
    """One ingest call: the documents that came in together, so that they can be followed."""

    id: str
    session_id: str
    created_at: datetime
    items: tuple[JobItem, ...]
