"""A search in the document that is open, as the tab remembers it (pure)."""

from __future__ import annotations

from dataclasses import dataclass

from core.types import Match, Matches


@dataclass(frozen=True, slots=True)
class Search:
    """The words, what was found, and which match is shown, counted from 0."""

    words: str
    matches: Matches
    at: int = 0

    @property
    def place(self) -> Match | None:
        """The match that is shown; None if nothing was found."""
        return self.matches.places[self.at] if self.matches.places else None

    def on_page(self, ordinal: int) -> tuple[tuple[int, int], ...]:
        """The spans of the matches on a page."""
        places = self.matches.places
        return tuple((one.start, one.end) for one in places if one.page_ordinal == ordinal)
