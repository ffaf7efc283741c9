"""A BERT model's weights written as an ONNX graph for ONNX Runtime on a processor.

The graph consists of the operators that ONNX Runtime has fused kernels for and keeps the weights of
its matrices as 8-bit integers. An encoder ends with mean pooling and L2 normalisation, a classifier
with its head, a reader (training/) with its three. It runs as a program of its own, so that its
memory is freed:
`python -m core.models.onnx_build WEIGHTS_FOLDER MODEL_FILE`. It needs `onnx` and `safetensors`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BUILDER_VERSION = "4"
"""Part of the names of built models; raised by one whenever the graph changes."""

LEVELS = 64
"""Weights are whole numbers from -64 to 64: the largest for which the 16-bit sums of processors
without VNNI cannot overflow, so that every processor computes the same."""

EMBEDDING, TOKEN_STATES, LOGITS = "embedding", "token_states", "logits"  # names of outputs
SPAN, RELEVANCE, VERDICT = "span", "relevance", "verdict"  # of a reader

Array = NDArray[Any]


def can_build(folder: Path) -> bool:
    """Whether the folder holds the weights of a BERT model that `build` supports."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return (folder / "model.safetensors").is_file() and _is_supported(config)


def build(weights_folder: Path, target: Path) -> None:
    """Write the model of `weights_folder` (config.json, model.safetensors) to `target`.

    Inputs: `input_ids`, int64 (batch, tokens), without padding; a classifier also takes
    `token_type_ids`. Outputs of an encoder: `embedding`, float32 (batch, dimension), the mean over
    the tokens, of length 1, and `token_states`, float32 (batch, tokens, dimension). Output of a
    classifier: `logits`, float32 (batch, labels). A reader takes what a classifier takes and gives
    `span`, float32 (batch, tokens, 2), `relevance` (batch, 1) and `verdict` (batch, 3). Raises
    `ValueError` for another architecture.
    """
    import onnx
    from safetensors.numpy import load_file

    config = json.loads((weights_folder / "config.json").read_text("utf-8"))
    if not _is_supported(config):
        raise ValueError("only BERT models with GELU can be built")
    weights = {
        name.removeprefix("bert."): values.astype(np.float32)
        for name, values in load_file(weights_folder / "model.safetensors").items()
        if np.issubdtype(values.dtype, np.floating)
    }
    onnx.save(_Graph(weights, config).model(), str(target))


def _is_supported(config: dict[str, Any]) -> bool:
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
    )


class _Graph:
    """The nodes and constants as they are added; a node's output has the node's name."""

    def __init__(self, weights: dict[str, Array], config: dict[str, Any]) -> None:
        self.weights, self.config = weights, config
        self.classifies = "classifier.weight" in weights
        self.reads = "span.weight" in weights
        self.takes_two = self.classifies or self.reads
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def model(self) -> Any:
        from onnx import TensorProto, helper

        state = self._embed()
        for layer in range(self.config["num_hidden_layers"]):
            state = self._layer(state, layer)
        sizes: list[str | int] = ["batch", "tokens"]
        names = ["input_ids"]
        if self.takes_two:
            names.append("token_type_ids")
        if self.classifies:
            self._classify(state)
            shapes = {LOGITS: ["batch", len(self.weights["classifier.bias"])]}
        elif self.reads:
            self._read(state)
            shapes = {SPAN: [*sizes, 2], RELEVANCE: ["batch", 1], VERDICT: ["batch", 3]}
        else:
            self._pool(state)
            dimension = self.config["hidden_size"]
            shapes = {EMBEDDING: ["batch", dimension], TOKEN_STATES: [*sizes, dimension]}
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, sizes) for name in names]
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in shapes.items()
        ]
        graph = helper.make_graph(self.nodes, "encoder", inputs, outputs, self.constants)
        versions = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=8)

    def _embed(self) -> str:
        """Words plus positions plus segments. An encoder's texts are all of the first segment,
        whose vector is added to the positions."""
        positions = self.weights["embeddings.position_embeddings.weight"]
        segments = self.weights["embeddings.token_type_embeddings.weight"]
        self._words()
        self._node("Shape", ["input_ids"], "length", start=1, end=2)
        if self.takes_two:
            self._node("Gather", [self._constant("segments", segments), "token_type_ids"], "types")
            self._node("Add", ["words", "types"], "typed")
        else:
            positions = positions + segments[0]
        ends = [
            self._constant("positions", positions),
            self._constant("first", np.array([0], np.int64)),
        ]
        self._node("Slice", [*ends, "length"], "places")
        self._node("Add", ["typed" if self.takes_two else "words", "places"], "placed")
        norm = "embeddings.LayerNorm."
        scale_and_bias = [self._weight(norm + "weight"), self._weight(norm + "bias")]
        epsilon = self.config["layer_norm_eps"]
        return self._node(
            "LayerNormalization", ["placed", *scale_and_bias], "embedded", epsilon=epsilon
        )

    def _words(self) -> str:
        """The vectors of the words; those of a reader as integers, with a scale for each word."""
        name = "embeddings.word_embeddings.weight"
        if not self.reads:
            return self._node("Gather", [self._weight(name), "input_ids"], "words")
        table = self.weights[name]
        scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127
        integers = self._constant(name, np.round(table / scale).astype(np.int8))
        scales = self._constant("words.scale", scale.astype(np.float32))
        self._node("Gather", [integers, "input_ids"], "words.integers")
        self._node("Gather", [scales, "input_ids"], "words.scales")
        self._node("Cast", ["words.integers"], "words.numbers", to=1)  # to float32
        return self._node("Mul", ["words.numbers", "words.scales"], "words")

    def _layer(self, state: str, layer: int) -> str:
        """Attention and feed-forward, each added to its input and normalised."""
        is_last = layer + 1 == self.config["num_hidden_layers"]
        output = TOKEN_STATES if is_last else f"layer{layer}"
        prefix = f"encoder.layer.{layer}."
        attended = self._attention(state, prefix)
        out = prefix + "attention.output."
        attended = self._product(attended, [out + "dense"], f"attended{layer}")
        state = self._add_and_norm(attended, state, out, f"state{layer}")
        wide = self._product(state, [prefix + "intermediate.dense"], f"wide{layer}")
        wide = self._fused("Gelu", [wide], f"gelu{layer}")
        narrow = self._product(wide, [prefix + "output.dense"], f"narrow{layer}")
        return self._add_and_norm(narrow, state, prefix + "output.", output)

    def _attention(self, state: str, prefix: str) -> str:
        """Queries, keys and values by one product; without a mask the attention is computed in
        blocks that stay in the processor's cache."""
        parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        together = self._product(state, parts, prefix + "together")
        self._nodes("Split", [together], parts, axis=-1)
        heads = self.config["num_attention_heads"]
        return self._fused("MultiHeadAttention", parts, prefix + "attended", num_heads=heads)

    def _product(self, state: str, names: Sequence[str], output: str) -> str:
        """The state times the matrices of these layers side by side, plus their biases."""
        matrix = np.concatenate([self.weights[name + ".weight"].T for name in names], axis=1)
        bias = np.concatenate([self.weights[name + ".bias"] for name in names])
        inputs = [state, *self._quantised(output, matrix), self._constant(f"{output}.bias", bias)]
        return self._fused("DynamicQuantizeMatMul", inputs, output)

    def _add_and_norm(self, state: str, skip: str, prefix: str, output: str) -> str:
        """Two operators: the fused one is four times as slow, its sums go number by number."""
        self._node("Add", [state, skip], f"sum-{output}")
        weights = [self._weight(f"{prefix}LayerNorm.{name}") for name in ("weight", "bias")]
        epsilon = self.config["layer_norm_eps"]
        inputs = [f"sum-{output}", *weights]
        return self._node("LayerNormalization", inputs, output, epsilon=epsilon)

    def _pool(self, state: str) -> None:
        """The mean over the tokens. Its length is made 1, so the sum serves as well."""
        self._node("ReduceSum", [state, self._constant("tokens", np.array([1]))], "sum", keepdims=0)
        self._node("LpNormalization", ["sum"], EMBEDDING, axis=-1, p=2)

    def _classify(self, state: str) -> None:
        """The first token's state through the pooler and the classifier, both as floats."""
        first = self._node(
            "Gather", [state, self._constant("cls", np.array(0))], "first-state", axis=1
        )
        for layer, output in (("pooler.dense", "pooled"), ("classifier", LOGITS)):
            weights = [self._weight(f"{layer}.{name}") for name in ("weight", "bias")]
            first = self._node("Gemm", [first, *weights], output, transB=1)
            if layer == "pooler.dense":
                first = self._node("Tanh", [first], "pooled-tanh")

    def _read(self, state: str) -> None:
        """Start and end of each token, and of the first token relevance and verdict, as floats."""
        matrix = self._constant("span.matrix", self.weights["span.weight"].T)
        self._node("MatMul", [state, matrix], "span.product")
        self._node("Add", ["span.product", self._weight("span.bias")], SPAN)
        first = self._constant("cls", np.array(0))
        self._node("Gather", [state, first], "first-state", axis=1)
        for output in (RELEVANCE, VERDICT):
            weights = [self._weight(f"{output}.{name}") for name in ("weight", "bias")]
            self._node("Gemm", ["first-state", *weights], output, transB=1)

    def _quantised(self, name: str, matrix: Array) -> list[str]:
        """Integers, a scale for each column, and zero points of 0."""
        scale = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / LEVELS
        parts = {
            "integers": np.round(matrix / scale).astype(np.int8),
            "scale": scale.astype(np.float32),
            "zero": np.zeros(matrix.shape[1], np.int8),
        }
        return [self._constant(f"{name}.{part}", values) for part, values in parts.items()]

    def _weight(self, name: str) -> str:
        return self._constant(name, self.weights[name])

    def _constant(self, name: str, values: Array) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.asarray(values, order="C"), name))
        return name

    def _fused(self, operator: str, inputs: list[str], output: str, **settings: Any) -> str:
        return self._node(operator, inputs, output, domain="com.microsoft", **settings)

    def _node(self, operator: str, inputs: list[str], output: str, **settings: Any) -> str:
        self._nodes(operator, inputs, [output], **settings)
        return output

    def _nodes(self, operator: str, inputs: list[str], outputs: list[str], **more: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], **more))


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
