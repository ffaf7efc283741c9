"""The quality classifier, loaded from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models.quality import LABELS, QualityClassifier
from tests.models.tiny import make_classifier

NAMES = ("High", "Medium", "Low")


def test_the_usual_form(tmp_path: Path) -> None:
    judge = QualityClassifier(str(make_classifier(tmp_path, labels=NAMES)), tmp_path)
    found = judge(["the cat sat", "the dog", "on the mat"] * 8)
    assert len(found) == 24
    assert set(found) <= set(LABELS)
    assert found[:3] == found[3:6]


def test_other_labels_are_refused(tmp_path: Path) -> None:
    made = make_classifier(tmp_path, labels=("good", "bad"))
    with pytest.raises(ModelUnavailable, match="Low, Medium and High"):
        QualityClassifier(str(made), tmp_path)(["the cat"])


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        QualityClassifier(str(tmp_path / "nothing"), tmp_path)(["the cat"])
    assert "WEB_QUALITY" in caught.value.cure


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    made = make_classifier(tmp_path, labels=NAMES)
    (made / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelUnavailable, match="could not be built"):
        QualityClassifier(str(made), tmp_path)(["the cat"])
