"""Natural language inference: a cross-encoder that says whether a passage entails a sentence."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from typing import Any

from core.errors import ModelUnavailable
from core.models.cross_encoder import load_cross_encoder
from core.models.embedding import clean

_CURE = "Set NLI_MODEL to an NLI cross-encoder that can be had, or to nothing to go without."
_LOADING = threading.Lock()
_VERDICTS = {"entailment": True, "contradiction": False}


class NliJudge:
    """A judge for the support check; its weights are loaded at the first question.

    Its labels are read from the model's own configuration: "entailment" is yes, "contradiction"
    no; anything else leaves the decision to the check by code.
    """

    any_language = False

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, cases: Sequence[tuple[str, tuple[str, ...]]]) -> list[bool | None]:
        """Whether the passages support each sentence; None where the model cannot say.

        Raises `ModelUnavailable` where its weights cannot be had.
        """
        model, labels = _loaded(self.name)
        pairs = [(clean("\n\n".join(passages)), clean(sentence)) for sentence, passages in cases]
        with _LOADING:  # its tokenizer must not be used by two threads at once
            scores = model.predict(pairs, show_progress_bar=False)
        return [_VERDICTS.get(labels[int(row.argmax())]) for row in scores]


@functools.lru_cache(maxsize=1)
def _loaded(name: str) -> tuple[Any, dict[int, str]]:
    model = load_cross_encoder(name, _CURE)
    labels = {int(at): str(label).lower() for at, label in model.config.id2label.items()}
    if not {"entailment", "contradiction"} <= set(labels.values()):
        raise ModelUnavailable(f"{name} has no labels for entailment and contradiction.", _CURE)
    return model, labels
