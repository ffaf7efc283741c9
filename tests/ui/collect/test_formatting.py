"""When the next refresh comes, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.types import CollectKind, CollectRequest, CollectRun, CollectState, RefreshEvery
from core.ui.collect.formatting import EVERY, began_words, next_words

NOW = datetime(2026, 11, 22, 21, tzinfo=UTC)


def planned(at: datetime | None) -> CollectRun:
    request = CollectRequest(CollectKind.SITE, ("http://e.org/",))
    return CollectRun(
        "r", "s", "site-1", request, CollectState.DONE, NOW, next_refresh_at=at
    )  # fmt: skip


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [
        (None, "UTC", ""),
        (datetime(2026, 11, 29, 21, tzinfo=UTC), "UTC", "next on 29 November"),
        (datetime(2026, 11, 29, 21, tzinfo=UTC), "Asia/Tokyo", "next on 30 November"),
        (datetime(2026, 12, 1, 3, tzinfo=UTC), "America/New_York", "next on 30 November"),
        (datetime(2027, 1, 1, 3, tzinfo=UTC), "UTC", "next on 1 January 2027"),
        (datetime(2027, 1, 1, 3, tzinfo=UTC), "America/New_York", "next on 31 December"),
        (NOW, "UTC", "next as soon as other runs have ended"),
    ],
)
def test_the_day_of_the_next_refresh(at: datetime | None, zone: str, said: str) -> None:
    assert next_words(planned(at), NOW, ZoneInfo(zone)) == said


def test_when_a_run_was_begun_is_told_by_the_clock_of_the_time_zone() -> None:
    run = replace(planned(None), created_at=datetime(2026, 11, 23, 1, 43, tzinfo=UTC))
    assert began_words(run, ZoneInfo("America/New_York")) == "2026-11-22 20:43"
    assert began_words(run, UTC) == "2026-11-23 01:43"


def test_each_choice_has_its_words() -> None:
    assert set(EVERY) == set(RefreshEvery)
