"""Answers without a language model: the sentences of the hits that answer best, word for word."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.extractive import abstention, scoring
from core.answering.extractive.candidates import Candidate, find_candidates
from core.citations.answer_start import answer_start
from core.citations.mark import mark
from core.citations.passages import PassageKey, citation_of, passage_key, passage_of, unused
from core.models.port import Embedder
from core.text.markdown_quoting import collapse, escape_markdown, fence
from core.text.sentences import SentenceKind
from core.text.terms import content_keys
from core.types import (
    Abstention,
    Answer,
    Citation,
    Claim,
    Event,
    Hit,
    Message,
    SearchResult,
    Step,
    Support,
    TextPiece,
)

MAX_SENTENCES = 3
MAX_EMBEDDED = 64
"""Sentences that are embedded; of more candidates, those that share the most with the question."""
MAX_COUNTED = 40
"""Passages beyond the hits in which terms are counted, to know which are rare."""
LONGEST_EMBEDDED = 400  # characters: what a short-sequence model reads of one sentence


@dataclass(frozen=True, slots=True)
class Scored:
    """The candidates of one search, with features and scores a row each."""

    candidates: list[Candidate]
    matrix: scoring.Matrix
    scores: np.ndarray[tuple[int], np.dtype[np.float32]]
    rarity: scoring.Rarity


class ExtractiveAnswerer:
    """Quotes at most three sentences, each with its citation, or refuses.

    Every sentence of `Answer.text` is `page_text[start:end]` of its citation's page, with white
    space collapsed and Markdown's special characters escaped; code is quoted as a fenced block.
    """

    name = "extractive"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def answer(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message] = (),
        *,
        searched: tuple[int, int] = (0, 0),
    ) -> Iterator[Event]:
        """Steps, pieces of text, then exactly one `Answer`.

        `searched` are the documents and chunks that were searched, for saying so in a refusal.
        """
        began = time.monotonic()
        asked = result.plan.goal or question
        scored = self.score(asked, result)
        yield Step("sentences", seconds=time.monotonic() - began, count=len(scored.candidates))
        belief = _confidence(asked, result.hits, scored)
        if belief < abstention.THRESHOLD:
            answer = refusal(question, result, belief, searched)
            yield TextPiece(answer.text)
        else:
            chosen = choose(asked, scored.candidates, scored.scores, result.hits)
            pieces, answer = compose(question, result, chosen, belief)
            yield from (TextPiece(piece) for piece in pieces)
        yield answer

    def score(self, question: str, result: SearchResult) -> Scored:
        """How well each sentence of the hits answers `question`."""
        candidates = find_candidates(result.hits)
        rarity = scoring.Rarity(
            [passage_of(hit)[0] for hit in result.hits]
            + [hit.chunk.text for hit in result.dropped[:MAX_COUNTED]]
        )
        candidates = scoring.shortlist(question, candidates, result.hits, rarity, MAX_EMBEDDED)
        if not candidates:
            nothing = np.zeros((0, len(scoring.FEATURES)), dtype=np.float32)
            return Scored([], nothing, np.zeros(0, dtype=np.float32), rarity)
        asked = self._embedder.embed_query(question)
        alone = [collapse(c.sentence.text)[:LONGEST_EMBEDDED] for c in candidates]
        cosines = np.asarray(self._embedder.embed(alone) @ asked, dtype=np.float32)
        matrix = scoring.features(question, candidates, result.hits, cosines, rarity)
        return Scored(candidates, matrix, scoring.scores(matrix), rarity)


def _confidence(question: str, hits: Sequence[Hit], scored: Scored) -> float:
    if not scored.candidates:
        return 0.0
    return abstention.confidence(
        abstention.signals(
            question, hits, scored.candidates, scored.matrix, int(scored.scores.argmax()),
            scored.rarity,
        )
    )  # fmt: skip


def choose(
    question: str,
    candidates: Sequence[Candidate],
    scores: np.ndarray[tuple[int], np.dtype[np.float32]],
    hits: Sequence[Hit],
) -> list[Candidate]:
    """Return the best candidates, best first.

    Code is quoted, as a whole block, where it answers best or stands right below the best
    sentence, which it then follows.
    """
    begins = [answer_start(hit) for hit in hits]  # a question is never quoted as an answer
    asked = set(content_keys(question))
    order = [candidates[int(at)] for at in np.argsort(-scores, kind="stable")]
    order = [
        c for c in order if c.sentence.start >= begins[c.hit] and not _only_repeats(c, asked)
    ] or order
    prose = [c for c in order if c.sentence.kind is not SentenceKind.CODE]
    if order and order[0].sentence.kind is SentenceKind.CODE:
        return [order[0], *prose[: MAX_SENTENCES - 1]]
    if shown := _code_below(prose[:1], order):
        return [*prose[:1], shown, *prose[1 : MAX_SENTENCES - 1]]
    return prose[:MAX_SENTENCES]


def _only_repeats(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is a heading that says nothing but words of the question."""
    sentence = candidate.sentence
    return sentence.kind is SentenceKind.HEADING and asked.issuperset(content_keys(sentence.text))


def _code_below(best: Sequence[Candidate], all_of_them: Sequence[Candidate]) -> Candidate | None:
    """The code that the best sentence speaks of: the block that stands right below it."""
    for sentence in best:
        for other in all_of_them:
            if (
                other.sentence.kind is SentenceKind.CODE
                and other.hit == sentence.hit
                and sentence.after == other.sentence.text
            ):
                return other
    return None


def compose(
    question: str, result: SearchResult, chosen: Sequence[Candidate], belief: float
) -> tuple[list[str], Answer]:
    """The pieces of the text, and the answer whose text is all of them joined."""
    numbers: dict[PassageKey, int] = {}
    cited: dict[int, list[Candidate]] = {}
    pieces: list[str] = []
    claims: list[Claim] = []
    at = 0
    before: Candidate | None = None
    for candidate in chosen:
        hit = result.hits[candidate.hit]
        number = numbers.setdefault(passage_key(hit), len(numbers) + 1)
        cited.setdefault(number, []).append(candidate)
        gap = _gap(before, candidate, result.hits)
        quote = _written(candidate)
        gap_before_mark = "\n" if candidate.sentence.kind is SentenceKind.CODE else " "
        start = at + len(gap)
        claims.append(Claim(start, start + len(quote), (number,), Support.VERBATIM, score=1.0))
        pieces.append(gap + quote + gap_before_mark + mark(number))
        at += len(pieces[-1])
        before = candidate
    citations = tuple(_cite(n, found, result.hits[found[0].hit]) for n, found in cited.items())
    answer = Answer(
        question=question,
        text="".join(pieces),
        citations=citations,
        unused=unused(result.hits, numbers, len(citations)),
        claims=tuple(claims),
        confidence=belief,
        search=result,
        answerer=ExtractiveAnswerer.name,
        notices=result.notices,
    )
    return pieces, answer


def _written(candidate: Candidate) -> str:
    if candidate.sentence.kind is SentenceKind.CODE:
        return fence(candidate.sentence.text)
    return escape_markdown(candidate.sentence.text)


def _gap(before: Candidate | None, after: Candidate, hits: Sequence[Hit]) -> str:
    """Sentences that follow each other in one passage run on; all else begins a paragraph."""
    if before is None:
        return ""
    same = passage_key(hits[before.hit]) == passage_key(hits[after.hit])
    prose = before.sentence.kind is after.sentence.kind is SentenceKind.PROSE
    follows = before.sentence.start < after.sentence.start
    return " " if same and prose and follows else "\n\n"


def _cite(number: int, found: Sequence[Candidate], hit: Hit) -> Citation:
    """The citation of one passage: its marked span reaches over all sentences quoted from it."""
    start = min(c.sentence.start for c in found)
    end = max(c.sentence.end for c in found)
    spans = sorted((c.sentence.start, c.sentence.end) for c in found) if len(found) > 1 else ()
    return citation_of(number, hit, start, end, tuple(spans))


def refusal(
    question: str, result: SearchResult, belief: float, searched: tuple[int, int]
) -> Answer:
    """A refusal that says what was searched; the nearest passages are listed as unused."""
    documents, chunks = searched
    where = f"{_count(documents, 'document')} ({_count(chunks, 'passage')})"
    reason = (
        "The passages that come nearest do not hold an answer to this question."
        if result.hits
        else "No passage has anything in common with this question."
    )
    searched_text = f"I searched {where} and found no answer to this question."
    if not documents:
        searched_text = (
            "There are no documents to search yet."
            if not result.hits
            else ("I searched the documents and found no answer to this question.")
        )
    return Answer(
        question=question,
        text=searched_text,
        unused=unused(result.hits),
        abstention=Abstention(reason, documents, chunks, result.plan.queries),
        confidence=belief,
        search=result,
        answerer=ExtractiveAnswerer.name,
        notices=result.notices,
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
