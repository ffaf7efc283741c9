"""Text quality: a classifier by name that calls each passage Low, Medium or High.

Two forms of files are read: NVIDIA's own (`nvidia/quality-classifier-deberta`: an encoder under
`model.` and one linear layer `fc` over its first token, see the model's card) and the usual
classifier of transformers. The weights are safetensors; no code of a model is run.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import ModelUnavailable
from core.models.embedding import THREADS, clean
from core.models.hub import model_folder

LABELS = ("low", "medium", "high")
_CURE = "Set WEB_QUALITY_MODEL to a classifier that can be had, or WEB_QUALITY=rules."
_LONGEST = 512  # tokens of a passage that are read
_BATCH = 16
_USING = threading.Lock()


class QualityClassifier:
    """Judges passages; its weights are loaded at the first one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, passages: Sequence[str]) -> list[str]:
        """One of `LABELS` for each passage. Raises `ModelUnavailable`."""
        with _USING:  # its tokenizer must not be used by two threads at once
            tokenizer, scores, labels = _loaded(self.name)
            found: list[str] = []
            for at in range(0, len(passages), _BATCH):
                batch = [clean(passage) for passage in passages[at : at + _BATCH]]
                encoded = tokenizer(
                    batch, truncation=True, max_length=_LONGEST, padding=True, return_tensors="pt"
                )
                rows = scores(encoded["input_ids"], encoded["attention_mask"])
                found += [labels[int(row)] for row in rows.argmax(dim=1)]
        return found


@functools.lru_cache(maxsize=1)
def _loaded(name: str) -> tuple[Any, Any, dict[int, str]]:
    folder = model_folder(name, cure=_CURE)
    import torch
    from safetensors import SafetensorError
    from transformers import AutoConfig, AutoTokenizer

    torch.set_num_threads(THREADS)
    try:
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        labels = {int(at): str(label).lower() for at, label in config.id2label.items()}
        if set(labels.values()) != set(LABELS):
            raise ModelUnavailable(f"{name} has not the labels Low, Medium and High.", _CURE)
        tokenizer = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
        return tokenizer, _scores(folder, config), labels
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError):
        raise ModelUnavailable(f"The files of {name} are no text classifier.", _CURE) from None


def _scores(folder: Path, config: Any) -> Any:
    """A function of token ids and mask: one row of scores a passage."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoModelForSequenceClassification

    weights = {k: v for file in folder.glob("*.safetensors") for k, v in load_file(file).items()}
    if "fc.weight" not in weights:
        usual = AutoModelForSequenceClassification.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, use_safetensors=True
        ).eval()
        return torch.no_grad()(lambda ids, mask: usual(input_ids=ids, attention_mask=mask).logits)
    encoder = AutoModel.from_config(config, trust_remote_code=False).eval()
    encoder.load_state_dict(
        {key.removeprefix("model."): value for key, value in weights.items() if key[:3] != "fc."}
    )
    layer = torch.nn.Linear(config.hidden_size, len(config.id2label))
    layer.load_state_dict({"weight": weights["fc.weight"], "bias": weights["fc.bias"]})

    @torch.no_grad()
    def scores(ids: Any, mask: Any) -> Any:
        found = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        return layer(found[:, 0, :].to(layer.weight.dtype))

    return scores
