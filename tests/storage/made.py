"""Documents made for tests of storage: pages of given texts, cut into chunks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.storage.catalogue import Catalogue
from core.types import Chunk, DocumentKind, LoadedDocument, Page


def loaded(*texts: str) -> LoadedDocument:
    """A PDF with one page a text."""
    pages = tuple(Page(i, text, i + 1, boxes=bytes(8)) for i, text in enumerate(texts))
    return LoadedDocument(DocumentKind.PDF, pages, title="Made", language="en")


def cut(document_id: str, document: LoadedDocument, size: int = 1000) -> list[Chunk]:
    """The chunks of a document: each page in pieces of `size` characters."""
    spans = [
        (page, start, min(start + size, len(page.text)))
        for page in document.pages
        for start in range(0, len(page.text), size)
    ]
    return [
        Chunk(
            f"{document_id}:{i}", document_id, i, page.ordinal, page.number,
            start, end, page.text[start:end], ("Part", "Section"), "there",
        )
        for i, (page, start, end) in enumerate(spans)
    ]  # fmt: skip


def store(
    catalogue: Catalogue,
    session_id: str,
    document_id: str,
    texts: Sequence[str],
    name: str = "made.pdf",
    size: int = 1000,
) -> list[Chunk]:
    """Add a document, store its text, and make it ready; returns its chunks."""
    document = loaded(*texts)
    chunks = cut(document_id, document, size)
    catalogue.documents.add(session_id, document_id, name, size=1)
    catalogue.content.save(session_id, document_id, document, chunks)
    catalogue.documents.mark_ready(session_id, document_id, seconds=1.0)
    return chunks


def raw_bytes(folder: Path) -> bytes:
    """All bytes of all files under a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
