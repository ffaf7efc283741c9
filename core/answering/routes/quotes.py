"""Writes an answer of own words and quotes: each quote word for word, with its citation."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.citations.mark import mark
from core.citations.passages import PassageKey, citation_of, passage_key
from core.text.markdown_quoting import escape_markdown
from core.types import Chunk, Citation, Claim, Document, Hit, Support


@dataclass
class Quotes:
    """The text of an answer while it is put together, with its claims and citations."""

    text: str = ""
    claims: list[Claim] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[PassageKey, int] = field(default_factory=dict)

    def say(self, markdown: str) -> None:
        """Add words of our own, as they are."""
        self.text += markdown

    def quote(self, hit: Hit, start: int, end: int) -> None:
        """Add `[start, end)` of the page of `hit`, which lies within its passage, and its mark."""
        key = (*passage_key(hit)[:2], start, end)
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        citation = citation_of(number, hit, start, end)
        if number > len(self.citations):
            self.citations.append(citation)
        quoted, at = escape_markdown(citation.quote), len(self.text)
        self.claims.append(Claim(at, at + len(quoted), (number,), Support.VERBATIM, score=1.0))
        self.text += f"{quoted} {mark(number)}"


def hit_around(document: Document, chunk: Chunk, page_text: str, start: int, end: int) -> Hit:
    """The hit of a chunk whose passage reaches over `[start, end)` of its page as well."""
    first, last = min(chunk.start, start), max(chunk.end, end)
    return Hit(
        chunk, document, context=page_text[first:last], context_start=first, context_end=last
    )
