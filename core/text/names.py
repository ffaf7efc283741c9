"""Names of files and titles that people give, made safe to show. They never become paths."""

from __future__ import annotations

import unicodedata

_LONGEST = 200


def clean_name(name: str) -> str:
    """Return the last part of the name of a file, cleaned like a title.

    >>> clean_name("../../etc/x.pdf")
    'x.pdf'
    """
    return clean_title(name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1])


def clean_title(title: str) -> str:
    """Return a title in NFC, without characters that are not seen.

    Control and format characters (NUL, line ends, bidirectional overrides, zero-width and tag
    characters) and lone surrogates are dropped; a title longer than 200 characters keeps its
    beginning and its ending. Returns "unnamed" when nothing is left.

    >>> clean_title("Reports 2024/2025")
    'Reports 2024/2025'
    """
    kept = "".join(c for c in title if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    text = " ".join(unicodedata.normalize("NFC", kept).split())
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 21] + "…" + text[-20:]
    return text if text.strip(". ") else "unnamed"
