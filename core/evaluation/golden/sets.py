"""Golden sets: questions with their answers and the places that hold them (pure, reading apart).

One JSON object on each line: {"id", "question", "answers": [...], "answerable": bool, "sources":
[{"document", "page" (from 1, or null), "anchor", "quote"}, ...], "tags": [...]}, and in
generated sets also "context", "follows", "origin" and "critiques". `formats.py` reads others.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.errors import InvalidRequest

_FORM = 'Each line needs "question", "answers", "answerable" and "sources".'
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldenSource:
    """A place that holds the answer; `document` is a path within the folder of documents."""

    document: str
    page: int | None = None
    anchor: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Critique:
    """A critique of a generated question: a score from 1 to 5 with its reasons."""

    name: str
    score: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GoldenItem:
    """A question, what a right answer contains, and the places in the documents that hold it.

    `context` is the passage that a generated question was made from, `follows` the questions that
    were asked before it, `origin` who made it ("" is a person; "model NAME", "rule: cloze", ...).
    """

    id: str
    question: str
    answers: tuple[str, ...] = ()
    answerable: bool = True
    sources: tuple[GoldenSource, ...] = ()
    tags: tuple[str, ...] = ()
    context: str = ""
    follows: tuple[str, ...] = ()
    origin: str = ""
    critiques: tuple[Critique, ...] = ()


def read_golden(path: Path) -> list[GoldenItem]:
    """Return the items of a golden set. Raises `InvalidRequest` with a line that cannot be read."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InvalidRequest(f"{path} cannot be read.", _FORM) from None
    return golden_lines("\n".join(lines), str(path))


def golden_lines(text: str, name: str) -> list[GoldenItem]:
    """Return the items of JSON lines; errors name them `name`. Raises `InvalidRequest`."""
    lines = text.splitlines()
    return [_line(name, at, line) for at, line in enumerate(lines, 1) if line.strip()]


def _line(name: str, at: int, line: str) -> GoldenItem:
    try:
        return item_of(json.loads(line), at)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InvalidRequest(f"{name}, line {at}: not a question with answers.", _FORM) from None


def item_of(row: dict[str, Any], at: int) -> GoldenItem:
    """Return the item of one object; `at` is the id of one that has none.

    Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for anything else.
    """
    return GoldenItem(
        id=str(row.get("id", at)),
        question=_words(row["question"]),
        answers=_texts(row.get("answers")),
        answerable=bool(row.get("answerable", True)),
        sources=tuple(_source(source) for source in row.get("sources") or ()),
        tags=_texts(row.get("tags")),
        context=_words(row.get("context") or ""),
        follows=_texts(row.get("follows")),
        origin=_words(row.get("origin") or ""),
        critiques=tuple(
            Critique(_words(one["name"]), int(one["score"]), _words(one.get("reason") or ""))
            for one in row.get("critiques") or ()
        ),
    )


def row_of(item: GoldenItem) -> dict[str, Any]:
    """Return the object that `item_of` reads as the same item; empty fields are left out."""
    row = asdict(item)
    return {
        key: value
        for key, value in row.items()
        if value or key in ("id", "question", "answers", "answerable", "sources", "tags")
    }


def as_jsonl(items: Iterable[GoldenItem]) -> str:
    """Return a set as a file with one JSON object on each line."""
    return "".join(json.dumps(row_of(item), ensure_ascii=False) + "\n" for item in items)


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        raise TypeError("a list of texts is expected")
    return tuple(_words(one) for one in value or ())


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("text is expected")
    return value


def _source(row: dict[str, Any]) -> GoldenSource:
    page = row.get("page")
    return GoldenSource(
        _words(row["document"]),
        None if page is None else int(page),
        row.get("anchor"),
        row.get("quote"),
    )


def even_sample(items: Sequence[T], limit: int | None) -> list[T]:
    """Return up to `limit` evenly spaced items, always the same: item `i * n // limit`.

    >>> even_sample("abcdefghij", 4)
    ['a', 'c', 'f', 'h']
    """
    if not limit or limit >= len(items):
        return list(items)
    return [items[at * len(items) // limit] for at in range(limit)]


def normalised(text: str) -> str:
    """Return lower case without punctuation, articles and extra white space, as SQuAD compares.

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
