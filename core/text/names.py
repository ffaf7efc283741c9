"""Make file names and titles that people give safe to show. They are never used as paths."""

from __future__ import annotations

import unicodedata

from core.types.documents import shortened

_LONGEST = 200
MOST_TAG = 60
"""Characters of a tag."""
_MOST_FOLDERS = 5


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


def clean_tag(tag: str) -> str:
    """Return a tag on one line, without characters that are not seen; "" when nothing is left.

    >>> clean_tag("  Annual   reports ")
    'Annual reports'
    """
    text = clean_title(tag)
    return "" if text == "unnamed" else shortened(text, MOST_TAG)


def folder_tags(path: str) -> tuple[str, ...]:
    """Return the folders of a file that came with others, as tags; the topmost five of them.

    >>> folder_tags("contracts/2024/rent.pdf")
    ('contracts', '2024')
    """
    folders = path.replace("\\", "/").split("/")[:-1]
    tags = (clean_tag(folder) for folder in folders if folder.strip(". "))
    return tuple(dict.fromkeys(tag for tag in tags if tag))[:_MOST_FOLDERS]
