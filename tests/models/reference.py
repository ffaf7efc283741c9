"""BERT in plain numpy, in double precision: what the ONNX graphs are compared with.

Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers", 2019.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Encoding, Tokenizer

Array = NDArray[np.float64]

_ERF = np.vectorize(math.erf, otypes=[np.float64])


class Reference:
    """The model of a folder (config.json, model.safetensors, tokenizer.json)."""

    def __init__(self, folder: Path, longest: int) -> None:
        self.config = json.loads((folder / "config.json").read_text("utf-8"))
        self.weights: dict[str, Array] = {
            name.removeprefix("bert."): values.astype(np.float64)
            for name, values in load_file(folder / "model.safetensors").items()
        }
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(longest)

    def embedding(self, text: str, pooling: str = "mean") -> Array:
        """The vector of a text, of length 1."""
        states = self.states(self.tokens(text))
        return normalised(states.mean(axis=0) if pooling == "mean" else states[0])

    def logits(self, text: str, second: str | None = None) -> Array:
        """One number a label."""
        first = self.states(self.tokens(text, second))[0]
        return self._linear(np.tanh(self._linear(first, "pooler.dense")), "classifier")

    def tokens(self, text: str, second: str | None = None) -> Encoding:
        """The tokens of a text, or of two that are read together."""
        return self._tokenizer.encode(text, second)

    def states(self, encoded: Encoding) -> Array:
        """The last layer, (tokens, dimension)."""
        tables = {"word": encoded.ids, "token_type": encoded.type_ids,
                  "position": range(len(encoded.ids))}  # fmt: skip
        tokens = sum(
            self.weights[f"embeddings.{name}_embeddings.weight"][list(numbers)]
            for name, numbers in tables.items()
        )
        state = self._norm(np.asarray(tokens), "embeddings.LayerNorm")
        for number in range(self.config["num_hidden_layers"]):
            layer = f"encoder.layer.{number}"
            attended = self._linear(
                self._attention(state, f"{layer}.attention.self"), f"{layer}.attention.output.dense"
            )
            state = self._norm(state + attended, f"{layer}.attention.output.LayerNorm")
            wide = self._linear(state, f"{layer}.intermediate.dense")
            wide = wide * (1 + _ERF(wide / math.sqrt(2))) / 2
            state = self._norm(
                state + self._linear(wide, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        return state

    def _attention(self, state: Array, name: str) -> Array:
        heads = self.config["num_attention_heads"]
        query, key, value = (
            np.stack(np.split(self._linear(state, f"{name}.{part}"), heads, axis=-1))
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return np.concatenate(list(weights @ value), axis=-1)

    def _linear(self, values: Array, name: str) -> Array:
        return np.asarray(values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"])

    def _norm(self, values: Array, name: str) -> Array:
        centred = values - values.mean(axis=-1, keepdims=True)
        deviation = np.sqrt(
            (centred**2).mean(axis=-1, keepdims=True) + self.config["layer_norm_eps"]
        )
        return centred / deviation * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def normalised(vector: Array) -> Array:
    """The vector with length 1."""
    return np.asarray(vector / np.linalg.norm(vector))
