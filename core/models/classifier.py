"""Sequence classifiers by name: cross-encoders, entailment models, quality classifiers.

They run on ONNX Runtime where they can, else with sentence-transformers.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelUnavailable
from core.models.hub import model_files, torch_is_installed
from core.models.onnx_build import LOGITS
from core.models.port import MOST_TOKENS, Classifier, Input, labels_of
from core.models.runtime import Encoder, NotForOnnx, read_json

log = logging.getLogger(__name__)


def load_classifier(
    name: str, models_dir: Path, cure: str, *, reads_pairs: bool = True
) -> Classifier:
    """The classifier of that name or folder, of pairs of texts or of single ones.

    Raises `ModelUnavailable`, with `cure` where its files cannot be had.
    """
    files = model_files(name, cure=cure)
    try:
        return OnnxClassifier(files.folder, files.onnx_file(models_dir))
    except ModelUnavailable as error:
        if not torch_is_installed():
            raise
        log.warning("%s sentence-transformers is used.", error.message)
    from core.models import torch_models

    kind = torch_models.TorchCrossEncoder if reads_pairs else torch_models.TorchTextClassifier
    return kind(name, files.folder, cure)


class OnnxClassifier:
    """A classifier on ONNX Runtime. Raises `NotForOnnx` where the files are those of another."""

    def __init__(self, folder: Path, model_file: Path) -> None:
        self._encoder = Encoder(folder, model_file, most_tokens=MOST_TOKENS)
        shapes = self._encoder.shapes
        flat = [name for name, shape in shapes.items() if len(shape) == 2]
        if not flat:
            raise NotForOnnx(f"The files of {folder.name} are no text classifier.")
        self._output = LOGITS if LOGITS in flat else flat[0]
        config = read_json(folder / "config.json")
        self.labels = labels_of(config.get("id2label") or {})
        self._activates = not _activation(config).endswith("Identity")

    def scores(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """See `Classifier.scores`."""
        rows = [self._encoder.run(text, [self._output], second)[0] for text, second in inputs]
        scores: NDArray[np.float32] = np.stack(rows)
        if scores.shape[1] == 1 and self._activates:
            return np.asarray((1 + np.tanh(scores / 2)) / 2, np.float32)  # the sigmoid
        return scores


def _activation(config: Mapping[str, Any]) -> str:
    """The function behind a single score, as sentence-transformers has written it."""
    named = (config.get("sentence_transformers") or {}).get("activation_fn")
    return str(named or config.get("sbert_ce_default_activation_function") or "Sigmoid")
