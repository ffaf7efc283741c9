"""Files that go out: originals that no browser runs, and page images with the passage marked."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.responses import FileResponse

from core.errors import Busy, PageNotFound
from core.service import Service
from core.text.names import clean_name
from core.types import Citation, Evidence, Session

_MARK = (255, 214, 0, 96)  # yellow that lets the text through
_EDGE = (214, 158, 0, 255)


def described(media_type: str, words: str) -> dict[int | str, dict[str, Any]]:
    """The entries of a file for the OpenAPI document."""
    schema: dict[str, Any] = {"type": "string"}
    if not media_type.startswith("text/"):
        schema["format"] = "binary"
    return {200: {"description": words, "content": {media_type: {"schema": schema}}}}


def download(path: Path, name: str) -> FileResponse:
    """A file to save under this name. Whatever it holds, it has no power over this site."""
    headers = {
        "Content-Disposition": disposition(name),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


def disposition(name: str) -> str:
    """The header that has a browser save under `name` (RFC 6266, RFC 5987).

    >>> print(disposition("rés.pdf"))
    attachment; filename="r_s.pdf"; filename*=UTF-8''r%C3%A9s.pdf
    """
    shown = clean_name(name)
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " .-_()") else "_" for c in shown)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(shown, safe='')}"


def marked_page(
    service: Service, session: Session, document_id: str, page_ordinal: int, span: tuple[int, int]
) -> bytes:
    """The image (PNG) of a page with a span of its text marked.

    Raises `PageNotFound`, and `Busy` where too many pages wait to be drawn.
    """
    document = service.documents.get(session, document_id)
    page = service.documents.page(session, document_id, page_ordinal)
    start, end = (min(offset, len(page.text)) for offset in span)
    citation = Citation(
        number=0,
        chunk_id="",
        document_id=document.id,
        label=document.label,
        kind=document.kind,
        page_ordinal=page.ordinal,
        page_number=page.number,
        start=start,
        end=max(start, end),
        quote=page.text[start:end],
    )
    evidence = service.documents.evidence(session, citation)
    if evidence.retry_after:
        raise Busy(evidence.missing, "", retry_after=evidence.retry_after)
    if not evidence.image:
        raise PageNotFound(
            evidence.missing or "This document has no images of its pages.",
            "Read its text instead.",
        )
    return _drawn(evidence) if evidence.boxes and end > start else evidence.image


def _drawn(evidence: Evidence) -> bytes:
    from PIL import Image, ImageDraw

    with Image.open(BytesIO(evidence.image)) as opened:
        page = opened.convert("RGBA")
    layer = Image.new("RGBA", page.size, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    width, height = page.size
    for left, top, right, bottom in evidence.boxes:
        corners = (left * width - 2, top * height - 2, right * width + 2, bottom * height + 2)
        pen.rectangle(corners, fill=_MARK, outline=_EDGE)
    data = BytesIO()
    Image.alpha_composite(page, layer).convert("RGB").save(data, "PNG")
    return data.getvalue()
