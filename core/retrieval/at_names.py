"""Documents that a question names after an "@": it is asked of these alone (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from core.types import Document

_AT = re.compile(r"(?<!\S)@(?=\S)")
_ALSO = re.compile(r"(?:\s*,)?\s+(?:(?:and|or|und|oder|&)\s+)?@(?=\S)", re.I)
"""What stands between two names of one list."""
_QUOTED = re.compile(r'"([^"\n]+)"')
_BARE = re.compile(r"\S*[^\s.,;:?!)]")
_NO_WORD = re.compile(r"[\W_]")
_ENDS = (".", "?", "!", ":")
_SHORTEST = 2


def addressed(question: str, documents: Collection[Document]) -> tuple[str, frozenset[str] | None]:
    """Return the question without its names after "@", and the ids of the documents they name.

    A name is the label of a document, or how a word of labels and titles begins; with spaces it
    stands in quotes. One that names nothing is text as any other: None where none does. Within a
    sentence, "this document" stands for the name, "these documents" for several in a row.

    >>> docs = [Document("1", "s", "Annual report.pdf", "Annual report.pdf", None, "ready")]
    >>> addressed("@annual what was the revenue?", docs)
    ('what was the revenue?', frozenset({'1'}))
    >>> addressed("What does @Annual report.pdf say of revenue?", docs)[0]
    'What does this document say of revenue?'
    """
    named: set[str] = set()
    text, at = question, 0
    while mark := _AT.search(text, at):
        found, end = _called_in_a_row(text, mark.end(), documents)
        if not found:
            at = mark.end()
            continue
        named.update(found)
        before, after = text[: mark.start()].rstrip(), text[end:].lstrip()
        instead = "this document" if len(found) == 1 else "these documents"
        if not before or (before.endswith(_ENDS) and not after.strip(".?!")):
            instead, after = "", after.lstrip(",:; ")
        glue = "" if after[:1] in (*".,;:?!)", "") or not instead else " "
        text = f"{before} {instead}".strip() + glue if instead or before else ""
        at = len(text)
        text += after
    if not named:
        return question, None
    return text.strip() or "What is this about?", frozenset(named)


def _called_in_a_row(
    text: str, start: int, documents: Collection[Document]
) -> tuple[set[str], int]:
    """The documents of the name that begins there, and of names that follow it in one list."""
    name, end = _name(text, start, documents)
    found = set(_called(name, documents))
    while found and (more := _ALSO.match(text, end)):
        name, after = _name(text, more.end(), documents)
        others = _called(name, documents)
        if not others:
            break
        found.update(others)
        end = after
    return found, end


def _name(text: str, start: int, documents: Collection[Document]) -> tuple[str, int]:
    """The name that begins there and where it ends: a whole label rather than its first word."""
    if quoted := _QUOTED.match(text, start):
        return quoted.group(1), quoted.end()
    rest = text[start:].casefold()
    labels = [one.label for one in documents if rest.startswith(one.label.casefold())]
    if labels:
        label = max(labels, key=len)
        return label, start + len(label)
    bare = _BARE.match(text, start)
    return (bare.group(), bare.end()) if bare else ("", start)


def _called(name: str, documents: Collection[Document]) -> Sequence[str]:
    """The ids of the documents of this label; else of those with a word that begins so."""
    name = name.strip().casefold()
    if len(name) < _SHORTEST:
        return []
    if exact := [one.id for one in documents if one.label.casefold() == name]:
        return exact
    return [one.id for one in documents if any(_begins(t, name) for t in (one.label, one.title))]


def _begins(text: str, name: str) -> bool:
    """Whether a word of the text, or several, begin with the name."""
    text = text.casefold()
    at = text.find(name)
    while at >= 0:
        if at == 0 or _NO_WORD.match(text[at - 1]):
            return True
        at = text.find(name, at + 1)
    return False
