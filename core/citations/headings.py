"""Where a quote stands: the headings and the anchor over it, not only over its chunk (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.types import Chunk, Citation, Heading


def placed(citation: Citation, headings: Sequence[Heading], chunks: Sequence[Chunk]) -> Citation:
    """The citation with the heading path and the anchor at the start of its quote.

    `headings` and `chunks` are those of its page. A chunk's path is that at its start; headings
    between there and the quote are added by their level.
    """
    around = [chunk for chunk in chunks if chunk.start <= citation.start]
    if not around:
        return citation
    chunk = max(around, key=lambda chunk: chunk.start)
    path, anchor = chunk.headings, chunk.anchor
    for heading in headings:
        if chunk.start < heading.offset <= citation.start:
            path = (*path[: max(heading.level - 1, 0)], heading.title)
            anchor = heading.anchor or anchor
    return replace(citation, headings=path, anchor=anchor)
