"""What a search and an answer look like to programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Self

from pydantic import Field

from core.answering.certainty import in_words
from core.answering.exports.markdown import answer_with_links
from core.api.replies import NoticeOut, Reply, Text
from core.citations.mark import without_marks
from core.step_text import step_text
from core.types import (
    Answer,
    ChunkKind,
    Citation,
    Claim,
    DocumentKind,
    Hit,
    Level,
    Origin,
    SearchResult,
    Step,
    Support,
)


class PlanOut(Reply):
    """The question as understood, and the queries that looked for it."""

    question: Text
    goal: Text
    queries: list[Text]
    level: Level


class StepOut(Reply):
    """One step of the work."""

    name: str
    detail: Text
    seconds: float
    count: int | None
    tokens: int | None = Field(description="Of prompt and reply, where a model was asked.")

    @classmethod
    def of(cls, step: Step) -> Self:
        """Of one of the program's steps, in words."""
        return cls(
            name=step.name,
            detail=step_text(step),
            seconds=step.seconds,
            count=step.count,
            tokens=step.tokens,
        )


class SentOut(Reply):
    """A query that was searched, and what became of it."""

    text: Text
    where: Text = Field(description='"documents", "web" or "conversation".')
    why: Text
    found: int
    kept: int
    seconds: float


class PlaceOut(Reply):
    """The place of a passage, with the score and the rank that each stage gave it."""

    rank: int | None
    document_id: str
    document: Text
    chunk_id: str
    kind: ChunkKind
    page: int | None = Field(description="As people count, if they do.")
    page_ordinal: int
    start: int
    end: int
    headings: list[Text]
    dense: float | None = Field(description="Cosine similarity.")
    dense_rank: int | None
    lexical: float | None = Field(description="BM25.")
    lexical_rank: int | None
    fused: float | None
    fused_rank: int | None
    rerank: float | None
    rerank_rank: int | None
    query: Text
    dropped: Text = Field(description='Why it was not kept; "" where it was.')

    @classmethod
    def of(cls, hit: Hit) -> Self:
        """Of one of the program's hits."""
        return cls.model_validate(_fields(hit))


class HitOut(PlaceOut):
    """A passage that was found, with its text."""

    text: Text
    context: Text = Field(description="The passage joined with its neighbours: what is read.")
    context_start: int
    context_end: int
    also_in: list[Text] = Field(description="Other places that say the same; they were dropped.")


class SearchOut(Reply):
    """Hits, best first, then what was dropped, and how it was done."""

    plan: PlanOut
    hits: list[HitOut]
    dropped: list[PlaceOut]
    steps: list[StepOut]
    sent: list[SentOut]
    notices: list[NoticeOut]

    @classmethod
    def of(cls, result: SearchResult) -> SearchOut:
        """Of the program's result."""
        return cls(
            plan=PlanOut.model_validate(result.plan),
            hits=[HitOut.of(hit) for hit in result.hits],
            dropped=[PlaceOut.of(hit) for hit in result.dropped],
            steps=[StepOut.of(step) for step in result.steps],
            sent=[SentOut.model_validate(query) for query in result.sent],
            notices=[NoticeOut.model_validate(notice) for notice in result.notices],
        )


class CitationOut(Reply):
    """A number in the answer, and the passage that it leads to."""

    number: int
    document_id: str
    document: Text
    title: Text
    page: int | None = Field(description="As people count, if they do.")
    page_ordinal: int
    start: int = Field(description="Where the quote begins in the text of the page.")
    end: int
    quote: Text
    support: Support = Field(description="The weakest of the sentences that cite it.")
    headings: list[Text]
    anchor: Text | None
    url: Text
    attribution: Text = Field(description="The author to be named, and the licence.")
    published: str = Field(description='Of a web page: YYYY-MM-DD, "" when unknown.')
    read_at: str = Field(description='Of a web page: the day (UTC) on which it was read, or "".')
    also_in: list[Text] = Field(description="Other places that say the same.")
    score: float | None
    image: str = Field(description="The page with the quote marked (PDFs).")

    @classmethod
    def of(cls, citation: Citation, claims: Sequence[Claim], root: str) -> CitationOut:
        """Of the program's citation; `root` is the address of its session."""
        image = ""
        if citation.kind is DocumentKind.PDF:
            place = f"documents/{citation.document_id}/pages/{citation.page_ordinal}/image"
            image = f"{root}/{place}?start={citation.start}&end={citation.end}"
        return cls(
            number=citation.number,
            document_id=citation.document_id,
            document=citation.label,
            title=citation.title,
            page=citation.page_number,
            page_ordinal=citation.page_ordinal,
            start=citation.start,
            end=citation.end,
            quote=citation.quote,
            support=_support(citation.number, claims),
            headings=list(citation.headings),
            anchor=citation.anchor,
            url=citation.url,
            attribution=citation.attribution,
            published=citation.published,
            read_at=citation.read_on(),
            also_in=list(citation.also_in),
            score=citation.score,
            image=image,
        )


class ClaimOut(Reply):
    """One sentence of `answer` (from `start` to `end`), and what its check found."""

    start: int
    end: int
    numbers: list[int]
    support: Support
    reason: Text
    score: float | None
    wrong: list[int] = Field(
        description="Those of several marks that do not say what the sentence says."
    )


class AbstentionOut(Reply):
    """A plain refusal: the sources do not hold the answer."""

    reason: Text
    searched_documents: int
    searched_chunks: int
    queries: list[Text]
    is_near: bool = Field(
        description="Whether the first of `unused` is the sentence that comes nearest."
    )


class UsageOut(Reply):
    """What a model was given and gave, in tokens."""

    provider: str
    model: str
    prompt_tokens: int | None
    prompt_tokens_estimated: int | None
    answer_tokens: int | None
    context_length: int | None
    passages_given: int
    passages_found: int


class SpentOut(Reply):
    """What one stage took of one model, all its requests together."""

    stage: str = Field(
        description="planning (queries, grading), answering (checks too) or embedding."
    )
    provider: str
    model: str
    requests: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    cost: float | None = Field(description="Dollars; null without a price in MODEL_PRICES.")
    estimated: bool = Field(description="True where the server did not count all tokens.")


class ScopeOut(Reply):
    """The documents that a question was asked of, as in the request; and how many they are."""

    documents: list[str] | None
    origin: list[Origin]
    kind: list[DocumentKind]
    tags: list[Text]
    added_after: datetime | None
    published_after: date | None
    asked: int = Field(description="How many documents that is,")
    of: int = Field(description="and how many the session searches without a scope.")

    @classmethod
    def of_answer(cls, answer: Answer) -> ScopeOut | None:
        """Of the program's answer; None where it was asked of all documents."""
        if answer.asked_of is None:
            return None
        asked, of = answer.asked_of
        scope = answer.scope
        return cls(
            documents=None if scope.documents is None else sorted(scope.documents),
            origin=list(scope.origin),
            kind=list(scope.kind),
            tags=list(scope.tags),
            added_after=scope.added_after,
            published_after=scope.published_after,
            asked=asked,
            of=of,
        )


class AnswerOut(Reply):
    """An answer with everything that is needed to check it."""

    question: Text
    answer: Text = Field(
        description="Markdown in which nothing is live; its citation marks are [1], [2], ..."
    )
    answer_without_citations: Text
    answer_with_links: Text = Field(
        description="As `answer`; the mark of a source with a web address is a link to it: "
        "[[1]](https://...)."
    )
    answered: bool = Field(description="False where the sources do not hold the answer.")
    citations: list[CitationOut]
    unused: list[CitationOut] = Field(description="Found, but not cited; best first.")
    claims: list[ClaimOut]
    highlights: list[tuple[int, int]] = Field(
        description="The stretches of `answer`, in characters, that hold the words that answer."
    )
    abstention: AbstentionOut | None
    confidence: float | None
    certainty: str = Field(
        description="The confidence in words: found directly, found nearby, not found; or nothing."
    )
    hits: list[HitOut]
    dropped: list[PlaceOut]
    plan: PlanOut | None
    steps: list[StepOut]
    sent: list[SentOut]
    notices: list[NoticeOut]
    usage: UsageOut | None
    spent: list[SpentOut] = Field(description="Tokens, time and money by stage and model.")
    answerer: str
    seconds: float
    complete: bool = Field(description="False where it ended early; `notices` says why.")
    scope: ScopeOut | None = Field(description="Null where all documents were asked.")
    conversation_id: str | None

    @classmethod
    def of(cls, answer: Answer, root: str, conversation_id: str | None = None) -> AnswerOut:
        """Of the program's answer; `root` is the address of its session."""
        found = SearchOut.of(answer.search) if answer.search else None
        numbers = {citation.number for citation in answer.citations}
        refused = answer.abstention
        return cls(
            question=answer.question,
            answer=answer.text,
            answer_without_citations=without_marks(answer.text, numbers),
            answer_with_links=answer_with_links(answer),
            answered=answer.abstention is None,
            citations=[CitationOut.of(c, answer.claims, root) for c in answer.citations],
            unused=[CitationOut.of(c, (), root) for c in answer.unused],
            claims=[ClaimOut.model_validate(claim) for claim in answer.claims],
            highlights=list(answer.highlights),
            abstention=AbstentionOut.model_validate(refused) if refused else None,
            confidence=answer.confidence,
            certainty=in_words(answer),
            hits=found.hits if found else [],
            dropped=found.dropped if found else [],
            plan=found.plan if found else None,
            steps=found.steps if found else [],
            sent=found.sent if found else [],
            notices=[NoticeOut.model_validate(notice) for notice in answer.notices],
            usage=UsageOut.model_validate(answer.usage) if answer.usage else None,
            spent=[SpentOut.model_validate(one) for one in answer.spent],
            answerer=answer.answerer,
            seconds=answer.seconds,
            complete=answer.complete,
            scope=ScopeOut.of_answer(answer),
            conversation_id=conversation_id,
        )


_OF_HIT = (
    "rank", "dense", "dense_rank", "lexical", "lexical_rank", "fused", "fused_rank", "rerank",
    "rerank_rank", "query", "dropped", "context", "context_start", "context_end", "also_in",
)  # fmt: skip
_WEAKEST_FIRST = (Support.UNSUPPORTED, Support.UNCHECKED, Support.MATCHED, Support.SUPPORTED)


def _support(number: int, claims: Sequence[Claim]) -> Support:
    found = {
        Support.UNSUPPORTED if number in claim.wrong else claim.support
        for claim in claims
        if number in claim.numbers
    }
    weakest = [support for support in _WEAKEST_FIRST if support in found]
    return weakest[0] if weakest else (Support.VERBATIM if found else Support.UNCHECKED)


def _fields(hit: Hit) -> dict[str, Any]:
    chunk = hit.chunk
    return {name: getattr(hit, name) for name in _OF_HIT} | {
        "document_id": chunk.document_id,
        "document": hit.document.label,
        "chunk_id": chunk.id,
        "kind": chunk.kind,
        "page": chunk.page_number,
        "page_ordinal": chunk.page_ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "headings": list(chunk.headings),
        "text": chunk.text,
    }
