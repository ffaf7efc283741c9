"""Plain text of any encoding, and what loaders say about what they read."""

from __future__ import annotations

from core.parsing.builder import Draft, split_parts
from core.parsing.encodings import decode
from core.text.invisible import clean
from core.types import DocumentKind, LoadedDocument, Notice


def load_text(data: bytes) -> LoadedDocument:
    """Read plain text of any encoding, in parts."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    return LoadedDocument(
        DocumentKind.TEXT,
        split_parts(Draft(cleaned.text)),
        notices=notices(decoded.note, hidden_notice(cleaned.dropped)),
    )


def hidden_notice(count: int) -> Notice | None:
    """What to tell the person about characters that were left out because none can see them."""
    if not count:
        return None
    return Notice(
        "hidden-text",
        f"{count:,} hidden characters (invisible text or control characters) were left out.",
        "Look at the text of the document if you do not expect hidden text in it.",
        "info" if count < 20 else "warning",
    )


def notices(*found: Notice | None) -> tuple[Notice, ...]:
    """Those that there are."""
    return tuple(notice for notice in found if notice is not None)
