"""ONNX Runtime on the processor: a tokenizer and a graph that read a text, or two together."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelUnavailable

log = logging.getLogger(__name__)

THREADS = 2
_LONGEST = 512  # tokens, where a model names no limit
_NO_LIMIT = 100_000  # tokenizers without a limit name a larger number
_POSITIONS_IN_USE = {"roberta": 2, "xlm-roberta": 2, "camembert": 2}


class NotForOnnx(ModelUnavailable):
    """ONNX Runtime cannot run the model; sentence-transformers may."""

    cure = "Run `pip install -r requirements-models.txt` (or install footnote[models])."


class Encoder:
    """A tokenizer and an ONNX graph. Thread-safe.

    Texts run one by one: no token is padding, and a result does not depend on what else is asked
    (the 8-bit scales are taken over a whole batch). Batches of up to 32 are no faster on a
    processor. Raises `NotForOnnx` unless the files are those of a model that reads token ids.
    """

    def __init__(self, folder: Path, model_file: Path, *, most_tokens: int | None = None) -> None:
        from onnxruntime.capi import onnxruntime_pybind11_state as failures

        unusable = (failures.Fail, failures.InvalidArgument, failures.InvalidGraph,
                    failures.InvalidProtobuf, failures.NoSuchFile, failures.NotImplemented,
                    failures.RuntimeException, OSError, ValueError, KeyError)  # fmt: skip
        try:
            self._tokenizer = _tokenizer(folder, most_tokens)
            self._session = _session(model_file)
            self._inputs = [graph_input.name for graph_input in self._session.get_inputs()]
            self.shapes: dict[str, list[int | str]] = {
                output.name: output.shape for output in self._session.get_outputs()
            }
            self.run("probe", list(self.shapes))
        except unusable as error:
            log.warning("Loading %s: %s", model_file, error)
            message = f"{model_file.name} of {folder.name} cannot be used by ONNX Runtime."
            raise NotForOnnx(message) from None

    def run(
        self, text: str, outputs: Sequence[str], second: str | None = None
    ) -> list[NDArray[np.float32]]:
        """The outputs of these names for a text, or for two that are read together."""
        return self.run_tokens(self.tokens(text, second), outputs)

    def tokens(self, text: str, second: str | None = None) -> Any:
        """The tokens of a text, or of two, with their places: an `Encoding` of `tokenizers`."""
        return self._tokenizer.encode(clean(text), None if second is None else clean(second))

    def run_tokens(self, encoded: Any, outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        """The outputs of these names for tokens."""
        values = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        inputs = {name: np.array([values[name]], np.int64) for name in self._inputs}
        return [np.asarray(found[0]) for found in self._session.run(outputs, inputs)]


def clean(text: str) -> str:
    """The text with question marks for lone surrogates, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file, empty where there is no such file. Raises `ValueError`."""
    if not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name} holds no object")
    return found


def _tokenizer(folder: Path, most_tokens: int | None) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer((folder / "tokenizer.json").read_bytes())
    tokenizer.no_padding()
    tokenizer.enable_truncation(min(_token_limit(folder), most_tokens or _NO_LIMIT))
    return tokenizer


def _token_limit(folder: Path) -> int:
    """The most tokens of a text, by whichever of the model's files names the lowest number."""
    config = read_json(folder / "config.json")
    limits = [
        read_json(folder / "sentence_bert_config.json").get("max_seq_length"),
        read_json(folder / "tokenizer_config.json").get("model_max_length"),
    ]
    if positions := config.get("max_position_embeddings"):
        limits.append(positions - _POSITIONS_IN_USE.get(config.get("model_type", ""), 0))
    named = [int(limit) for limit in limits if limit and limit <= _NO_LIMIT]
    return min(named, default=_LONGEST)


def _session(model_file: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # On a busy machine, threads that wait by spinning made embedding four times as slow.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        str(model_file), options, providers=["CPUExecutionProvider"]
    )
