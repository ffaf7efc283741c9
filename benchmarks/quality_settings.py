"""The settings that the quality bench holds side by side: ways to fuse, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from benchmarks.quality_sets import Cut
from core.retrieval.presets import PRESETS
from core.types import SearchOptions

BASELINE = "equal weights"
PROGRAM = Cut()
"""How the program cuts documents by default."""

_PLAIN = SearchOptions(
    dense_weight=0.5,
    normalise="min-max",
    by_language=False,
    support=0.0,
    names=0.0,
    top_k=10,
    fetch_k=30,
    diversify=False,
    rerank=False,
    join_neighbours=False,
)
_STANDARD = replace(_PLAIN, dense_weight=0.6, normalise="standard")
_WHOLE = replace(_STANDARD, support=2.0, names=2.0, by_language=True)


@dataclass(frozen=True)
class Setting:
    """One row of the table: how to search, and how documents are cut for it."""

    name: str
    options: SearchOptions
    cut: Cut = PROGRAM


def _preset(name: str) -> Setting:
    """A preset as it stands; the default one with ten hits, so that all of @10 is filled."""
    preset = PRESETS[name]
    options = replace(preset.search, join_neighbours=False)
    if name == "balanced":
        return Setting(name, replace(options, top_k=10))
    return Setting(name, options, Cut(preset.cutting.size or 1000, preset.cutting.overlap or 0))


CHUNKINGS = tuple(
    Setting(f"chunks of {size}", _WHOLE, Cut(size, overlap))
    for size, overlap in ((400, 60), (700, 100), (1000, 0), (1500, 200))
)
"""Other cuts than the program's: measured only when asked for, since they embed everything anew."""

SETTINGS = (
    Setting(BASELINE, _PLAIN),
    Setting("dense alone", replace(_PLAIN, mode="dense")),
    Setting("lexical alone", replace(_PLAIN, mode="lexical")),
    Setting("reciprocal ranks", replace(_PLAIN, fusion="rrf")),
    Setting("0.7 dense", replace(_PLAIN, dense_weight=0.7)),
    Setting("standard scores, 0.6", _STANDARD),
    Setting("with support", replace(_STANDARD, support=2.0)),
    Setting("with names", replace(_STANDARD, support=2.0, names=2.0)),
    Setting("by language", _WHOLE),
    Setting("MMR 0.5", replace(_WHOLE, diversify=True, mmr_lambda=0.5)),
    *(_preset(name) for name in PRESETS),
    *CHUNKINGS,
)
