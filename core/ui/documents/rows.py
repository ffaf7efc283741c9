"""The documents of a session as rows of a table (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from core.errors import DamagedFile, EmptyFile, PasswordProtected, UnsupportedType
from core.types import Document, DocumentState, Origin
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import count, format_seconds, format_size

BUSY = (DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING)
_WORDS = {
    DocumentState.WAITING: "Waiting",
    DocumentState.READING: "Reading",
    DocumentState.INDEXING: "Indexing",
    DocumentState.READY: "Ready",
    DocumentState.FAILED: "Failed",
    DocumentState.STOPPED: "Stopped",
}

_LASTING = frozenset(
    (
        *(error.cure for error in (EmptyFile, UnsupportedType, PasswordProtected, DamagedFile)),
        PasswordProtected.cure_of_pdf,
    )
)
"""What is said to do about failures that another try of the same file cannot change."""

FILTERS: dict[str, tuple[DocumentState, ...]] = {
    "All": tuple(DocumentState),
    "Ready": (DocumentState.READY,),
    "In progress": (*BUSY, DocumentState.STOPPED),
    "Failed": (DocumentState.FAILED,),
}


ORIGINS = {
    "Files": Origin.UPLOAD,
    "Watched folder": Origin.WATCHED,
    "Web pages": Origin.WEB,
    "Collected": Origin.COLLECTION,
}
"""Where documents came from, in the order of their groups."""

_ORIGIN_NAMES = {origin: name for name, origin in ORIGINS.items()}

ORDERS: dict[str, Callable[[Document], Any] | None] = {
    "In order of adding": None,
    "Newest first": lambda document: -document.added_at.timestamp() if document.added_at else 0,
    "By name": lambda document: _natural(document.label),
    "Largest first": lambda document: -document.size,
    "Most pages first": lambda document: -document.pages,
}


@dataclass(frozen=True, slots=True)
class View:
    """Which documents are shown, and in which order; "" is any."""

    states: str = "All"
    words: str = ""
    tag: str = ""
    origin: str = ""
    kind: str = ""
    order: str = ""
    grouped: bool = False

    def of(self, documents: Sequence[Document]) -> list[Document]:
        """The documents that this view shows."""
        states, sought = FILTERS.get(self.states, FILTERS["All"]), self.words.casefold().strip()
        origin = ORIGINS.get(self.origin)
        shown = [
            document
            for document in documents
            if document.state in states
            and (not self.tag or self.tag in document.tags)
            and (not self.kind or kind_of(document) == self.kind)
            and origin in (None, document.origin)
            and sought in f"{document.label}\n{document.title}\n{document.url}".casefold()
        ]
        order = ORDERS.get(self.order)
        if order:
            shown.sort(key=order)
        if self.grouped:
            places = list(ORIGINS.values())
            shown.sort(key=lambda document: places.index(document.origin))
        return shown

    def groups(self, documents: Sequence[Document]) -> dict[str, int]:
        """How many of the documents that are shown came from where; nothing if not grouped."""
        if not self.grouped:
            return {}
        counted = Counter(document.origin for document in documents)
        return {name: counted[origin] for name, origin in ORIGINS.items() if counted[origin]}


def origin_of(document: Document) -> str:
    """Where a document came from, as people call it."""
    return _ORIGIN_NAMES[document.origin]


def kind_of(document: Document) -> str:
    """The format of a document, as people call it; "" before it was read."""
    return document.kind.spec.label if document.kind else ""


def tags_of(documents: Sequence[Document]) -> list[str]:
    """All tags of the documents, by name."""
    return sorted({tag for document in documents for tag in document.tags}, key=_natural)


def _natural(text: str) -> list[str | int]:
    """Sorts numbers in names by their value: "page 9" before "page 10"."""
    parts = re.split(r"([0-9]+)", text.casefold())
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


def row_view(document: Document, changeable: bool = True) -> dict[str, Any]:
    """One row: everything that is known of a document, and what can be done with it."""
    state = document.state
    return {
        "id": document.id,
        "label": printable(document.label),
        "group": origin_of(document),
        "about": _about(document),
        "added": document.added_at.isoformat() if document.added_at else "",
        "state": state.value,
        "words": _words(document),
        "busy": state in (DocumentState.READING, DocumentState.INDEXING),
        "progress": min(max(document.progress, 0.0), 1.0),
        "figures": _figures(document),
        "reason": printable(document.reason),
        "cure": printable(document.cure),
        "notices": [printable(f"{notice.text} {notice.cure}") for notice in document.notices],
        "tags": [printable(tag) for tag in document.tags],
        "searched": document.searched,
        "retry": changeable and (state is DocumentState.STOPPED or worth_retrying(document)),
        "locked": changeable and is_locked(document),
        "changeable": changeable,
        "readable": state is DocumentState.READY,
    }


def is_locked(document: Document) -> bool:
    """Whether a document is a PDF that waits for its password."""
    failed = document.state is DocumentState.FAILED
    return failed and document.cure == PasswordProtected.cure_of_pdf


def worth_retrying(document: Document) -> bool:
    """Whether a failed document may be read at the next try.

    A file that is damaged, empty or locked stays so; a page of the web may have changed.
    """
    return document.state is DocumentState.FAILED and (
        bool(document.url) or document.cure not in _LASTING
    )


def summary(documents: Sequence[Document]) -> str:
    """How many documents stand where.

    >>> summary([])
    'No documents yet.'
    """
    if not documents:
        return "No documents yet."
    states = Counter(document.state for document in documents)
    parts = [
        f"{states[state]:,} {_WORDS[state].lower()}" for state in DocumentState if states[state]
    ]
    out = sum(not document.searched for document in documents)
    if out:
        parts.append(f"{out:,} not searched")
    return f"{count(len(documents), 'document')}: {', '.join(parts)}"


def overall_progress(documents: Sequence[Document]) -> float:
    """How far the work on all documents is, 0 to 1."""
    done = sum(d.progress if d.state in BUSY else 1.0 for d in documents)
    return min(done / len(documents), 1.0) if documents else 1.0


def _words(document: Document) -> str:
    if document.state in (DocumentState.READING, DocumentState.INDEXING):
        return f"{_WORDS[document.state]} {document.progress:.0%}"
    return _WORDS[document.state]


def _about(document: Document) -> str:
    said = (document.label, PurePath(document.label).stem)
    parts = [part for part in (document.title, document.url) if part not in said]
    return printable(" · ".join(part for part in parts if part))


def _figures(document: Document) -> list[list[str]]:
    figures: list[list[str]] = []
    if document.state is DocumentState.READY:
        pages = f"{document.pages:,}"
        figures.append([pages, "page" if document.pages == 1 else "pages"])
        words = "passage" if document.chunks == 1 else "passages"
        figures.append([f"{document.chunks:,}", words])
    if document.size:
        number, unit = format_size(document.size).split()
        figures.append([number, unit])
    if document.seconds:
        number, unit = format_seconds(document.seconds).split(" ", 1)
        figures.append([number, f"{unit} to read"])
    return figures
