"""The vectors that the bundled encoder gives each token of a text, before they are pooled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.models.embedding import BUNDLED, bundled_encoder
from core.models.onnx_build import TOKEN_STATES

States = NDArray[np.float32]


class TokenStates:
    """The last layer of the bundled encoder, token by token. Thread-safe.

    Loading raises `ModelUnavailable`. A text longer than the model's limit is cut there.
    """

    name = BUNDLED

    def __init__(self) -> None:
        self._encoder = bundled_encoder()

    def __call__(self, text: str) -> States:
        """float32 (tokens, dimension), each row of length 1; without the two marks at the ends."""
        states = self._encoder.run(text, [TOKEN_STATES])[0][1:-1]
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        return np.asarray(states / np.maximum(lengths, 1e-12), np.float32)
