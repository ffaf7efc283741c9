"""An opened passage as plain values for the page (pure)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import UTC, tzinfo
from itertools import pairwise
from typing import Any

from core.citations.uses import Span, spans_of
from core.types import Evidence
from core.ui.answer.rows import blocks, has_tables
from core.ui.shell.document_search import Search
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import as_read, credit, place

_SURROUNDINGS = 6_000
"""Characters of text that are shown before and after a passage."""


def evidence_view(
    evidence: Evidence, search: Search | None = None, zone: tzinfo = UTC
) -> dict[str, Any]:
    """The page as an image with boxes to mark, or the text with the passage marked in it.

    What a search in the document found is marked as well, in a way of its own.
    """
    citation = evidence.citation
    now = _shown_match(evidence, search)
    found = () if evidence.image else evidence.found
    spans = () if evidence.image else evidence.spans
    also = () if evidence.image else spans_of(citation) if citation.end else ()
    ordinal = citation.page_ordinal
    text = [] if evidence.image else marked_text(evidence.page_text, spans, also, found, now)
    drawn = blocks(text) if has_tables(citation.kind) else []
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
        "column": list(evidence.column or ()),
        "words": _marked_words(evidence) if evidence.image else "",
        "text": text,
        "blocks": drawn if any("rows" in block for block in drawn) else [],
        "link": evidence.link,
        "attribution": credit(citation, zone),
        "keep": evidence.keepable,
        "original": not citation.url and not evidence.missing,
        "missing": printable(evidence.missing),
        "ocr": evidence.ocr,
        "paged": bool(evidence.neighbours),
        "previous": ordinal - 1 in evidence.neighbours,
        "next": ordinal + 1 in evidence.neighbours,
        "searchable": evidence.pages > 0,
        "find": find_view(evidence, search, now) if search else None,
    }


def _marked_words(evidence: Evidence) -> str:
    """The marked passage as text: on a small screen its lines are wider than their place."""
    return as_read(" … ".join(evidence.page_text[start:end] for start, end in evidence.spans))


def find_view(evidence: Evidence, search: Search, now: int | None) -> dict[str, Any]:
    """A search: how many were found, which is shown, and the boxes of those on this page."""
    count = len(search.matches.places)
    said = "Not in this document"
    if shown := search.place:
        of = f"the first {count:,}" if search.matches.more else f"{count:,}"
        unit = _unit(evidence)
        page = f", {unit.lower()} {shown.page_ordinal + 1:,}" if unit else ""
        said = f"{search.at + 1:,} of {of}{page}"
    boxes = evidence.found_boxes if evidence.image else ()
    return {
        "words": search.words,
        "said": said,
        "boxes": [list(box) for n, match in enumerate(boxes) if n != now for box in match],
        "now": [list(box) for box in boxes[now]] if boxes and now is not None else [],
    }


def _shown_match(evidence: Evidence, search: Search | None) -> int | None:
    """Which of the matches on this page is the one that is shown; None where it is on another."""
    shown = search.place if search else None
    if shown is None or shown.page_ordinal != evidence.citation.page_ordinal:
        return None
    span = (shown.start, shown.end)
    return evidence.found.index(span) if span in evidence.found else None


def page_words(evidence: Evidence) -> str:
    """The page as people count it, of how many; a part where the format has no pages."""
    citation, total, unit = evidence.citation, evidence.pages, _unit(evidence)
    number = citation.page_number or citation.page_ordinal + 1
    of = f" of {total:,}" if total > 1 and number <= total else ""
    return f"{unit} {number:,}{of}" if unit else ""


def _unit(evidence: Evidence) -> str:
    citation = evidence.citation
    if citation.page_number is None and not evidence.neighbours and not citation.page_ordinal:
        return ""
    return "Page" if citation.page_number is not None or evidence.image else "Part"


def marked_text(
    text: str,
    spans: Sequence[Span],
    also: Sequence[Span] = (),
    found: Sequence[Span] = (),
    now: int | None = None,
) -> list[list[str]]:
    """The text around the marked stretches in pieces, each with how it is marked.

    Marks are "mark" for `spans`, "other" for those of `also` that are not among them, else "".
    Those of `found` are "found" as well, and "now" the one that is shown: around it the text is
    cut, if there is one.

    >>> marked_text("One. Two. Three.", [(5, 9)], [(5, 9), (10, 16)])
    [['One. ', ''], ['Two.', 'mark'], [' ', ''], ['Three.', 'other']]
    """
    marks = {span: "other" for span in also} | {span: "mark" for span in spans}
    matches = {span: "found now" if n == now else "found" for n, span in enumerate(found)}
    centre = list(marks) if now is None else [found[now]]
    first = min((start for start, _ in centre), default=0)
    last = max((end for _, end in centre), default=0)
    begin, stop = max(0, first - _SURROUNDINGS), min(len(text), last + _SURROUNDINGS)
    layers = [sorted(one.items()) for one in (marks, matches)]
    pieces = [["… ", ""]] if begin else []
    pieces += _pieces(text, begin, stop, layers)
    pieces += [[" …" if stop < len(text) else "", ""]]
    return [[printable(piece), kind] for piece, kind in pieces if piece]


def _pieces(
    text: str, begin: int, stop: int, layers: Sequence[Sequence[tuple[Span, str]]]
) -> list[list[str]]:
    """A stretch of a text, cut where a mark of a layer begins or ends; of two the first counts."""
    seen = [[mark for mark in one if mark[0][0] < stop and begin < mark[0][1]] for one in layers]
    ends = (end for one in seen for span, _ in one for end in span)
    edges = sorted({begin, stop, *(min(max(end, begin), stop) for end in ends)})
    pieces: list[list[str]] = []
    for start, end in pairwise(edges):
        kinds = (
            next((kind for (a, b), kind in one if a <= start and end <= b), "") for one in seen
        )
        marked = " ".join(filter(None, kinds))
        if pieces and pieces[-1][1] == marked:
            pieces[-1][0] += text[start:end]
        else:
            pieces.append([text[start:end], marked])
    return pieces
