"""What each mark of an answer stands for: the part of its source that its sentence says (pure).

A number stands for a passage, which an answer may cite in several sentences. Each of them quotes
or restates its own part of what the citation marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.citations.locate import NEARLY, overlaps
from core.citations.statements import plain, words_at_marks
from core.text.markdown_quoting import collapse
from core.types import Citation

Span = tuple[int, int]

_BEFORE_STOP = re.compile(r" (?=[.,;:!?。])")
"""The space that a mark leaves before the end of its sentence."""


@dataclass(frozen=True, slots=True)
class Use:
    """One mark in an answer: its number, and the spans of the source's page that it stands for.

    `quote` is the text of the spans, `sentence` what the answer says there.
    """

    number: int
    spans: tuple[Span, ...]
    quote: str
    sentence: str


def uses(answer: str, citations: Sequence[Citation]) -> list[Use]:
    """The use of each mark of the answer, in order."""
    cited = {citation.number: citation for citation in citations}
    return [_use(cited[number], *words) for number, *words in words_at_marks(answer, cited)]


def spans_of(citation: Citation) -> tuple[Span, ...]:
    """The stretches of the page that a citation marks."""
    return citation.spans or ((citation.start, citation.end),)


def _use(citation: Citation, words: str, near: str) -> Use:
    """The use of a mark whose sentence has these words, and so many of them `near` before it."""
    spans = spans_of(citation)
    texts = [_text(citation, span) for span in spans]
    if len(spans) > 1:
        quoted = _quoted(near, texts)  # two quotes without a stop between them are one sentence
        spans = tuple(spans[at] for at in (quoted if len(quoted) == 1 else _meant(words, texts)))
    chosen = [_text(citation, span) for span in spans]
    quote = " … ".join(chosen) if citation.spans else citation.quote
    return Use(citation.number, spans, quote, _BEFORE_STOP.sub("", words))


def _meant(words: str, texts: Sequence[str]) -> list[int]:
    """Which of the texts the words say: those that they quote, else those that share most."""
    if quoted := _quoted(words, texts):
        return quoted
    scores = overlaps(words, texts)
    best = max(scores)
    return [at for at, score in enumerate(scores) if score >= NEARLY * best]


def _quoted(words: str, texts: Sequence[str]) -> list[int]:
    """Which of the texts these words quote, or are quoted of; none where there are no words."""
    said = collapse(words).casefold()
    plain_texts = [plain(text).casefold() for text in texts]
    return [
        at
        for at, text in enumerate(plain_texts)
        if said and text and (text in said or said in text)
    ]


def _text(citation: Citation, span: Span) -> str:
    return citation.quote[span[0] - citation.start : span[1] - citation.start]
