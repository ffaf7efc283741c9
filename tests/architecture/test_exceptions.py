"""What is allowed as an exception has its reason beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SILENCED = re.compile(r"#\s*(?:noqa|type:\s*ignore|nosec|pragma:\s*no cover)\b")
WITH_REASON = re.compile(r"# (?:noqa: [A-Z]+\d+|type: ignore\[[\w-]+\])  # \w+\W+\w+")
FOLDERS = ("core", "scraper", "tests", "benchmarks", "training", "pages", "docs")


def files() -> Iterator[Path]:
    yield from ROOT.glob("*.py")
    for folder in FOLDERS:
        yield from (ROOT / folder).rglob("*.py")


def without_reason(text: str) -> list[str]:
    return [
        line.strip()
        for line in text.splitlines()
        if SILENCED.search(line) and not WITH_REASON.search(line)
    ]


def test_every_silenced_rule_has_a_reason() -> None:
    own = Path(__file__)
    found = {path: without_reason(path.read_text("utf-8")) for path in files() if path != own}
    assert len(found) > 500
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa",
        "x = 1  # noqa: S113",
        "x = 1  # noqa: E501 - long",
        "x = f()  # type: ignore",
        "x = f()  # type: ignore[misc]",
        "import x  # nosec",
        "raise  # pragma: no cover",
    ],
)
def test_a_missing_reason_is_found(line: str) -> None:
    assert without_reason(line) == [line]
    assert without_reason("x = f()  # type: ignore[misc]  # the library has no types") == []
