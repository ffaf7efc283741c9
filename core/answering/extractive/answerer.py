"""Answers without a language model: the sentences that answer best, word for word."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from core.answering.certainty import is_direct
from core.answering.extractive.composing import compose
from core.answering.extractive.doubts import tells_of_others
from core.answering.extractive.follow_ups import asked_on
from core.answering.extractive.question.kinds import asks_for_list
from core.answering.extractive.refusing import (
    has_number,
    holds_answer,
    holds_wanted,
    is_believed,
    is_sure,
    refusal,
    with_nearest,
    words_unsaid,
)
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences import abstention, scoring
from core.answering.extractive.sentences.candidates import Candidate, find_candidates
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.entries import further_entries, is_gloss
from core.answering.extractive.sentences.opening.frequent import (
    borne_out,
    frequent_questions,
    nearly_asked,
)
from core.answering.extractive.sentences.opening.persons import signer, speaks_of_office
from core.answering.extractive.sentences.opening.rows import is_all_asked_for, rows_behind
from core.answering.extractive.sentences.quotable import without_number
from core.answering.extractive.sentences.reading import all_english, joined, read_candidates
from core.answering.extractive.structures.numbered import numbered_quotes
from core.answering.extractive.structures.quotes import whole_quotes
from core.answering.extractive.structures.sections.quotes import section_quotes
from core.answering.extractive.structures.superlatives import not_by_chance, superlative_quotes
from core.citations.passages import passage_of
from core.models.port import Embedder, Vectors
from core.models.reader import Reader
from core.planning.follow_ups.people import NOBODY_MEANT
from core.planning.paraphrases import beside, formal_words, formally
from core.text.acronyms import short_form_asked, spelled_out
from core.text.markdown_quoting import collapse
from core.text.other_words import ReadAs, reading
from core.text.terms import content_keys
from core.types import Answer, Event, Hit, Message, SearchResult, Step, TextPiece

MAX_EMBEDDED = 64
"""Sentences that are embedded; of more candidates, those that share the most with the question."""
FURTHER_READ = 5
"""Passages behind the hits that are read too: a row of a table is seldom among the first."""
MAX_COUNTED = 40
"""Passages beyond the hits in which terms are counted, to know which are rare."""
LONGEST_EMBEDDED = 400  # characters: what a short-sequence model reads of one sentence


class ExtractiveAnswerer:
    """Quotes the best sentence and only what more is needed, with citations, or refuses.

    Every sentence of `Answer.text` is `page_text[start:end]` of its citation's page, with white
    space collapsed and Markdown's special characters escaped; code is quoted as a fenced block.
    """

    name = "extractive"

    def __init__(self, embedder: Embedder, reader: Reader | None = None) -> None:
        self._embedder, self._reader = embedder, reader

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
        plan = result.plan
        asked = beside(plan.asked or question, formal_words(plan.own or question))
        scored = self.score(asked, result)
        if plan.follows:
            scored = asked_on(plan.question, history, scored)
        yield Step("sentences", seconds=time.monotonic() - began, count=len(scored.candidates))
        pieces, answer = quoted(question, asked, result, scored, searched)
        yield from map(TextPiece, pieces)
        yield answer

    def score(self, question: str, result: SearchResult) -> Scored:
        """How well each sentence of the hits, and of those right behind, answers `question`."""
        hits = (*result.hits, *result.dropped[:FURTHER_READ])
        short, _ = short_form_asked(question)
        behind = result.dropped[FURTHER_READ:]
        entries = (*further_entries(question, behind), *_spelling_out(short, behind))
        rows = rows_behind(question, behind)
        entries = (*entries, *(one for one in rows if one not in entries))
        found_in = (*hits, *entries)
        found = find_candidates(found_in)
        candidates = [one for one in found if one.hit < len(hits)]
        glosses = [
            one
            for one in found
            if one.hit >= len(hits)
            and (
                is_gloss(one)
                or spelled_out(f"{one.sentence.text} {one.after}", short)
                or (rows and is_all_asked_for(question, one.sentence.text, found_in[one.hit]))
            )
        ]
        read_as = reading(result.plan.also)
        rarity = scoring.Rarity(
            [passage_of(hit)[0] for hit in result.hits]
            + [hit.chunk.text for hit in result.dropped[:MAX_COUNTED]]
        )
        asked = self._embedder.embed_query(question)
        alike = self._alike(question, asked, candidates, hits)
        frequent = nearly_asked(question, alike, candidates)
        answers = [one for one in candidates if frequent and one.under == frequent]
        candidates = scoring.shortlist(question, candidates, hits, rarity, MAX_EMBEDDED, read_as)
        answers = [one for one in answers if one not in candidates]
        hits, candidates = found_in, [*candidates, *answers, *glosses]
        if not candidates:
            nothing = np.zeros((0, len(scoring.FEATURES)), dtype=np.float32)
            return Scored(hits, [], nothing, np.zeros(0, dtype=np.float32), rarity)
        alone = [collapse(c.sentence.text)[:LONGEST_EMBEDDED] for c in candidates]
        cosines = np.asarray(self._embedder.embed(alone) @ asked, dtype=np.float32)
        matrix = scoring.features(question, candidates, hits, cosines, rarity, read_as)
        scores = scoring.scores(matrix)
        english = all_english(candidates, scores, hits)
        if not english:
            scores = scoring.scores(matrix, english=False)
        if not english or self._reader is None or asks_for_list(question):
            return Scored(hits, candidates, matrix, scores, rarity, frequent=frequent)
        reads = read_candidates(self._reader, question, candidates, scores, hits)
        scores = joined(candidates, scores, reads)
        frequent = borne_out(frequent, alike, reads)
        return Scored(hits, candidates, matrix, scores, rarity, reads, frequent=frequent)

    def _alike(
        self, question: str, asked: Vectors, candidates: Sequence[Candidate], hits: Sequence[Hit]
    ) -> dict[str, float]:
        """The frequent questions of the documents, each with its cosine with the question."""
        found = frequent_questions(question, candidates, hits)
        if not found:
            return {}
        vectors = self._embedder.embed([without_number(one) for one in found])
        return dict(zip(found, (vectors @ asked).tolist(), strict=True))


def _spelling_out(short: str, hits: Sequence[Hit]) -> list[Hit]:
    """The first passage that writes a short form out: others only use it, and are as near."""
    return [one for one in hits if spelled_out(one.chunk.text, short)][:1]


def quoted(
    question: str, asked: str, result: SearchResult, scored: Scored, searched: tuple[int, int]
) -> tuple[list[str], Answer]:
    """The pieces of the answer's text and the answer: quotes, or a refusal where none answers.

    `asked` is the question put whole. Where only a person, a date or a count can answer it, and
    nothing that would be quoted has one, there is no answer.
    """
    read_as = reading(result.plan.also)
    own = result.plan.asked or question  # words of ours that documents lack tell nothing against it
    held = set[str]().union(*(read_as(content_keys(passage_of(hit)[0])) for hit in result.hits))
    readings = {asked, own, formally(own, held)}
    belief = max(_confidence(one, result.hits, scored, read_as) for one in readings)
    quotes = listed = (
        numbered_quotes(own, scored.hits, scored.said)
        or section_quotes(own, scored.hits)
        or superlative_quotes(own, scored.hits)
    )
    if not quotes and (is_believed(question, belief, scored) or is_sure(question, result, scored)):
        chosen = choose(
            asked, scored.candidates, scored.scores, scored.hits, scored.reads,
            typed=scored.typed, said=scored.said, frequent=scored.frequent,
        )  # fmt: skip
        quotes = whole_quotes(asked, not_by_chance(own, chosen), scored.hits)
    unsaid = () if listed else words_unsaid(own, quotes, result, scored)
    answers = quotes and not unsaid and holds_answer(question, asked, quotes, scored)
    answers = answers and not any(one.code == NOBODY_MEANT for one in result.plan.notices)
    translated = bool(result.plan.translated)
    others = tells_of_others(own, belief, quotes, scored, read_as, translated=translated)
    others = others or not has_number(own, quotes)
    told = answers and not others and speaks_of_office(own, quotes[0].candidate.sentence.text)
    if not told and (signed := signer(own, scored.candidates, scored.hits)):
        quotes = whole_quotes(asked, [signed], scored.hits)
        answers, others = True, False
    if not answers or (others and not listed):
        answer = refusal(question, result, belief, searched, unsaid)
        if not quotes:
            answer = with_nearest(answer, scored, result.hits)
        return [answer.text], answer
    pieces, answer = compose(question, result, quotes, belief, scored)
    direct = is_direct(scoring.scores(scored.matrix).tolist()) and holds_wanted(asked, quotes[:1])
    return pieces, replace(answer, direct=bool(listed) or direct)


def _confidence(question: str, hits: Sequence[Hit], scored: Scored, read_as: ReadAs) -> float:
    if not scored.candidates:
        return 0.0
    return abstention.confidence(
        abstention.signals(
            question, hits, scored.candidates, scored.matrix, int(scored.scores.argmax()),
            scored.rarity, read_as,
        )
    )  # fmt: skip
