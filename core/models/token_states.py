"""The vectors that the bundled encoder gives each token of a text, before they are pooled."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.embedding import (
    BUNDLED,
    BUNDLED_SHA256,
    THREADS,
    bundled_folder,
    clean,
)
from core.models.onnx_cache import built_model

States = NDArray[np.float32]


class TokenStates:
    """The last layer of the bundled encoder, token by token. Thread-safe.

    Loading raises `ModelUnavailable`. A text longer than the model's limit is cut there.
    """

    name = BUNDLED

    def __init__(self, settings: Settings) -> None:
        from tokenizers import Tokenizer

        folder = bundled_folder()
        limits = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(int(limits["max_seq_length"]))
        made = built_model(folder, f"{BUNDLED}-{BUNDLED_SHA256[:16]}", settings.models_dir)
        self._model = _session(made, folder)
        self._lock = threading.Lock()

    def __call__(self, text: str) -> States:
        """float32 (tokens, dimension), each row of length 1; without the two marks at the ends."""
        encoded = self._tokenizer.encode(clean(text))
        inputs = {"input_ids": np.array([encoded.ids], np.int64)}
        states: States = self._model.run([_OUTPUT], inputs)[0][0][1:-1]
        lengths = np.linalg.norm(states, axis=1, keepdims=True)
        return np.asarray(states / np.maximum(lengths, 1e-12), np.float32)


_OUTPUT = "token_states"


def _session(made: Path, folder: Path) -> Any:
    """The built model with one more output: what its pooling is made of."""
    try:
        import onnx
        import onnxruntime
    except ImportError:
        raise ModelUnavailable(
            "ONNX Runtime cannot be used.", "Install onnx and onnxruntime."
        ) from None
    config = json.loads((folder / "config.json").read_text("utf-8"))
    model = onnx.load(str(made))
    last = f"layer{config['num_hidden_layers'] - 1}"
    produced = next(
        output for node in model.graph.node for output in node.output if output.startswith(last)
    )
    sizes = ["batch", "tokens", config["hidden_size"]]
    model.graph.node.append(onnx.helper.make_node("Identity", [produced], [_OUTPUT]))
    model.graph.output.append(
        onnx.helper.make_tensor_value_info(_OUTPUT, onnx.TensorProto.FLOAT, sizes)
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
