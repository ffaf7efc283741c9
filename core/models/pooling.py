"""From the vectors of a text's tokens to the one vector of the text, as the model's files say.

The files are those of sentence-transformers: `modules.json` lists the steps after the encoder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.models.runtime import NotForOnnx, read_json

Array = NDArray[np.float32]
Step = Callable[[Array], Array]

_ACTIVATIONS: dict[str, Step] = {"Identity": lambda values: values, "Tanh": np.tanh}
_MODE_KEYS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
_POOLINGS: dict[str, Step] = {
    "mean": lambda states: states.mean(axis=0),
    "cls": lambda states: states[0],
}


def pooling_steps(folder: Path) -> list[Step]:
    """The steps from token states, (tokens, dimension), to a vector of length 1.

    Without `modules.json` it is the mean. Raises `NotForOnnx` for a step that is not supported and
    `ValueError` for files that cannot be read.
    """
    listed = folder / "modules.json"
    modules = json.loads(listed.read_text("utf-8")) if listed.is_file() else [{"type": "Pooling"}]
    steps: list[Step] = []
    for module in modules:
        kind, place = str(module["type"]).rpartition(".")[2], folder / module.get("path", "")
        if kind == "Pooling":
            steps.append(_pooling(read_json(place / "config.json") if listed.is_file() else {}))
        elif kind == "Dense":
            steps.append(_dense(place))
        elif kind == "Normalize":
            steps.append(normalised)
        elif kind != "Transformer":
            raise NotForOnnx(f"The step {kind} of {folder.name} cannot be used by ONNX Runtime.")
    if not steps or steps[0] not in _POOLINGS.values():
        raise NotForOnnx(f"{folder.name} pools in a way that ONNX Runtime cannot be used for.")
    return [*steps, normalised]


def is_plain_mean(steps: list[Step]) -> bool:
    """Whether the steps are the mean over the tokens, of length 1, and nothing else."""
    return steps[0] is _POOLINGS["mean"] and all(step is normalised for step in steps[1:])


def normalised(vector: Array) -> Array:
    """The vector with length 1."""
    length: float = max(float(np.linalg.norm(vector)), 1e-12)
    return np.asarray(vector / length, np.float32)


def _pooling(config: dict[str, Any]) -> Step:
    modes = config.get("pooling_mode")
    if modes is None:
        modes = [mode for key, mode in _MODE_KEYS.items() if config.get(key)] or ["mean"]
    mode = modes[0] if len(modes) == 1 and not isinstance(modes, str) else str(modes)
    if mode not in _POOLINGS or not config.get("include_prompt", True):
        raise NotForOnnx(f"Pooling by {mode} cannot be used with ONNX Runtime.")
    return _POOLINGS[mode]


def _dense(folder: Path) -> Step:
    """A linear layer and its activation."""
    activation = str(read_json(folder / "config.json").get("activation_function", ""))
    apply = _ACTIVATIONS.get(activation.rpartition(".")[2])
    if apply is None:
        raise NotForOnnx(f"A dense layer with {activation} cannot be used with ONNX Runtime.")
    try:
        from safetensors.numpy import load_file
    except ImportError:
        message = f"The dense layer of {folder.parent.name} cannot be read without safetensors."
        raise NotForOnnx(message, "Run `pip install safetensors`.") from None
    weights = load_file(folder / "model.safetensors")
    matrix = weights["linear.weight"].astype(np.float32)
    bias = weights.get("linear.bias", np.zeros(len(matrix), np.float32))
    return lambda vector: apply(matrix @ vector + bias)
