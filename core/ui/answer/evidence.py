"""An opened passage as plain values for the page (pure)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from core.citations.uses import Span, spans_of
from core.types import Evidence
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import credit, place

_SURROUNDINGS = 6_000
"""Characters of text that are shown before and after a passage."""


def evidence_view(evidence: Evidence) -> dict[str, Any]:
    """The page as an image with boxes to mark, or the text with the passage marked in it."""
    citation = evidence.citation
    spans = () if evidence.image else evidence.spans
    also = () if evidence.image else spans_of(citation) if citation.end else ()
    ordinal = citation.page_ordinal
    encoded = base64.b64encode(evidence.image).decode()
    return {
        "label": printable(citation.label),
        "heading": place(None, citation.headings),
        "page": page_words(evidence),
        "image": f"data:image/png;base64,{encoded}" if evidence.image else "",
        "width": evidence.width,
        "height": evidence.height,
        "boxes": [list(box) for box in evidence.boxes],
        "others": [list(box) for box in evidence.other_boxes],
        "text": [] if evidence.image else marked_text(evidence.page_text, spans, also),
        "link": evidence.link,
        "attribution": credit(citation),
        "keep": evidence.keepable,
        "original": not citation.url and not evidence.missing,
        "missing": printable(evidence.missing),
        "ocr": evidence.ocr,
        "paged": bool(evidence.neighbours),
        "previous": ordinal - 1 in evidence.neighbours,
        "next": ordinal + 1 in evidence.neighbours,
    }


def page_words(evidence: Evidence) -> str:
    """The page as people count it, of how many; a part where the format has no pages."""
    citation, total = evidence.citation, evidence.pages
    if citation.page_number is None and not evidence.neighbours and not citation.page_ordinal:
        return ""
    number = citation.page_number or citation.page_ordinal + 1
    paged = citation.page_number is not None or evidence.image
    of = f" of {total:,}" if total > 1 and number <= total else ""
    return f"{'Page' if paged else 'Part'} {number:,}{of}"


def marked_text(text: str, spans: Sequence[Span], also: Sequence[Span] = ()) -> list[list[str]]:
    """The text around the marked stretches in pieces, each with how it is marked.

    Marks are "mark" for `spans`, "other" for those of `also` that are not among them, else "".

    >>> marked_text("One. Two. Three.", [(5, 9)], [(5, 9), (10, 16)])
    [['One. ', ''], ['Two.', 'mark'], [' ', ''], ['Three.', 'other']]
    """
    marks = {span: "other" for span in also} | {span: "mark" for span in spans}
    first = min((start for start, _ in marks), default=0)
    last = max((end for _, end in marks), default=0)
    begin, stop = max(0, first - _SURROUNDINGS), min(len(text), last + _SURROUNDINGS)
    pieces = [["… ", ""]] if begin else []
    at = begin
    for (start, end), kind in sorted(marks.items()):
        start, end = max(start, at), min(end, len(text))
        if start < end:
            pieces += [[text[at:start], ""], [text[start:end], kind]]
            at = end
    pieces += [[text[at:stop], ""], [" …" if stop < len(text) else "", ""]]
    return [[printable(piece), kind] for piece, kind in pieces if piece]
