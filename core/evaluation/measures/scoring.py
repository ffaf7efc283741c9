"""Every measure of one answered question (pure but for the token vectors that it is given)."""

from __future__ import annotations

from collections.abc import Sequence

from core.citations.mark import plain_words
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.measures import answer as metrics
from core.evaluation.measures import grounding
from core.evaluation.measures.bertscore import Encode, bertscore, rescaled
from core.evaluation.measures.matching import Place, found_sources, leads_to
from core.evaluation.measures.ranking import ranking_measures
from core.evaluation.runs.results import Found, Judgement, Measures
from core.types import Answer, Citation, Hit

_SHOWN_HITS = 10
_SHOWN_TEXT = 400
"""Characters of a hit that are kept with a result."""


def score(
    item: GoldenItem,
    answer: Answer,
    sources: Sequence[GoldenSource],
    k: int,
    encode: Encode | None = None,
) -> Measures:
    """All measures that can be taken of an answer; those that cannot are None or left out.

    `sources` are the item's, with ids of documents in the place of names. A refusal counts as a
    miss of an answerable question; what is refused has no grounding and no BERTScore.
    """
    refused = answer.abstention is not None
    text = "" if refused else plain_words(answer.text)
    found: Measures = {}
    if answer.search is not None:
        found |= retrieval_measures(answer.search.hits, sources, k)
    if item.answerable and item.answers:
        found |= answer_measures(text, item.answers, encode)
    found |= _grounding(item, answer, text, sources)
    found |= _abstention(item, answer, refused)
    return found | _cost(answer, refused)


def retrieval_measures(hits: Sequence[Hit], sources: Sequence[GoldenSource], k: int) -> Measures:
    """The hits against the named places, and the mean cosine of question and hits."""
    cosines = [hit.dense for hit in hits if hit.dense is not None]
    cosine = sum(cosines) / len(cosines) if cosines else None
    if not sources:
        return {"hit_cosine": cosine}
    places = [place_of_hit(hit) for hit in hits]
    pages = {(source.document, source.page) for source in sources if source.page is not None}
    documents = {source.document for source in sources}
    found: Measures = {**ranking_measures(found_sources(places, sources), len(sources), k)}
    found["document_hit"] = float(any(place.document in documents for place in places))
    if pages:
        found["page_hit"] = float(any((place.document, place.page) in pages for place in places))
    return {**found, "hit_cosine": cosine}


def answer_measures(text: str, accepted: Sequence[str], encode: Encode | None) -> Measures:
    """The answer's text against the accepted answers."""
    found: Measures = {
        "f1": metrics.token_f1(text, accepted),
        "exact": metrics.exact_match(text, accepted),
        "contains": metrics.contains(text, accepted),
        **metrics.rouge(text, accepted),
        "numeric": metrics.numeric_match(text, accepted),
    }
    if encode is not None:
        found["bertscore"] = value = bertscore(text, accepted, encode)
        found["bertscore_rescaled"] = None if value is None else rescaled(value)
    return found


def judged_measures(judgement: Judgement) -> Measures:
    """A judgement as numbers: correct, attempted, correct given attempted are 1 or 0.

    What the judge did not grade has no such numbers: it counts as not graded alone.
    """
    grade = judgement.grade
    found: Measures = {
        "not_graded": float(grade is None),
        "faithfulness": judgement.faithfulness,
        "relevance": judgement.relevance,
    }
    if grade is not None:
        attempted = grade != "not attempted"
        found |= {"correct": float(grade == "correct"), "attempted": float(attempted)}
        if attempted:
            found["given_attempted"] = float(grade == "correct")
    return found


def _grounding(
    item: GoldenItem, answer: Answer, text: str, sources: Sequence[GoldenSource]
) -> Measures:
    cited = [place for citation in answer.citations for place in places_of_citation(citation)]
    precision, recall = grounding.citation_measures(cited, sources)
    found: Measures = {"citation_precision": precision, "citation_recall": recall}
    if sources:
        documents = {source.document for source in sources}
        found["cited_document"] = float(any(place.document in documents for place in cited))
    pages = {(source.document, source.page) for source in sources if source.page is not None}
    if pages:
        found["cited_page"] = float(any((place.document, place.page) in pages for place in cited))
    if not text:
        return found
    passages = (
        [hit.context or hit.chunk.text for hit in answer.search.hits] if answer.search else []
    )
    flags = grounding.hallucination_flags(text, passages, item.question)
    return {
        **found,
        "novel": flags.novel,
        "flag_tokens": flags.by_tokens,
        "flag_names": flags.by_names,
        "similarity": flags.similarity,
        "flag_tfidf": flags.by_tfidf,
        "support_rate": grounding.support_rate(answer.claims),
        "orphans": grounding.orphan_rate(answer),
    }


def _abstention(item: GoldenItem, answer: Answer, refused: bool) -> Measures:
    side = "abstained_wrong" if item.answerable else "abstained_right"
    return {"abstained": float(refused), side: float(refused), "confidence": answer.confidence}


def _cost(answer: Answer, refused: bool) -> Measures:
    found: Measures = {"seconds": answer.seconds}
    if answer.search is not None:
        searching = sum(step.seconds for step in answer.search.steps)
        found["seconds_search"] = searching
        found["seconds_answer"] = max(answer.seconds - searching, 0.0)
        for step in answer.search.steps:
            name = f"seconds_{step.name.lower().replace(' ', '_')}"
            found[name] = (found.get(name) or 0.0) + step.seconds
    if answer.usage is not None:
        found["tokens_prompt"] = answer.usage.prompt_tokens
        found["tokens_answer"] = answer.usage.answer_tokens
    found["calls"] = float(answer.usage is not None)
    if not refused:
        found["sentences"] = float(len(answer.claims))
    return found


def place_of_hit(hit: Hit) -> Place:
    """Where a hit stands; its text is what is read of it, neighbours included."""
    chunk = hit.chunk
    return Place(chunk.document_id, chunk.page_number, chunk.anchor, hit.context or chunk.text)


def places_of_citation(citation: Citation) -> list[Place]:
    """Where a citation leads: a place for each stretch that the answer quotes of it."""
    stretches = [
        citation.quote[start - citation.start : end - citation.start]
        for start, end in citation.spans
    ]
    where = (citation.document_id, citation.page_number, citation.anchor)
    return [Place(*where, text) for text in stretches or [citation.quote]]


def found_hits(hits: Sequence[Hit], sources: Sequence[GoldenSource]) -> tuple[Found, ...]:
    """The first hits in short, each with whether it is a named place (None: none is named)."""
    return tuple(
        Found(
            hit.document.label,
            _where(hit),
            (hit.context or hit.chunk.text)[:_SHOWN_TEXT],
            hit.rerank if hit.rerank is not None else hit.fused,
            _right(place_of_hit(hit), sources),
        )
        for hit in hits[:_SHOWN_HITS]
    )


def right_citations(
    citations: Sequence[Citation], sources: Sequence[GoldenSource]
) -> tuple[bool | None, ...]:
    """Of each citation whether it leads to a named place."""
    return tuple(
        any(_right(place, sources) for place in places_of_citation(citation)) if sources else None
        for citation in citations
    )


def _right(place: Place, sources: Sequence[GoldenSource]) -> bool | None:
    return any(leads_to(place, source) for source in sources) if sources else None


def _where(hit: Hit) -> str:
    page = f"page {hit.chunk.page_number}" if hit.chunk.page_number is not None else ""
    return " · ".join(part for part in (page, " › ".join(hit.chunk.headings)) if part)
