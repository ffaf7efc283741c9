"""A passage widened to what it has a part of: lists of headings, tables (pure)."""

from __future__ import annotations

from core.answering.extractive.structures.sections.counted import FEWEST, counted_in
from core.answering.extractive.structures.sections.led_in import FOLLOWING, labelled
from core.answering.extractive.structures.tables import table_around
from core.text.sentences import split_sentences


def section_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch of a page widened to headings that count or are led in, and to tables.

    So it is where it has a part of them, or the sentence that leads in.
    """
    pieces = split_sentences(text)
    for one in counted_in(pieces, text, 0, (), 0):
        first = one.title.start if one.title else one.items[0].start
        if first < end and start < one.items[-1].end:
            start, end = min(start, first), max(end, one.items[-1].end)
    for n, lead in enumerate(pieces):
        items = list(labelled(pieces[n + 1 :], text, 0)) if FOLLOWING.search(lead.text) else []
        if len(items) >= FEWEST and lead.start < end and start < items[-1].end:
            start, end = min(start, lead.start), max(end, items[-1].end)
    return table_around(text, start, end)
