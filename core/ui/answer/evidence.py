"""An opened passage as plain values for the page (pure)."""

from __future__ import annotations

import base64
from typing import Any

from core.types import Evidence
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import credit, place

_SURROUNDINGS = 6_000
"""Characters of text that are shown before and after a passage."""


def evidence_view(evidence: Evidence) -> dict[str, Any]:
    """The page as an image with boxes to mark, or the text with the passage marked in it."""
    citation = evidence.citation
    before, mark, after = surroundings(evidence.page_text, citation.start, citation.end)
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
        "before": before,
        "mark": mark,
        "after": after,
        "link": evidence.link,
        "attribution": credit(citation),
        "keep": evidence.keepable,
        "missing": printable(evidence.missing),
        "ocr": evidence.ocr,
        "paged": bool(evidence.neighbours),
        "previous": ordinal - 1 in evidence.neighbours,
        "next": ordinal + 1 in evidence.neighbours,
    }


def page_words(evidence: Evidence) -> str:
    """The page as people count it; a part where the format has no pages."""
    citation = evidence.citation
    if citation.page_number is not None:
        return f"Page {citation.page_number}"
    if evidence.neighbours or citation.page_ordinal:
        return f"{'Page' if evidence.image else 'Part'} {citation.page_ordinal + 1}"
    return ""


def surroundings(text: str, start: int, end: int) -> tuple[str, str, str]:
    """What stands before the passage, the passage, and what stands after it.

    >>> surroundings("One. Two. Three.", 5, 9)
    ('One. ', 'Two.', ' Three.')
    """
    end = min(max(end, start), len(text))
    before, after = text[max(0, start - _SURROUNDINGS) : start], text[end : end + _SURROUNDINGS]
    cut_before = "… " if start > _SURROUNDINGS else ""
    cut_after = " …" if len(text) > end + _SURROUNDINGS else ""
    return cut_before + printable(before), printable(text[start:end]), printable(after) + cut_after
