"""Plain text of any encoding."""

from __future__ import annotations

from core.parsing.builder import Draft, split_parts
from core.parsing.encodings import decode
from core.parsing.notices import hidden_notice, notices
from core.parsing.source import Source
from core.text.invisible import clean
from core.types import DocumentKind, LoadedDocument


def load(source: Source) -> LoadedDocument:
    """Read a text file. Raises `TooLarge`."""
    return load_text(source.data())


def load_text(data: bytes) -> LoadedDocument:
    """Read plain text of any encoding, in parts."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    return LoadedDocument(
        DocumentKind.TEXT,
        split_parts(Draft(cleaned.text)),
        notices=notices(decoded.note, hidden_notice(cleaned.dropped)),
    )
