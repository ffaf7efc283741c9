"""The weights of a reader, read back from the graph that was built of them.

    python -m training.unpack FOLDER --out WEIGHTS

FOLDER holds `model.onnx` as `core.models.onnx_build` writes it, for which the reader that ships is
one. WEIGHTS is what `training.reader --weights` goes on from and `training.average` joins: float32,
each within half a step of its 8-bit integers of what it was.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from training.average import WEIGHTS

LAYER = "encoder.layer.{}."
PARTS = ("query", "key", "value")
EMBEDDED = {
    "positions": "embeddings.position_embeddings.weight",
    "segments": "embeddings.token_type_embeddings.weight",
}
PRODUCTS = {
    "attended": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
HEADS = ("relevance.weight", "relevance.bias", "verdict.weight", "verdict.bias", "span.bias")

Array = NDArray[np.float32]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.unpack", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder with model.onnx")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    found = unpacked(given.folder / "model.onnx")
    save_file({name: np.ascontiguousarray(one) for name, one in found.items()}, given.out / WEIGHTS)
    for path in given.folder.glob("*.json"):
        shutil.copyfile(path, given.out / path.name)
    return 0


def unpacked(model: Path) -> dict[str, Array]:
    """The weights of a reader's graph by the names that training gives them, float32."""
    import onnx
    from onnx import numpy_helper

    held = {one.name: numpy_helper.to_array(one) for one in onnx.load(model).graph.initializer}
    words, embedded = "embeddings.word_embeddings.weight", "embeddings.LayerNorm."
    body = {words: held[words] * held["words.scale"]}
    body |= {name: held[given] for given, name in EMBEDDED.items()}
    body |= {embedded + part: held[embedded + part] for part in ("weight", "bias")}
    layers = sum(name.startswith("wide") and name.endswith(".integers") for name in held)
    for layer in range(layers):
        prefix = LAYER.format(layer)
        matrix, bias = _product(held, f"{prefix}together")
        for part, rows, values in zip(
            PARTS, np.split(matrix, 3), np.split(bias, 3), strict=True
        ):  # fmt: skip
            body[f"{prefix}attention.self.{part}.weight"] = rows
            body[f"{prefix}attention.self.{part}.bias"] = values
        for given, name in PRODUCTS.items():
            matrix, bias = _product(held, f"{given}{layer}")
            body |= {f"{prefix}{name}.weight": matrix, f"{prefix}{name}.bias": bias}
        names = [f"{prefix}{norm}.{part}" for norm in NORMS for part in ("weight", "bias")]
        body |= {name: held[name] for name in names}
    heads = {name: held[name] for name in HEADS} | {"span.weight": held["span.matrix"].T}
    named = {f"bert.{name}": values for name, values in body.items()} | heads
    return {name: np.asarray(values, np.float32) for name, values in named.items()}


def _product(held: Mapping[str, NDArray[np.generic]], name: str) -> tuple[Array, Array]:
    """Matrix and bias of a linear layer, as (out, in) and (out,)."""
    scale = np.asarray(held[f"{name}.scale"], np.float32)
    matrix = np.asarray(held[f"{name}.integers"], np.float32) * scale
    return matrix.T, np.asarray(held[f"{name}.bias"], np.float32)


if __name__ == "__main__":
    sys.exit(main())
