"""Which documents the Documents page shows, and in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.types import Document, DocumentKind, DocumentState
from core.ui.documents.rows import View, tags_of

_NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def document(name: str, at: int, **more: Any) -> Document:
    made = Document(name, "s", name, name, DocumentKind.PDF, DocumentState.READY)
    return replace(made, added_at=_NOON + timedelta(hours=at), **more)


LIBRARY = [
    document("Page 10", 0, size=5, pages=1, tags=("contracts", "2024")),
    document("page 9", 1, size=7, pages=3, tags=("contracts",), kind=DocumentKind.MARKDOWN),
    document("Über uns", 2, size=1, pages=9, url="https://example.org", kind=DocumentKind.WEB),
    document("Broken", 3, size=6, state=DocumentState.FAILED, kind=None),
    document("json", 4, size=2, url="https://docs.example.org/json", source="python"),
    document("watched", 5, size=3, watched=True),
]


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (View(), "Page 10, page 9, Über uns, Broken, json, watched"),
        (View(order="Newest first"), "watched, json, Broken, Über uns, page 9, Page 10"),
        (View(order="By name"), "Broken, json, page 9, Page 10, watched, Über uns"),
        (View(order="Largest first"), "page 9, Broken, Page 10, watched, json, Über uns"),
        (View(order="Most pages first"), "Über uns, page 9, Page 10, Broken, json, watched"),
        (View(tag="contracts"), "Page 10, page 9"),
        (View(tag="contracts", words="10"), "Page 10"),
        (View(words="ÜBER"), "Über uns"),
        (View(states="Failed"), "Broken"),
        (View(origin="Files"), "Page 10, page 9, Broken"),
        (View(origin="Web pages"), "Über uns"),
        (View(origin="Collected"), "json"),
        (View(origin="Watched folder"), "watched"),
        (View(grouped=True), "Page 10, page 9, Broken, watched, Über uns, json"),
        (
            View(grouped=True, order="Newest first"),
            "Broken, page 9, Page 10, watched, Über uns, json",
        ),
        (View(kind="Markdown"), "page 9"),
        (View(tag="gone"), ""),
    ],
)
def test_a_view_shows(view: View, shown: str) -> None:
    assert ", ".join(one.label for one in view.of(LIBRARY)) == shown


def test_groups_are_counted_over_all_pages() -> None:
    view = View(grouped=True, words="page")
    assert view.groups(LIBRARY) == {"Files": 3, "Watched folder": 1, "Web pages": 1, "Collected": 1}
    assert list(view.groups(view.of(LIBRARY)).items()) == [("Files", 2)]
    assert View().groups(LIBRARY) == {}


def test_tags_are_listed_once() -> None:
    assert tags_of(LIBRARY) == ["2024", "contracts"]
