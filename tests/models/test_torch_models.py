"""Models that ONNX Runtime cannot run: on sentence-transformers where it is installed, else a
sentence that names the packages. Each test sees the one that holds for its environment."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models.reference import Reference, normalised
from tests.models.tiny import make_classifier, make_embedder

ROOT = Path(__file__).resolve().parents[2]
HAS_TORCH = importlib.util.find_spec("sentence_transformers") is not None
PROGRAM = """
import json, sys
from pathlib import Path
from core.config import Settings
from core.errors import ModelUnavailable
from core.models.classifier import load_classifier
from core.models.embedding import load_embedder

kind, folder, models = sys.argv[1:]
try:
    if kind == "embedder":
        found = load_embedder(Settings(embedding_model=folder, models_dir=Path(models)))
        values = [found.embed_query("the cat").tolist(), found.embed(["a mat", "dog"])[1].tolist()]
    else:
        found = load_classifier(folder, Path(models), "The cure.")
        values = found.scores([("the cat", "a mat"), ("dog", "sat")]).tolist()
    print(json.dumps({"kind": type(found).__name__, "values": values}))
except ModelUnavailable as error:
    print(json.dumps({"message": error.message, "cure": error.cure}))
"""


def load(kind: str, folder: Path) -> dict[str, Any]:
    """What the program says of a model, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, str(folder), str(folder.parent / "models")],
        cwd=ROOT, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def names_the_packages(found: dict[str, Any]) -> bool:
    """Whether there is one line for the person, with the command."""
    said = f"{found['message']} {found['cure']}"
    return "pip install -r requirements-models.txt" in said and "\n" not in said


@pytest.mark.timeout(600)
def test_an_embedding_model_with_another_pooling(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path, pooling="max")
    found = load("embedder", folder)
    if not HAS_TORCH:
        assert names_the_packages(found)
        return
    reference = Reference(folder, 32)
    pooled = [reference.states(reference.tokens(text)).max(axis=0) for text in ("the cat", "dog")]
    assert found["kind"] == "SentenceTransformerEmbedder"
    for value, expected in zip(found["values"], pooled, strict=True):
        assert value == pytest.approx(normalised(expected).tolist(), abs=1e-4)


@pytest.mark.timeout(600)
def test_a_cross_encoder_without_a_fast_tokenizer(tmp_path: Path) -> None:
    raw = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}
    folder = make_classifier(tmp_path, more=raw)
    reference = Reference(folder, 32)
    (folder / "tokenizer.json").unlink()
    found = load("classifier", folder)
    if not HAS_TORCH:
        assert names_the_packages(found)
        return
    assert found["kind"] == "TorchCrossEncoder"
    for value, pair in zip(found["values"], [("the cat", "a mat"), ("dog", "sat")], strict=True):
        assert value == pytest.approx(reference.logits(*pair).tolist(), abs=1e-4)
