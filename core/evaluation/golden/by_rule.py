"""Make questions without a language model: cloze and heading questions, by rule (pure).

They ask for words of one passage, so they are easier than people's questions: they show whether a
change broke something, not how good the answers are. Their origin begins with "rule".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.text.terms import terms
from core.types import Chunk, ChunkKind

BLANK = "____"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-ZÄÖÜ0-9])")
_LEAST_WORDS, _MOST_WORDS = 8, 40


def cloze(chunk: Chunk, document: str) -> GoldenItem | None:
    """Return a sentence of the chunk with its most specific name or number left out.

    It is the first sentence of 8 to 40 words whose name or number appears in it once; numbers are
    preferred, as they are harder to guess. None if there is no such sentence.
    """
    if chunk.kind is not ChunkKind.TEXT:
        return None
    for sentence in sentences(chunk.text):
        count = len(sentence.split())
        if not _LEAST_WORDS <= count <= _MOST_WORDS:
            continue
        gaps = [term for term in terms(sentence) if term.kind in ("number", "name")]
        gaps = [gap for gap in gaps if sentence.count(gap.form) == 1 and len(gap.form) > 1]
        if not gaps:
            continue
        gap = min(gaps, key=lambda term: (term.kind != "number", -len(term.form)))
        question = f"{sentence[: gap.start]}{BLANK}{sentence[gap.end :]}"
        return _item(chunk, document, "cloze", f"Fill in: {question}", (gap.form,), sentence)
    return None


def heading_question(chunk: Chunk, document: str) -> GoldenItem | None:
    """Ask what a section says and expect its first sentence; None for a chunk without headings."""
    if not chunk.headings or chunk.kind is not ChunkKind.TEXT:
        return None
    title = chunk.headings[-1].strip(" #.:")
    first = next((one for one in sentences(chunk.text) if len(one.split()) >= _LEAST_WORDS), "")
    if not first or not re.search(r"[^\W\d_]{3}", title):
        return None
    above = f" in “{chunk.headings[-2]}”" if len(chunk.headings) > 1 else ""
    question = f"What is said about “{title}”{above}?"
    return _item(chunk, document, "heading", question, (first,), first)


def by_rule(chunks: Iterable[tuple[Chunk, str]], most: int) -> list[GoldenItem]:
    """Return up to `most` questions, cloze and heading in turn, each from another chunk."""
    made: list[GoldenItem] = []
    for at, (chunk, document) in enumerate(chunks):
        if len(made) >= most:
            break
        ways = (cloze, heading_question) if at % 2 == 0 else (heading_question, cloze)
        item = ways[0](chunk, document) or ways[1](chunk, document)
        if item is not None:
            made.append(item)
    return made


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, on one line each, without Markdown headings."""
    blocks = re.split(r"\n\s*\n", text)
    kept = [" ".join(block.split()) for block in blocks if not block.lstrip().startswith("#")]
    return [one.strip() for block in kept for one in _SENTENCE.split(block) if one.strip()]


def _item(
    chunk: Chunk, document: str, rule: str, question: str, answers: Sequence[str], quote: str
) -> GoldenItem:
    return GoldenItem(
        id=f"{rule}-{chunk.id[:12]}-{chunk.ordinal}",
        question=question,
        answers=tuple(answers),
        sources=(GoldenSource(document, chunk.page_number, None, quote),),
        tags=("generated", rule),
        context=chunk.text,
        origin=f"rule: {rule}",
    )
