"""What is read back from a built reader is what it was built of, but for the integers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from core.models.onnx_build import SPAN, build
from core.models.runtime import Encoder
from tests.models.tiny import make_reader
from training.unpack import main


def test_the_weights_come_back_within_half_a_step(tmp_path: Path) -> None:
    model = make_reader(tmp_path / "reader")
    build(model, model / "model.onnx")
    assert main([str(model), "--out", str(tmp_path / "back")]) == 0
    before, after = (
        load_file(folder / "model.safetensors") for folder in (model, tmp_path / "back")
    )
    assert after.keys() == before.keys()
    for name, values in after.items():
        largest = float(np.abs(before[name]).max())
        assert values.shape == before[name].shape
        assert np.abs(values - before[name]).max() <= largest / 100


def test_built_again_it_reads_the_same(tmp_path: Path) -> None:
    model = make_reader(tmp_path / "reader")
    build(model, model / "model.onnx")
    main([str(model), "--out", str(tmp_path / "back")])
    build(tmp_path / "back", tmp_path / "back" / "model.onnx")
    first, second = (
        Encoder(folder, folder / "model.onnx").run("the cat", [SPAN], "a dog sat")[0]
        for folder in (model, tmp_path / "back")
    )
    assert np.allclose(first, second, atol=1e-4)
