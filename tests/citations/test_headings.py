"""The heading over a quote, found from the headings of its page."""

from __future__ import annotations

from core.citations.passages import placed
from core.types import Chunk, Citation, Heading

HEADINGS = (Heading(0, 1, "Bread"), Heading(50, 2, "Baking", "baking"), Heading(90, 1, "Soup"))
CHUNKS = [
    Chunk("d:0", "d", 0, 0, None, 0, 120, "", ("Bread",)),
    Chunk("d:1", "d", 1, 0, None, 120, 200, "", ("Soup",)),
]


def citation(start: int) -> Citation:
    return Citation(1, "d:0", "d", "x", None, 0, None, start, start + 5, "quote", headings=("?",))


def test_the_last_heading_before_the_quote_counts() -> None:
    assert placed(citation(10), HEADINGS, CHUNKS).headings == ("Bread",)
    deeper = placed(citation(60), HEADINGS, CHUNKS)
    assert (deeper.headings, deeper.anchor) == (("Bread", "Baking"), "baking")
    assert placed(citation(95), HEADINGS, CHUNKS).headings == ("Soup",)
    assert placed(citation(130), HEADINGS, CHUNKS).headings == ("Soup",)


def test_a_quote_outside_every_chunk_stays() -> None:
    assert placed(citation(10), HEADINGS, []).headings == ("?",)
