"""Questions as people type them into a search engine, about paragraphs of the public sets.

`queries.tsv` was written for this project by a language model that saw the paragraphs of the
documents that are learned from: other words than theirs, and one in six that the paragraph does
not answer. Each line is a question: the first twelve digits of the SHA-256 of its paragraph, where
in the paragraph the answer begins (-1 where none stands there), the question, and the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

QUERIES = Path(__file__).with_name("queries.tsv")


@dataclass(frozen=True, slots=True)
class Query:
    """A question about the paragraph of a key; `start` is -1 and `answer` empty without one."""

    key: str
    start: int
    text: str
    answer: str


def key_of(paragraph: str) -> str:
    """The name of a paragraph.

    >>> key_of("The bridge was built in 1904.")
    'd1d3c0b5ba5a'
    """
    return hashlib.sha256(paragraph.encode()).hexdigest()[:12]


def queries(path: Path | None = None) -> Iterator[Query]:
    """All questions, in the order of the file; none where there is no such file."""
    path = path or QUERIES
    text = path.read_text("utf-8") if path.is_file() else ""
    for line in filter(None, text.split("\n")):
        key, start, question, answer = line.split("\t")
        yield Query(key, int(start), question, answer)


def placed(paragraphs: Mapping[str, str], path: Path | None = None) -> Iterator[tuple[Query, str]]:
    """The questions of these paragraphs (by their keys) whose answer stands where it should."""
    for one in queries(path):
        text = paragraphs.get(one.key, "")
        if text and (one.start < 0 or text.startswith(one.answer, one.start)):
            yield one, text
