"""The mean of readers: every weight is the mean, and models of another form are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.models.tiny import make_reader
from training.average import main


def test_every_weight_is_the_mean(tmp_path: Path) -> None:
    first = make_reader(tmp_path / "first")
    second = tmp_path / "second"
    second.mkdir()
    weights = load_file(first / "model.safetensors")
    moved = {name: np.asarray(values + 2, values.dtype) for name, values in weights.items()}
    save_file(moved, second / "model.safetensors")
    assert main([str(first), str(second), "--out", str(tmp_path / "mean")]) == 0
    mean = load_file(tmp_path / "mean" / "model.safetensors")
    assert mean.keys() == weights.keys()
    for name, values in weights.items():
        assert np.allclose(mean[name], values + 1, atol=1e-6)
    assert (tmp_path / "mean" / "tokenizer.json").is_file()


def test_other_weights_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = make_reader(tmp_path / "first")
    (tmp_path / "other").mkdir()
    save_file({"a": np.zeros(2, np.float32)}, tmp_path / "other" / "model.safetensors")
    assert main([str(first), str(tmp_path / "other"), "--out", str(tmp_path / "mean")]) == 2
    assert "different" in capsys.readouterr().out
