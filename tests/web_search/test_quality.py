"""The quality filter: rules, a classifier, and what is kept whatever they say."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.config import Settings
from core.types import (
    Chunk,
    ChunkKind,
    Document,
    DocumentState,
    Hit,
    QueryPlan,
    SearchResult,
)
from core.web_search.quality import QualityFilter, poor
from core.web_search.search import WebFindings

MENU = "\n".join(["Home", "Our shop", "News", "About us", "Contact"] * 3)
TEXT = "The lantern house of Velmark was built in 1783 by the guild of net makers. " * 5


def chunk(number: int, text: str, kind: ChunkKind = ChunkKind.TEXT) -> Chunk:
    return Chunk(f"d:{number}", "d", number, 0, None, 0, len(text), text, kind=kind)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (TEXT, ""),
        (MENU, "of a few words a line"),
        ("Accept all cookies. Sign in. Subscribe to our newsletter!", "of buttons and notices"),
        (f"{TEXT} Subscribe to the newsletter of the museum to read more.", ""),
        (f"```\n{MENU}\n```", ""),
    ],
)
def test_rules(text: str, reason: str) -> None:
    assert poor(chunk(0, text)) == reason


@pytest.mark.parametrize("kind", [ChunkKind.CODE, ChunkKind.TABLE])
def test_code_and_tables_stay(kind: ChunkKind) -> None:
    assert poor(chunk(0, MENU, kind)) == ""


def labels(passages: Sequence[str]) -> list[str]:
    return ["low" if "poor" in p else "high" if "fine" in p else "medium" for p in passages]


def test_a_classifier_with_its_threshold() -> None:
    chunks = [chunk(0, "poor"), chunk(1, "fine"), chunk(2, "so so"), chunk(3, MENU)]
    chunks.append(chunk(4, "poor code", ChunkKind.CODE))
    medium = QualityFilter(Settings(web_quality="model"), labels)(chunks)
    assert [c.ordinal for c in medium.kept] == [1, 2, 4]
    assert medium.words == "1 of low quality, 1 of a few words a line"
    assert medium.quality == 0.75
    high = QualityFilter(Settings(web_quality="model", web_quality_least="high"), labels)(chunks)
    assert [c.ordinal for c in high.kept] == [1, 4]


def test_off_keeps_everything() -> None:
    filtered = QualityFilter(Settings(), labels)([chunk(0, MENU), chunk(1, "poor")])
    assert (len(filtered.kept), filtered.dropped) == (2, ())


def test_hits_of_better_pages_come_a_little_earlier() -> None:
    def hit(name: str) -> Hit:
        document = Document(name, "s", name, name, None, DocumentState.READY)
        return Hit(Chunk(f"{name}:0", name, 0, 0, None, 0, 1, "x"), document)

    result = SearchResult(QueryPlan("q", "q", ("q",)), (hit("a"), hit("b"), hit("c"), hit("d")))
    better = WebFindings(quality={"a": 0.0, "b": 1.0, "d": 0.6}).added_to(result)
    assert [h.document.id for h in better.hits] == ["b", "a", "c", "d"]
    assert [h.rank for h in better.hits] == [1, 2, 3, 4]
    assert WebFindings().added_to(result).hits == result.hits
