"""Natural language inference: a cross-encoder that says whether a passage entails a sentence."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from core.errors import ModelUnavailable
from core.models.classifier import load_classifier
from core.models.port import Classifier

_CURE = "Set NLI_MODEL to an NLI cross-encoder that can be had, or to nothing to go without."
_VERDICTS = {"entailment": True, "contradiction": False}


class NliJudge:
    """A judge for the support check; its weights are loaded at the first question.

    Its labels are read from the model's own configuration: "entailment" is yes, "contradiction"
    no; anything else leaves the decision to the check by code.
    """

    any_language = False

    def __init__(self, name: str, models_dir: Path) -> None:
        self.name, self._models_dir = name, models_dir

    def __call__(self, cases: Sequence[tuple[str, tuple[str, ...]]]) -> list[bool | None]:
        """Whether the passages support each sentence; None where the model cannot say.

        Raises `ModelUnavailable` where its weights cannot be had.
        """
        model = _loaded(self.name, self._models_dir)
        if not cases:
            return []
        pairs = [("\n\n".join(passages), sentence) for sentence, passages in cases]
        scores = model.scores(pairs)
        return [_VERDICTS.get(model.labels.get(int(row.argmax()), "")) for row in scores]


@functools.lru_cache(maxsize=1)
def _loaded(name: str, models_dir: Path) -> Classifier:
    model = load_classifier(name, models_dir, _CURE)
    if not {"entailment", "contradiction"} <= set(model.labels.values()):
        raise ModelUnavailable(f"{name} has no labels for entailment and contradiction.", _CURE)
    return model
