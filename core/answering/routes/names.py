"""What a document is called in an answer (pure)."""

from __future__ import annotations

import re

from core.types import Document

_SUFFIX = re.compile(r"\.\w{1,5}$")
_NO_TITLE = re.compile(
    r"[\W\d_]*|(?:slide|page|sheet|title|untitled|unnamed|document|dokument)\W*\d*|.*\.\w{2,4}|"
    r"microsoft \w+ - .*",
    re.I,
)
"""What programs write as a title where nobody gave one."""


def shown_name(document: Document) -> str:
    """Return the title of a document, or its label where the title says nothing.

    A title without a word of three letters is a number of a program.
    """
    title = " ".join(document.title.split())
    if not title or _NO_TITLE.fullmatch(title) or not re.search(r"[^\W\d_]{3}", title):
        return document.label
    return title


def name_words(document: Document) -> str:
    """Return the words of a document's label without its suffix, and those of its title."""
    label = re.sub(r"[_\-.]+", " ", _SUFFIX.sub("", document.label))
    shown = shown_name(document)
    return label if shown == document.label else f"{label} {shown}"


def without_site(title: str) -> str:
    """Return the title of a page without the name of the site behind it.

    >>> without_site("How emissions fell in 2019 | The Daily Page")
    'How emissions fell in 2019'
    >>> without_site("A Diary - How emissions fell in 2019")
    'A Diary - How emissions fell in 2019'
    """
    *parts, last = re.split(r"\s[|·:–—-]+\s", title)
    longer = any(len(part.split()) > len(last.split()) for part in parts)
    return title[: -len(last)].rstrip(" |·:–—-") if longer and last else title
