"""Models by name: what is fetched from a hub, and what runs from the cache without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.models.hub import ONNX_FILES
from tests.models.tiny import WORDS, make_classifier, make_embedder, publish_onnx
from tests.standins.hub import HubStandin

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, sys
from pathlib import Path
import core.models.classifier, core.models.embedding, core.models.hub
from core.config import Settings
from core.errors import ModelUnavailable
from core.models.classifier import load_classifier
from core.models.embedding import load_embedder

for module in (core.models.classifier, core.models.embedding, core.models.hub):
    module.torch_is_installed = lambda: False
kind, name, models = sys.argv[1:]
try:
    if kind == "embedder":
        found = load_embedder(Settings(embedding_model=name, models_dir=Path(models)))
        values = found.embed_query("the cat").tolist()
    else:
        found = load_classifier(name, Path(models), "The cure.")
        values = found.scores([("the cat", "a mat")])[0].tolist()
    print(json.dumps({"values": values, "kind": type(found).__name__}))
except ModelUnavailable as error:
    print(json.dumps({"message": error.message, "cure": error.cure}))
assert "torch" not in sys.modules
"""


@pytest.fixture
def load(tmp_path: Path) -> Any:
    """A function that loads a model by name in a process of its own, with a cache that is kept."""

    def loaded(kind: str, name: str, endpoint: str) -> dict[str, Any]:
        own = {"HF_ENDPOINT": endpoint, "HF_HOME": str(tmp_path / "cache"), "NO_PROXY": "127.0.0.1"}
        environment = {**os.environ, **own}
        environment.pop("HF_HUB_OFFLINE", None)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, kind, name, str(tmp_path / "models")],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    return loaded


def onnx_and_weights(folder: Path) -> Path:
    """An embedding model with several ONNX files beside its weights."""
    model = make_embedder(folder)
    table = np.zeros((len(WORDS), 2))
    publish_onnx(model, "onnx/model.onnx", "last_hidden_state", table + 1)
    publish_onnx(model, "onnx/model_O3.onnx", "last_hidden_state", table + 2)
    table[WORDS.index("cat")] = (3, 4)
    publish_onnx(model, ONNX_FILES[0], "last_hidden_state", table)
    (model / "onnx" / "config.json").write_text("{}", "utf-8")
    (model / "pytorch_model.bin").write_bytes(b"a pickle")
    return model


def test_an_8_bit_file_is_fetched_in_place_of_the_weights(load: Any, tmp_path: Path) -> None:
    model = onnx_and_weights(tmp_path / "made")
    with HubStandin({"some/model": model}) as hub:
        found = load("embedder", "some/model", hub.url)
        sent = list(hub.sent)
    assert found == {"values": pytest.approx([0.6, 0.8]), "kind": "OnnxEmbedder"}
    assert [name for name in sent if not name.endswith((".json", ".txt"))] == [ONNX_FILES[0]]
    assert "onnx/config.json" not in sent
    again = load("embedder", "some/model", hub.url)  # the hub is gone: from the cache
    assert again == found


def test_weights_are_fetched_and_built_where_there_is_no_onnx_file(
    load: Any, tmp_path: Path
) -> None:
    with HubStandin({"some/model": make_embedder(tmp_path / "made", dense=24)}) as hub:
        found = load("embedder", "some/model", hub.url)
        assert "2_Dense/model.safetensors" in hub.sent
    assert (len(found["values"]), found["kind"]) == (24, "OnnxEmbedder")
    assert [path.suffix for path in (tmp_path / "models").glob("*.onnx")] == [".onnx"]
    assert load("embedder", "some/model", hub.url) == found


@pytest.mark.parametrize("has_onnx", [True, False])
def test_a_cross_encoder(load: Any, tmp_path: Path, has_onnx: bool) -> None:
    raw = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}
    model = make_classifier(tmp_path / "made", more=raw)
    if has_onnx:
        table = np.zeros((len(WORDS), 1))
        table[WORDS.index("mat")] = 7
        publish_onnx(model, "onnx/model_quantized.onnx", "logits", table)
    with HubStandin({"some/model": model}) as hub:
        found = load("classifier", "some/model", hub.url)
        assert ("model.safetensors" in hub.sent) is not has_onnx
    assert found["kind"] == "OnnxClassifier"
    assert (found["values"] == [7.0]) is has_onnx


def test_a_download_that_broke_off_is_completed(load: Any, tmp_path: Path) -> None:
    model = onnx_and_weights(tmp_path / "made")
    with HubStandin({"some/model": model}) as hub:
        found = load("embedder", "some/model", hub.url)
        for file in (tmp_path / "cache").rglob(Path(ONNX_FILES[0]).name):
            file.resolve().unlink()
            file.unlink()
        hub.sent.clear()
        assert load("embedder", "some/model", hub.url) == found
        assert hub.sent == [ONNX_FILES[0]]


def test_a_name_that_the_hub_has_not(load: Any) -> None:
    with HubStandin({}) as hub:
        found = load("embedder", "some/model", hub.url)
    assert "cannot be fetched" in found["message"]
    assert found["cure"]


def test_a_hub_that_does_not_answer(load: Any) -> None:
    with HubStandin({}) as hub:
        url = hub.url
    assert load("classifier", "some/model", url)["cure"] == "The cure."
