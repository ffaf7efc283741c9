"""Consider the hits of the previous answer again for a follow-up question."""

from __future__ import annotations

from dataclasses import replace

from core.errors import ModelError, StorageError
from core.retrieval.retriever import Retriever
from core.types import Hit, QueryPlan

_NEAR = 0.3
"""The least cosine similarity to the goal with which a passage is kept as a candidate."""


def previous_hits(retriever: Retriever, session_id: str, plan: QueryPlan) -> list[Hit]:
    """Return those of `plan.previous_chunks` that exist and are near the goal, nearest first."""
    if not plan.previous_chunks:
        return []
    documents = retriever.documents(session_id)
    ids = [key for key in plan.previous_chunks if key.partition(":")[0] in documents]
    chunks = retriever.catalogue.content.chunks_by_id(session_id, ids)
    try:
        cut = retriever.cut(session_id)
        goal = retriever.embedder_of(cut).embed_query(plan.asked)
        vectors = retriever.vectors.vectors(cut.index, list(chunks))
    except (StorageError, ModelError):
        return []  # the search fails in the same way and reports it
    near = {key: float(vector @ goal) for key, vector in vectors.items()}
    order = sorted((key for key in near if near[key] >= _NEAR), key=lambda key: -near[key])
    return [
        replace(
            Hit(chunk=chunks[key], document=documents[chunks[key].document_id]),
            dense=near[key],
            query=plan.goal,
            context=chunks[key].text,
            context_start=chunks[key].start,
            context_end=chunks[key].end,
        )
        for key in order
    ]
