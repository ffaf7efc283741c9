"""Golden sets: questions with their answers and the places that hold them (pure but for reading).

One JSON object a line: {"id", "question", "answers": [...], "answerable": bool, "sources":
[{"document", "page" (from 1, or null), "anchor", "quote"}, ...], "tags": [...]}.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.errors import InvalidRequest

_FORM = 'Each line needs "question", "answers", "answerable" and "sources".'
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldenSource:
    """A place that holds the answer: `document` is its path below the folder of documents."""

    document: str
    page: int | None = None
    anchor: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class GoldenItem:
    """A question, what a right answer contains, and where that stands."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    answerable: bool = True
    sources: tuple[GoldenSource, ...] = ()
    tags: tuple[str, ...] = ()


def read_golden(path: Path) -> list[GoldenItem]:
    """The items of a golden set. Raises `InvalidRequest` with the line that cannot be read."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InvalidRequest(f"{path} cannot be read.", _FORM) from None
    return [_item(path, at, line) for at, line in enumerate(lines, 1) if line.strip()]


def _item(path: Path, at: int, line: str) -> GoldenItem:
    try:
        row = json.loads(line)
        return GoldenItem(
            id=str(row.get("id", at)),
            question=row["question"],
            answers=tuple(row.get("answers") or ()),
            answerable=bool(row.get("answerable", True)),
            sources=tuple(_source(source) for source in row.get("sources") or ()),
            tags=tuple(row.get("tags") or ()),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InvalidRequest(f"{path}, line {at}: not an item of a golden set.", _FORM) from None


def _source(row: dict[str, Any]) -> GoldenSource:
    return GoldenSource(row["document"], row.get("page"), row.get("anchor"), row.get("quote"))


def even_sample(items: Sequence[T], limit: int | None) -> list[T]:
    """At most `limit` items at even distances, the same each time: item `i * n // limit`.

    >>> even_sample("abcdefghij", 4)
    ['a', 'c', 'f', 'h']
    """
    if not limit or limit >= len(items):
        return list(items)
    return [items[at * len(items) // limit] for at in range(limit)]


def normalised(text: str) -> str:
    """Lower case without punctuation, articles and extra white space, as SQuAD compares answers.

    Source: the evaluation script of Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine
    Comprehension of Text", 2016.

    >>> normalised("The $1,577.00 (in millions)")
    '157700 in millions'
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def contains_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether the text contains one of the answers, both normalised."""
    found = normalised(text)
    return any(wanted and wanted in found for wanted in map(normalised, answers))
