"""Names that people give to documents, made safe to show. They never become paths."""

from __future__ import annotations

import unicodedata

_LONGEST = 200


def clean_name(name: str) -> str:
    """The last part of a file name, in NFC, without characters that are not seen.

    Control and format characters (NUL, line ends, bidirectional overrides, zero-width and tag
    characters) and lone surrogates are dropped; a name longer than 200 characters keeps its
    beginning and its ending. Gives "unnamed" when nothing is left.

    >>> clean_name("../../etc/x.pdf")
    'x.pdf'
    """
    last = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    kept = "".join(c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    text = " ".join(unicodedata.normalize("NFC", kept).split())
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 21] + "…" + text[-20:]
    return text if text.strip(". ") else "unnamed"
