"""The ports of models: what an embedding model and a classifier do, whatever runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]
"""Called with how many texts are done, of how many."""
REPORT_EVERY = 16  # texts between two reports of progress
MOST_TOKENS = 512  # of both texts together
Input = tuple[str, str | None]
"""A text, or two that are read together."""


class Embedder(Protocol):
    """Makes vectors of texts. Thread-safe."""

    name: str

    @property
    def digest(self) -> str:
        """Tells whether two embedders make vectors that may be compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Vectors of passages: float32 (len(texts), dimension), each of length 1.

        `progress(done, total)` is called now and then, and at the end.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of a query: float32 (dimension,), of length 1."""
        ...

    def __hash__(self) -> int:
        """One object is one model."""
        ...


class Classifier(Protocol):
    """Scores texts. Thread-safe."""

    labels: dict[int, str]
    """The label of each score by its position, in lower case."""

    def scores(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """Scores of shape (inputs, labels), in the model's own unit."""
        ...


def labels_of(names: Mapping[Any, str]) -> dict[int, str]:
    """A configuration's `id2label`, in lower case."""
    return {int(position): str(label).lower() for position, label in names.items()}
