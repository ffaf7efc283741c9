"""Tiny models with random weights, made in a folder in the form in which the hub serves models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the a cat dog sat on mat query passage : short long".split()
SIZE = 16
CONFIG = {
    "model_type": "bert", "vocab_size": len(WORDS), "hidden_size": SIZE, "num_hidden_layers": 2,
    "num_attention_heads": 2, "intermediate_size": 32, "max_position_embeddings": 64,
    "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
}  # fmt: skip

Array = NDArray[np.float32]


def make_embedder(
    folder: Path,
    *,
    prompts: dict[str, str] | None = None,
    seed: int = 1,
    pooling: str = "mean",
    dense: int = 0,
    prefix: str = "",
) -> Path:
    """An embedding model of 16 dimensions, or of `dense` ones by a layer behind the pooling."""
    model = folder / "model"
    _write(model / "config.json", {**CONFIG, "architectures": ["BertModel"]})
    _write(model / "sentence_bert_config.json", {"max_seq_length": 32, "do_lower_case": False})
    chosen = {
        "word_embedding_dimension": SIZE,
        "pooling_mode_cls_token": pooling == "cls",
        "pooling_mode_mean_tokens": pooling == "mean",
        "pooling_mode_max_tokens": pooling == "max",
    }
    _write(model / "1_Pooling" / "config.json", chosen)
    kinds = ["Transformer", "Pooling", *(["Dense"] if dense else []), "Normalize"]
    modules = [
        {
            "idx": at,
            "name": str(at),
            "path": f"{at}_{kind}" if at else "",
            "type": f"sentence_transformers.models.{kind}",
        }
        for at, kind in enumerate(kinds)
    ]
    _write(model / "modules.json", modules)
    if prompts:
        _write(model / "config_sentence_transformers.json", {"prompts": prompts})
    weights = _encoder_weights(np.random.default_rng(seed), prefix)
    save_file(weights, model / "model.safetensors")
    if dense:
        layer = {"in_features": SIZE, "out_features": dense,
                 "activation_function": "torch.nn.modules.activation.Tanh"}  # fmt: skip
        _write(model / "2_Dense" / "config.json", layer)
        numbers = np.random.default_rng(seed + 1)
        rows = {"linear.weight": (dense, SIZE), "linear.bias": (dense,)}
        save_file(_random(numbers, rows), model / "2_Dense" / "model.safetensors")
    return _with_tokenizer(model)


def make_classifier(
    folder: Path, *, labels: Sequence[str] = ("LABEL_0",), more: dict[str, object] | None = None
) -> Path:
    """A BERT model with a classification head: a cross-encoder where it has one label."""
    model = folder / "model"
    names = {str(position): label for position, label in enumerate(labels)}
    architecture = {"architectures": ["BertForSequenceClassification"], "id2label": names}
    _write(model / "config.json", {**CONFIG, **architecture, **(more or {})})
    numbers = np.random.default_rng(2)
    head = {
        "bert.pooler.dense.weight": (SIZE, SIZE), "bert.pooler.dense.bias": (SIZE,),
        "classifier.weight": (len(labels), SIZE), "classifier.bias": (len(labels),),
    }  # fmt: skip
    weights = {**_encoder_weights(numbers, "bert."), **_random(numbers, head)}
    save_file(weights, model / "model.safetensors")
    return _with_tokenizer(model)


def make_reader(folder: Path) -> Path:
    """A BERT model with the three heads of a reader (training/)."""
    model = folder / "model"
    _write(model / "config.json", CONFIG)
    numbers = np.random.default_rng(3)
    heads = {"span": 2, "relevance": 1, "verdict": 3}
    shapes: dict[str, tuple[int, ...]] = {}
    for name, size in heads.items():
        shapes |= {f"{name}.weight": (size, SIZE), f"{name}.bias": (size,)}
    save_file(
        {**_encoder_weights(numbers, "bert."), **_random(numbers, shapes)},
        model / "model.safetensors",
    )
    return _with_tokenizer(model)


def publish_onnx(model: Path, file: str, output: str, table: Array) -> None:
    """Put an ONNX file into the folder of a model, with the inputs that exported models have.

    Its `last_hidden_state` is the row of `table` of each token; its `logits` are their sum.
    """
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["rows", "column"], ["last_hidden_state"]),
        helper.make_node("ReduceSum", ["last_hidden_state", "tokens"], ["logits"], keepdims=0),
    ]
    constants = {"table": table.astype(np.float32), "last": np.array([-1]), "tokens": np.array([1])}
    width = table.shape[1]
    shape = ["batch", width] if output == "logits" else ["batch", "tokens", width]
    graph = helper.make_graph(
        nodes,
        "exported",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(values, name) for name, values in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (model / file).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(made, str(model / file))


def edit_config(model: Path, **values: object) -> Path:
    """The model with other values in its configuration."""
    file = model / "config.json"
    _write(file, {**json.loads(file.read_text("utf-8")), **values})
    return model


def _encoder_weights(numbers: np.random.Generator, prefix: str) -> dict[str, Array]:
    wide = int(str(CONFIG["intermediate_size"]))
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), SIZE),
        "embeddings.position_embeddings.weight": (64, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in ("encoder.layer.0.", "encoder.layer.1."):
        matrices = {f"attention.self.{part}": (SIZE, SIZE) for part in ("query", "key", "value")}
        matrices |= {
            "attention.output.dense": (SIZE, SIZE),
            "intermediate.dense": (wide, SIZE),
            "output.dense": (SIZE, wide),
        }
        for name, shape in matrices.items():
            shapes[f"{layer}{name}.weight"], shapes[f"{layer}{name}.bias"] = shape, shape[:1]
        norms += [f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"]
    weights = _random(numbers, shapes)
    for norm in norms:
        weights[f"{norm}.weight"] = 1 + 0.1 * numbers.standard_normal(SIZE).astype(np.float32)
        weights[f"{norm}.bias"] = 0.1 * numbers.standard_normal(SIZE).astype(np.float32)
    return {prefix + name: values for name, values in weights.items()}


def _random(numbers: np.random.Generator, shapes: dict[str, tuple[int, ...]]) -> dict[str, Array]:
    return {
        name: np.asarray(0.3 * numbers.standard_normal(shape), np.float32)
        for name, shape in shapes.items()
    }


def _with_tokenizer(model: Path) -> Path:
    (model / "vocab.txt").write_text("\n".join(WORDS), "utf-8")
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer: Any = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(model / "tokenizer.json"))
    _write(model / "tokenizer_config.json", {"tokenizer_class": "BertTokenizerFast"})
    return model


def _write(file: Path, content: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content), "utf-8")
