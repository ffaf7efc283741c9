"""What reranking costs: a cross-encoder on ONNX Runtime beside the same one on torch.

    python -m benchmarks.cross_encoder [--rounds 7] [--passages 30] [--characters 1000]

The model has the size of cross-encoder/ms-marco-MiniLM-L6-v2 and random weights. It runs in three
forms that take turns: an ONNX file as the hub has it (exported and quantised dynamically, 8-bit
weights per channel), the one that `core.models.onnx_build` makes of the weights, and torch. Needs
requirements-models.txt.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.models.classifier import OnnxClassifier
from core.models.embedding import BUNDLED_FOLDER
from core.models.hub import ONNX_FILES
from core.models.onnx_build import build
from core.models.port import Classifier, Input
from core.models.torch_models import TorchCrossEncoder

ROOT = Path(__file__).resolve().parents[1]
_QUANTISED = ["MatMul", "Gather"]  # as optimum quantises the models of the hub


def made_model(folder: Path) -> None:
    """A cross-encoder of the size of MiniLM-L6 with random weights, as the hub serves it."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536,
        num_labels=1, attn_implementation="eager",
    )  # fmt: skip
    model = BertForSequenceClassification(config).eval()
    model.save_pretrained(folder)
    shutil.copy(BUNDLED_FOLDER / "tokenizer.json", folder)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    example = tuple(torch.ones((1, 20), dtype=torch.int64) for _ in names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own, about its age
        torch.onnx.export(
            model, example, str(folder / "plain.onnx"), input_names=names, output_names=["logits"],
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in names}, dynamo=False,
        )  # fmt: skip
    target = folder / ONNX_FILES[0]
    target.parent.mkdir()
    quantize_dynamic(
        folder / "plain.onnx", target, per_channel=True, weight_type=QuantType.QUInt8,
        op_types_to_quantize=_QUANTISED,
    )  # fmt: skip


def pairs(passages: int, characters: int) -> list[Input]:
    """A question with passages of our own documentation."""
    files = sorted((ROOT / "docs").rglob("*.md"))
    text = "\n".join(file.read_text("utf-8") for file in files)
    starts = range(0, passages * characters, characters)
    question = "How long is a page that was read for an answer kept?"
    return [(question, text[start : start + characters]) for start in starts]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the milliseconds of each form and its part of torch's."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cross_encoder")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--passages", type=int, default=30)
    parser.add_argument("--characters", type=int, default=1000)
    chosen = parser.parse_args(arguments)
    inputs = pairs(chosen.passages, chosen.characters)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        made_model(folder)
        build(folder, folder / "built.onnx")
        forms: dict[str, Classifier] = {
            "torch": TorchCrossEncoder("torch", folder, ""),
            "hub's ONNX file, 8 bit": OnnxClassifier(folder, folder / ONNX_FILES[0]),
            "built ONNX file, 8 bit": OnnxClassifier(folder, folder / "built.onnx"),
        }
        seconds: dict[str, list[float]] = {name: [] for name in forms}
        processor: dict[str, list[float]] = {name: [] for name in forms}
        scores = {name: form.scores(inputs)[:, 0] for name, form in forms.items()}
        for _ in range(chosen.rounds):
            for name, form in forms.items():
                began, used = time.perf_counter(), time.process_time()
                form.scores(inputs)
                seconds[name].append(time.perf_counter() - began)
                processor[name].append(time.process_time() - used)
    for name in forms:
        print(f"{name}: {_figures(seconds, name)}; of processor time {_figures(processor, name)}")
        correlation = np.corrcoef(scores[name], scores["torch"])[0, 1]
        print(f"    correlation with torch's scores {correlation:.3f}")
    return 0


def _figures(seconds: dict[str, list[float]], name: str) -> str:
    taken = seconds[name]
    ratios = [one / torch for one, torch in zip(taken, seconds["torch"], strict=True)]
    return (
        f"median {1000 * statistics.median(taken):.0f} ms, fastest {1000 * min(taken):.0f} ms,"
        f" {statistics.median(ratios):.2f} of torch in the same round"
    )


if __name__ == "__main__":
    sys.exit(main())
