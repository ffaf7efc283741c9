"""The list of conversations by day, in the time zone of the browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from core.types import Conversation
from core.ui.chat.conversations import grouped

NOW = datetime(2026, 11, 22, 23, 30, tzinfo=UTC)


def talk(title: str, ago: timedelta, *, pinned: bool = False) -> Conversation:
    return Conversation(title, "s", title, NOW - ago, NOW - ago, pinned=pinned)


TALKS = [
    talk("kept", timedelta(days=400), pinned=True),
    talk("now", timedelta()),
    talk("before midnight", timedelta(days=1)),
    talk("six days", timedelta(days=6)),
    talk("eight days", timedelta(days=8)),
    talk("last month", timedelta(days=30)),
]


def names(zone: str) -> dict[str, list[str]]:
    groups = grouped(TALKS, NOW, ZoneInfo(zone))
    return {group: [one.title for one in members] for group, members in groups.items()}


def test_conversations_stand_under_their_day() -> None:
    assert names("UTC") == {
        "Pinned": ["kept"],
        "Today": ["now"],
        "Yesterday": ["before midnight"],
        "Last 7 days": ["six days"],
        "November 2026": ["eight days"],
        "October 2026": ["last month"],
    }


def test_the_day_is_that_of_the_browser() -> None:
    late = [talk("a minute past ten", timedelta(hours=1, minutes=29))]
    assert list(grouped(late, NOW + timedelta(hours=1), ZoneInfo("UTC"))) == ["Yesterday"]
    assert list(grouped(late, NOW + timedelta(hours=1), ZoneInfo("Europe/Berlin"))) == ["Yesterday"]
    assert list(grouped(late, NOW + timedelta(hours=1), ZoneInfo("America/Lima"))) == ["Today"]
