"""Text quality: a classifier by name that calls each passage Low, Medium or High."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from core.errors import ModelUnavailable
from core.models.classifier import load_classifier
from core.models.port import Classifier

LABELS = ("low", "medium", "high")
_CURE = "Set WEB_QUALITY_MODEL to a classifier that can be had, or WEB_QUALITY=rules."


class QualityClassifier:
    """Judges passages; its weights are loaded at the first one. Thread-safe."""

    def __init__(self, name: str, models_dir: Path) -> None:
        self.name, self._models_dir = name, models_dir

    def __call__(self, passages: Sequence[str]) -> list[str]:
        """One of `LABELS` for each passage. Raises `ModelUnavailable`."""
        if not passages:
            return []
        model = _loaded(self.name, self._models_dir)
        scores = model.scores([(passage, None) for passage in passages])
        return [model.labels[int(row.argmax())] for row in scores]


@functools.lru_cache(maxsize=1)
def _loaded(name: str, models_dir: Path) -> Classifier:
    model = load_classifier(name, models_dir, _CURE, reads_pairs=False)
    if set(model.labels.values()) != set(LABELS):
        raise ModelUnavailable(f"{name} has not the labels Low, Medium and High.", _CURE)
    return model
