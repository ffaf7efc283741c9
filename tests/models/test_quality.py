"""The quality classifier, loaded from folders in both forms in which such models are served."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models.quality import LABELS, QualityClassifier
from tests.models.tiny import make_cross_encoder

NAMES = {"0": "High", "1": "Medium", "2": "Low"}


def labelled(folder: Path, names: dict[str, str] = NAMES) -> Path:
    """A tiny classifier of the usual form with these labels."""
    made = make_cross_encoder(folder, labels=len(names))
    file = made / "config.json"
    config = json.loads(file.read_text("utf-8"))
    config["id2label"] = names
    config["label2id"] = {label: int(at) for at, label in names.items()}
    file.write_text(json.dumps(config), "utf-8")
    return made


def nvidia_form(folder: Path, bias: tuple[float, float, float]) -> Path:
    """The same as an encoder under `model.` with one layer `fc`, which prefers as `bias` says."""
    import torch
    from safetensors.torch import load_file, save_file

    made = labelled(folder)
    weights = load_file(made / "model.safetensors")
    kept = {
        key.replace("bert.", "model."): value for key, value in weights.items() if "bert." in key
    }
    kept["fc.weight"] = torch.zeros(3, 16)
    kept["fc.bias"] = torch.tensor(bias)
    save_file(kept, made / "model.safetensors")
    return made


def test_the_usual_form(tmp_path: Path) -> None:
    judge = QualityClassifier(str(labelled(tmp_path)))
    found = judge(["the cat sat", "the dog", "on the mat"] * 8)
    assert len(found) == 24
    assert set(found) <= set(LABELS)
    assert found[:3] == found[3:6]


@pytest.mark.parametrize(
    ("bias", "label"), [((9, 0, 0), "high"), ((0, 9, 0), "medium"), ((0, 0, 9), "low")]
)
def test_the_form_of_nvidia(tmp_path: Path, bias: tuple[float, float, float], label: str) -> None:
    assert QualityClassifier(str(nvidia_form(tmp_path, bias)))(["the cat sat"]) == [label]


def test_other_labels_are_refused(tmp_path: Path) -> None:
    made = labelled(tmp_path, {"0": "good", "1": "bad"})
    with pytest.raises(ModelUnavailable, match="Low, Medium and High"):
        QualityClassifier(str(made))(["the cat"])


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        QualityClassifier(str(tmp_path / "nothing"))(["the cat"])
    assert "WEB_QUALITY" in caught.value.cure


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    made = labelled(tmp_path)
    (made / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelUnavailable, match="no text classifier"):
        QualityClassifier(str(made))(["the cat"])
