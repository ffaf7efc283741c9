"""Named ways from cutting to hits (pure), after the systems that this program unites.

The prompt of each preset is in `core/answering/generative/prompts.py`, by the same name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from core.types import Cutting, SearchOptions
from core.types.search import BY_MODEL

USUAL = "balanced"
"""The preset of a session for which none was chosen."""


@dataclass(frozen=True, slots=True)
class Preset:
    """How documents are cut, and how they are searched."""

    search: SearchOptions
    cutting: Cutting = field(default_factory=Cutting)


PRESETS: dict[str, Preset] = {
    "balanced": Preset(SearchOptions()),
    # The nearest passages, made diverse by MMR as it is defined.
    "documents": Preset(
        SearchOptions(
            mode="dense",
            candidates=100,
            fetch_k=30,
            top_k=7,
            mmr="plain",
            mmr_lambda=0.5,
            rerank=False,
            join_neighbours=False,
        ),
        Cutting(1000, 500, separators=("\n\n", "\n", " ", "")),
    ),
    # Three from each side; of the dense ones, those that are similar enough: 0.7 by the model of
    # the published system, and by another one what `core/retrieval/cut_off.py` measures.
    "python-docs": Preset(
        SearchOptions(
            fusion="rrf",
            candidates=3,
            fetch_k=6,
            top_k=6,
            diversify=False,
            rerank=False,
            join_neighbours=False,
            min_similarity=BY_MODEL,
        ),
        Cutting(1000, 50),
    ),
    # Ten by cosine, the best three in the cross-encoder's order.
    "stack-overflow": Preset(
        SearchOptions(
            mode="dense",
            candidates=10,
            fetch_k=10,
            top_k=3,
            diversify=False,
            rerank_weight=1.0,
            join_neighbours=False,
        ),
        Cutting(1000, 150, apart=True),
    ),
    # Fifty by cosine, the best ten in the cross-encoder's order.
    "live-web": Preset(
        SearchOptions(
            mode="dense",
            candidates=50,
            fetch_k=50,
            top_k=10,
            diversify=False,
            rerank_weight=1.0,
            join_neighbours=False,
        ),
        Cutting(1000, 100, least=100),
    ),
}
