"""Numbers, sizes, times and places in words (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, tzinfo

from core.types import Citation
from core.ui.shell.escaping import printable

_HEADING = re.compile(r"^#{1,6}[ \t]+", re.M)
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_LINK = re.compile(r"!?\[([^\[\]]+)\]\(\S*?\)")
_URL = 70  # characters of an address that are shown
_PLACES = 3  # that say the same and are named


def place(page_number: int | None, headings: Sequence[str]) -> str:
    """Where in its document: page and heading path.

    >>> place(3, ("Storage", "Vectors"))
    'page 3 · Storage › Vectors'
    """
    parts = [] if page_number is None else [f"page {page_number}"]
    if headings:
        parts.append(" › ".join(printable(heading) for heading in headings))
    return " · ".join(parts)


def credit(citation: Citation, zone: tzinfo = UTC) -> str:
    """Where a source is on the web, who is to be named, its dates, and where the same stands."""
    url = citation.url.partition("://")[2] if citation.url != citation.label else ""
    shortened = url if len(url) <= _URL else f"{url[: _URL - 1]}…"
    return one_line(
        " · ".join(filter(None, (shortened, citation.credit(zone), also_in(citation.also_in))))
    )


def also_in(places: Sequence[str]) -> str:
    """Where else the same stands; of many places the first ones.

    >>> also_in(("a.pdf, page 3", "b.pdf"))
    'Also in a.pdf, page 3; b.pdf'
    """
    if not places:
        return ""
    more = f"; {len(places) - _PLACES} more" if len(places) > _PLACES else ""
    return f"Also in {'; '.join(places[:_PLACES])}{more}"


def one_line(text: str) -> str:
    """Text on one line, as it is read.

    >>> one_line("cut from\\na page ")
    'cut from a page'
    """
    return " ".join(printable(text).split())


def as_read(text: str) -> str:
    """Markdown of a source on one line, without its signs: headings, rows of tables, bold, links.

    >>> as_read("### Rates\\n| Year | Rate |\\n|---|---|\\n| 2024 | **3 %** |")
    'Rates Year · Rate 2024 · 3 %'
    """
    lines = (_row(line.strip()) for line in _HEADING.sub("", text).splitlines())
    return one_line(_LINK.sub(r"\1", _BOLD.sub(r"\1", " ".join(lines))))


def _row(line: str) -> str:
    """The cells of a line of a table; any other line as it is."""
    if not (line.startswith("|") or line.endswith("|")):
        return line
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    return " · ".join(cell for cell in cells if cell.strip(":-"))


def format_seconds(seconds: float) -> str:
    """A time in words.

    >>> format_seconds(0.0421), format_seconds(3.21), format_seconds(95)
    ('42 ms', '3.2 s', '1 min 35 s')
    """
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def format_score(score: float | None) -> str:
    """A score with two decimals; "" where there is none."""
    return "" if score is None else f"{score:.2f}"


def format_size(size: int) -> str:
    """A size in bytes in words.

    >>> format_size(900), format_size(12_300), format_size(4_560_000)
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
