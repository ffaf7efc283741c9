"""Measures of the hits of a question against the places of its golden item (pure)."""

from __future__ import annotations

from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.measures.matching import found_sources, place_of_hit
from core.evaluation.measures.ranking import ranking_measures
from core.evaluation.runs.results import Measures


def of_case(case: Case) -> Measures:
    """Return the ranking measures, and the mean cosine of question and hits."""
    if case.answer.search is None:
        return {}
    hits = case.answer.search.hits
    cosines = [hit.dense for hit in hits if hit.dense is not None]
    cosine = sum(cosines) / len(cosines) if cosines else None
    if not case.sources:
        return {"hit_cosine": cosine}
    places = [place_of_hit(hit) for hit in hits]
    reached = found_sources(places, case.sources)
    found: Measures = {**ranking_measures(reached, len(case.sources), case.k)}
    documents, pages = case.named_documents, case.named_pages
    found["document_hit"] = float(any(place.document in documents for place in places))
    if pages:
        found["page_hit"] = float(any((place.document, place.page) in pages for place in places))
    return {**found, "hit_cosine": cosine}


FAMILY = Family(
    "Retrieval",
    (
        Measure("ndcg", "nDCG", "Expected places near the top of the list, 0 to 1.", at_k=True),
        Measure("recall", "Recall", "Expected places that were found, 0 to 1.", at_k=True),
        Measure("mrr", "MRR", "1 / rank of the first right hit, 0 to 1.", at_k=True),
        Measure("precision", "Precision", "Hits at an expected place, 0 to 1.", at_k=True),
        Measure("page_hit", "Page hit", "A hit is on an expected page, 0 or 1."),
        Measure("document_hit", "Document hit", "A hit is in an expected document, 0 or 1."),
        Measure("hit_cosine", "Hit cosine", "Mean cosine of question and hits, -1 to 1.", 0),
    ),
    of_case,
)
