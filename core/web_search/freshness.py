"""How new the pages of an answer must be; newer ones rank higher only if asked for (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.text.terms import fold
from core.types import Hit

_RANGES = {
    "day": ("today", "tonight", "heute", "aujourd'hui", "hoy", "oggi", "hoje"),
    "week": ("this week", "yesterday", "diese woche", "gestern", "cette semaine", "esta semana"),
    "month": ("this month", "diesen monat", "ce mois", "este mes", "questo mese"),
    "year": ("this year", "dieses jahr", "cette annee", "este ano", "quest'anno"),
}
_NEWEST = frozenset(
    "latest newest current currently recent recently now nowadays news "
    "neueste neuesten neuester neuestes neuste aktuell aktuelle aktuellen aktueller derzeit jetzt "
    "dernier derniere derniers dernieres actuel actuelle actuellement recent recente "
    "ultimo ultima ultimos ultimas actual actualmente reciente ahora attuale recente adesso".split()
)
_CJK_NEWEST = ("最新", "現在", "今日", "目前", "最近", "今天")
_PLACES = ((31, 3), (366, 2), (3 * 366, 1))
"""Pairs of days and places: a page of at most so many days moves up so many places."""


def time_range(question: str) -> str:
    """Return SearXNG's time range for a question: day, week, month, year, or "" for any.

    >>> time_range("What happened in Velmark this week?"), time_range("Who built it?")
    ('week', '')
    """
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)?", _folded(question))
    words = f" {' '.join(found)} "
    for name, phrases in _RANGES.items():
        if any(f" {phrase} " in words for phrase in phrases):
            return name
    return ""


def asks_for_newest(question: str) -> bool:
    """Whether a question asks for the current state.

    >>> asks_for_newest("What is the latest version?"), asks_for_newest("Who built it in 1783?")
    (True, False)
    """
    words = set(re.findall(r"[^\W\d_]+", _folded(question)))
    cjk = any(sign in question for sign in _CJK_NEWEST)
    return bool(words & _NEWEST) or cjk or bool(time_range(question))


def newest_first(hits: Sequence[Hit], today: date) -> tuple[Hit, ...]:
    """Return the hits with newer ones moved up; pages without a date stay."""
    places = {hit.chunk.id: place - _gain(hit, today) for place, hit in enumerate(hits)}
    ordered = sorted(hits, key=lambda hit: places[hit.chunk.id])
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1))


def _gain(hit: Hit, today: date) -> int:
    try:
        age = (today - date.fromisoformat(hit.document.published)).days
    except ValueError:
        return 0
    return next((places for days, places in _PLACES if age <= days), 0)


def _folded(text: str) -> str:
    return " ".join(fold(word) for word in text.replace("\u2019", "'").split())
