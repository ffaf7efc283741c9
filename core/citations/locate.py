"""From marks to citations: for each number the sentences of its passage that the answer is about.

A passage is some thousand characters long; what a reader wants to see marked is the sentence that
says it. Pure but for the embedding, which is asked only where words do not meet (an answer in
another language than its source).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.citations.passages import citation_of, sentences_of
from core.citations.statements import statements
from core.models.port import Embedder
from core.text.sentences import Sentence, SentenceKind
from core.text.terms import terms
from core.types import Citation, Hit

NEARLY = 0.8
"""A second sentence of the passage is marked too when it fits nearly as well as the best."""
_MOST_EMBEDDED = 40


def cite(
    text: str, cited: Sequence[int], sources: Sequence[Hit], embedder: Embedder
) -> tuple[Citation, ...]:
    """The citations of `text`, whose mark `[n]` leads to `sources[cited[n - 1] - 1]`."""
    said: dict[int, list[str]] = {}
    for statement in statements(text, range(1, len(cited) + 1)):
        for number in statement.numbers:
            said.setdefault(number, []).append(statement.words)
    return tuple(
        _cite(number, sources[source - 1], said.get(number, []), embedder)
        for number, source in enumerate(cited, 1)
    )


def _cite(number: int, hit: Hit, statements: Sequence[str], embedder: Embedder) -> Citation:
    pieces = _pieces(hit)
    chosen = sorted(
        {piece for statement in statements for piece in _matching(statement, pieces, embedder)},
        key=lambda piece: piece.start,
    )
    if not chosen:
        return citation_of(number, hit, hit.chunk.start, hit.chunk.end)
    start, end = chosen[0].start, chosen[-1].end
    spans = tuple((piece.start, piece.end) for piece in chosen) if len(chosen) > 1 else ()
    return citation_of(number, hit, start, end, spans)


def _pieces(hit: Hit) -> list[Sentence]:
    pieces = sentences_of(hit)
    return [piece for piece in pieces if piece.kind is not SentenceKind.HEADING] or pieces


def _matching(statement: str, pieces: Sequence[Sentence], embedder: Embedder) -> list[Sentence]:
    """The sentence that says what the statement says, with a neighbour that says it as well."""
    if len(pieces) < 2:
        return list(pieces)
    scores = overlaps(statement, [piece.text for piece in pieces])
    if max(scores) <= 0:
        some = pieces[:_MOST_EMBEDDED]
        vectors = embedder.embed([statement, *(piece.text for piece in some)])
        return [some[int(np.argmax(vectors[1:] @ vectors[0]))]]
    best = int(np.argmax(scores))
    near = [at for at in (best - 1, best + 1) if 0 <= at < len(pieces)]
    also = [at for at in near if scores[at] >= NEARLY * scores[best]]
    return [pieces[at] for at in sorted([best, *also])]


def overlaps(statement: str, texts: Sequence[str]) -> list[float]:
    """The share of the statement's terms that each text has; numbers and names count double.

    Divided by a slow function of the sentence's length, so that a long one does not win by size.
    """
    wanted = {
        term.key: 1.0 if term.kind == "word" else 2.0
        for term in terms(statement)
        if term.kind != "stop"
    }
    scores = []
    for text in texts:
        has = {term.key for term in terms(text)}
        shared = sum(weight for key, weight in wanted.items() if key in has)
        scores.append(shared / (8 + len(has)) ** 0.5)
    return scores
