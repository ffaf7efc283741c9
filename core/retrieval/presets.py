"""Named search settings (pure), after the systems that this program unites."""

from __future__ import annotations

from core.types import SearchOptions

PRESETS: dict[str, SearchOptions] = {
    "balanced": SearchOptions(),
    # The nearest passages, made diverse.
    "documents": SearchOptions(
        mode="dense", candidates=100, fetch_k=30, top_k=7, mmr_lambda=0.5, rerank=False
    ),
    # Three from each side; of the dense ones, those of a similarity of 0.7 or more.
    "python-docs": SearchOptions(
        fusion="rrf",
        candidates=3,
        fetch_k=6,
        top_k=6,
        diversify=False,
        rerank=False,
        min_similarity=0.7,
    ),
    # Ten by cosine, the best three by the cross-encoder.
    "stack-overflow": SearchOptions(
        mode="dense", candidates=10, fetch_k=10, top_k=3, diversify=False
    ),
    # Fifty by cosine, the best ten by the cross-encoder.
    "live-web": SearchOptions(mode="dense", candidates=50, fetch_k=50, top_k=10, diversify=False),
}

CHUNKS: dict[str, tuple[int, int]] = {
    "documents": (1000, 500),
    "python-docs": (1000, 50),
    "stack-overflow": (1000, 150),
    "live-web": (1000, 100),
}
"""Size and overlap, in characters, of the chunks of each system. A library has one pair, set by
CHUNK_SIZE and CHUNK_OVERLAP; the benchmark chunks its documents for each preset."""
