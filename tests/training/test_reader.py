"""A tiny reader is trained, stopped, resumed and built; without torch, training says what it needs.

Torch is no requirement of the program or of its tests: each test sees what holds for its
environment.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.models.onnx_build import RELEVANCE, SPAN, VERDICT, build
from core.models.runtime import Encoder
from tests.models.tiny import make_embedder
from tests.training.sets import write_sets
from training import reader

pytestmark = pytest.mark.timeout(600)
ROOT = Path(__file__).resolve().parents[2]
HAS_TORCH = all(map(importlib.util.find_spec, reader.NEEDED))
CURE = "pip install -r requirements-training.txt"
PROGRAM = """
import sys
from training.reader import main

data, out, weights = sys.argv[1:]
common = ["--data", data, "--weights", weights, "--steps", "20", "--threads", "1", "--rate", "0.01"]
whole = main([*common, "--out", out + "/whole"])
first = main([*common, "--out", out + "/halves", "--until", "9"])
second = main([*common, "--out", out + "/halves", "--resume"])
on = ["--weights", out + "/whole/model", "--steps", "0"]
third = main([*common, *on, "--out", out + "/on"])
sys.exit(max(whole, first, second, third))
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two trained readers (`whole`, `halves`); without torch, what it said."""
    folder = tmp_path_factory.mktemp("trained")
    write_sets(folder / "data")
    weights = make_embedder(folder / "tiny")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / "data"), str(folder), str(weights)],
        cwd=ROOT, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    if not HAS_TORCH:
        assert done.returncode == 2, done.stderr
        assert CURE in done.stdout
    else:
        assert done.returncode == 0, done.stderr
    return folder


def test_a_resumed_run_ends_with_the_same_weights(trained: Path) -> None:
    if HAS_TORCH:
        whole, halves = (
            load_file(trained / name / "model" / "model.safetensors")
            for name in ("whole", "halves")
        )
        assert whole.keys() == halves.keys()
        assert all(np.array_equal(whole[name], halves[name]) for name in whole)
        assert not (trained / "halves" / "checkpoint.new").exists()


def test_a_reader_learns_on_from_its_heads_too(trained: Path) -> None:
    if HAS_TORCH:
        whole, on = (
            load_file(trained / name / "model" / "model.safetensors") for name in ("whole", "on")
        )
        assert all(np.array_equal(whole[name], on[name]) for name in whole)


def test_it_learns_and_leaves_the_embeddings_as_they_are(trained: Path) -> None:
    if HAS_TORCH:
        before = load_file(trained / "tiny" / "model" / "model.safetensors")
        after = load_file(trained / "whole" / "model" / "model.safetensors")
        layer = "encoder.layer.0.output.dense.weight"
        words = "embeddings.word_embeddings.weight"
        assert not np.array_equal(before[layer], after[f"bert.{layer}"])
        assert np.array_equal(before[words], after[f"bert.{words}"])
        log = (trained / "whole" / "log.txt").read_text("utf-8")
        assert "step 20: span" in log
        assert "squad: " in log


def test_what_was_trained_can_be_built_and_run(trained: Path, tmp_path: Path) -> None:
    if HAS_TORCH:
        model = trained / "whole" / "model"
        build(model, tmp_path / "model.onnx")
        encoder = Encoder(model, tmp_path / "model.onnx")
        span, relevance, verdict = encoder.run("the cat", [SPAN, RELEVANCE, VERDICT], "a dog sat")
        assert span.shape == (8, 2)
        assert relevance.shape == (1,)
        assert verdict.shape == (3,)


def test_without_torch_it_names_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(reader, "NEEDED", ("a_package_that_nobody_has",))
    assert reader.main(["--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert CURE in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_the_requirements_list_what_is_needed() -> None:
    listed = (ROOT / "requirements-training.txt").read_text("utf-8")
    assert all(f"\n{name}>=" in listed for name in reader.NEEDED)
