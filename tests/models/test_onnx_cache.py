"""Built models: once, whole, up to date, by one process."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models import onnx_cache
from core.models.onnx_cache import built_model
from tests.models.tiny import make_embedder

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny model, in the form of the bundled one."""
    return make_embedder(tmp_path_factory.mktemp("tiny"))


def test_built_once_and_again_when_damaged(weights: Path, tmp_path: Path) -> None:
    model = built_model(weights, "tiny", tmp_path)
    made, content = model.stat().st_mtime_ns, model.read_bytes()
    assert built_model(weights, "tiny", tmp_path) == model
    assert model.stat().st_mtime_ns == made
    model.write_bytes(content[: len(content) // 2])
    assert built_model(weights, "tiny", tmp_path) == model
    assert model.read_bytes() == content
    left = {path.suffix for path in tmp_path.iterdir()}
    assert left <= {".onnx", ".sha256", ".lock"}


def test_out_of_date_models_go(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = built_model(weights, "tiny", tmp_path)
    monkeypatch.setattr(onnx_cache, "BUILDER_VERSION", "next")
    new = built_model(weights, "tiny", tmp_path)
    assert new != old
    assert [path.name for path in tmp_path.glob("*.onnx")] == [new.name]


def test_two_processes_at_once(weights: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from core.models.onnx_cache import built_model;"
        "print(built_model(Path(sys.argv[1]), 'tiny', Path(sys.argv[2])).stat().st_ino)"
    )
    command = [sys.executable, "-c", program, str(weights), str(tmp_path)]
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    found = {process.communicate(timeout=60)[0] for process in both}
    assert [process.returncode for process in both] == [0, 0]
    assert len(found) == 1  # the second waited for the first and built nothing


def test_weights_that_cannot_be_built(weights: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(weights, other)
    config = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps({**config, "hidden_act": "relu"}), "utf-8")
    with pytest.raises(ModelUnavailable):
        built_model(other, "other", tmp_path / "models")


def test_a_place_that_cannot_be_written(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    with pytest.raises(ModelUnavailable) as raised:
        built_model(weights, "tiny", tmp_path / "file")
    assert "MODELS_DIR" in raised.value.cure
