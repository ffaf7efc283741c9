"""Citations: the day on which a page of the web was read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

from core.types import Citation, DocumentKind

READ = Citation(
    1, "w:0", "w", "https://example.org/t", DocumentKind.WEB, 0, None, 0, 5, "A view.",
    url="https://example.org/t", read_at="2026-01-02T23:30:00+00:00",
)  # fmt: skip


def test_the_day_of_reading_is_that_of_a_time_zone() -> None:
    assert READ.read_on() == READ.read_on(UTC) == "2026-01-02"
    assert READ.read_on(ZoneInfo("Europe/Berlin")) == "2026-01-03"
    assert READ.credit(ZoneInfo("Europe/Berlin")) == "read 2026-01-03"


def test_a_day_that_an_earlier_version_kept_stays() -> None:
    kept = replace(READ, read_at="2026-01-02")
    assert kept.read_on(ZoneInfo("Pacific/Kiritimati")) == "2026-01-02"
    assert replace(READ, read_at="").credit() == ""
