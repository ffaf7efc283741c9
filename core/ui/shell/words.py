"""Numbers, sizes, times and places in words (pure)."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import Citation
from core.ui.answer.markdown import shown

_URL = 70  # characters of an address that are shown
_PLACES = 3  # that say the same and are named


def place(page_number: int | None, headings: Sequence[str]) -> str:
    """Where in its document: page and heading path.

    >>> place(3, ("Storage", "Vectors"))
    'page 3 · Storage › Vectors'
    """
    parts = [] if page_number is None else [f"page {page_number}"]
    if headings:
        parts.append(" › ".join(shown(heading) for heading in headings))
    return " · ".join(parts)


def credit(citation: Citation) -> str:
    """Where a source is on the web, who is to be named, its dates, and where the same stands."""
    url = citation.url.partition("://")[2] if citation.url != citation.label else ""
    shortened = url if len(url) <= _URL else f"{url[: _URL - 1]}…"
    return flat(" · ".join(filter(None, (shortened, citation.credit, also(citation.also_in)))))


def also(places: Sequence[str]) -> str:
    """Where else the same stands; of many places the first ones.

    >>> also(("a.pdf, page 3", "b.pdf"))
    'Also in a.pdf, page 3; b.pdf'
    """
    if not places:
        return ""
    more = f"; {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return f"Also in {'; '.join(places[:_PLACES])}{more}"


def flat(text: str) -> str:
    """Text on one line, as it is read.

    >>> flat("cut from\\na page ")
    'cut from a page'
    """
    return " ".join(shown(text).split())


def seconds_words(seconds: float) -> str:
    """A time in words.

    >>> seconds_words(0.0421), seconds_words(3.21), seconds_words(95)
    ('42 ms', '3.2 s', '1 min 35 s')
    """
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def score_words(score: float | None) -> str:
    """A score with two decimals; "" where there is none."""
    return "" if score is None else f"{score:.2f}"


def size_words(size: int) -> str:
    """A size in bytes in words.

    >>> size_words(900), size_words(12_300), size_words(4_560_000)
    ('900 B', '12 KB', '4.6 MB')
    """
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} KB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "document"), count(1200, "passage")
    ('1 document', '1,200 passages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
