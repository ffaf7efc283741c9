"""Opening a citation: the page with the passage marked."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from core.citations.page_images import SCALE, PageImages
from core.citations.uses import Span, spans_of
from core.errors import AppError, Busy
from core.parsing.boxes import Rectangle, column, line_boxes
from core.storage.catalogue import Catalogue
from core.storage.files.originals import Originals
from core.types import Citation, DocumentKind, Evidence, Page, Session

_FRAGMENT_WORDS = 6


def open_evidence(
    citation: Citation,
    session: Session,
    catalogue: Catalogue,
    originals: Originals,
    images: PageImages,
    claim: Sequence[Span] = (),
    found: Sequence[Span] = (),
) -> Evidence:
    """The evidence of `citation`; what cannot be opened says why in `missing`.

    `claim` are the stretches that one claim rests on; the others of the citation are its context.
    `found` are those of a search on this page.
    """
    session_id = session.id
    page = catalogue.content.page(session_id, citation.document_id, citation.page_ordinal)
    document = catalogue.documents.get(session_id, citation.document_id)
    if page is None or document is None:
        return Evidence(citation, "", missing="This document was deleted.")
    image, missing, retry_after = b"", "", 0.0
    if document.kind is DocumentKind.PDF:
        try:
            path = originals.path(session_id, document.id)
            image = images.draw(path, page.ordinal, session.viewer_id)
        except Busy as error:
            missing, retry_after = f"{error.message} {error.cure}", error.retry_after
        except AppError as error:
            missing = error.message
    marked = spans_of(citation) if citation.end else ()
    spans = tuple(span for span in marked if span in claim) or marked
    return Evidence(
        citation=citation,
        page_text=page.text,
        image=image,
        width=round(page.width * SCALE),
        height=round(page.height * SCALE),
        boxes=_boxes(page, spans),
        other_boxes=_boxes(page, [span for span in marked if span not in spans]),
        column=_column(page, spans),
        spans=spans,
        found=tuple(found),
        found_boxes=tuple(line_boxes(page, *span) for span in found),
        pages=document.pages,
        link=evidence_link(citation.url or document.url, citation),
        ocr=page.ocr,
        missing=missing,
        retry_after=retry_after,
        keepable=document.expires_at is not None,
        neighbours=tuple(
            n for n in (page.ordinal - 1, page.ordinal + 1) if 0 <= n < document.pages
        ),
    )


def _boxes(page: Page, spans: Sequence[Span]) -> tuple[Rectangle, ...]:
    return tuple(box for span in spans for box in line_boxes(page, *span))


def _column(page: Page, spans: Sequence[Span]) -> tuple[float, float] | None:
    edges = [found for span in spans if (found := column(page, *span))]
    return (min(e[0] for e in edges), max(e[1] for e in edges)) if edges else None


def evidence_link(url: str, citation: Citation) -> str:
    """The address with a text fragment that marks the quote in the browser.

    Source: https://wicg.github.io/scroll-to-text-fragment/ (`#:~:text=start,end`).
    """
    if not url:
        return ""
    base, _, anchor = url.partition("#")
    if citation.kind is DocumentKind.PDF:  # RFC 8118: what browsers' readers of PDF understand
        return f"{base}#page={citation.page_ordinal + 1}"
    text = ",".join(quote(part, safe="").replace("-", "%2D") for part in _ends(citation))
    fragment = citation.anchor or anchor
    return f"{base}#{fragment}" + (f":~:text={text}" if text else "")


def _ends(citation: Citation) -> list[str]:
    """The first words of a quote, and its last ones where it is long.

    Browsers look for each within one paragraph: so no heading may stand among the first words.
    """
    lines = [line.strip(" \t#>*-") for line in citation.quote.splitlines()]
    lines = [line for line in lines if line and line not in citation.headings]
    if not lines:
        return []
    first, last = lines[0].split(), lines[-1].split()
    if len(lines) == 1 and len(first) <= 2 * _FRAGMENT_WORDS:
        return [" ".join(first[:_FRAGMENT_WORDS])]
    return [" ".join(first[:_FRAGMENT_WORDS]), " ".join(last[-_FRAGMENT_WORDS:])]
