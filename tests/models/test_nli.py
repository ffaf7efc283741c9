"""An NLI cross-encoder as the judge of the support check, loaded from a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models.nli import NliJudge
from tests.models.tiny import make_cross_encoder


def _labelled(folder: Path, *labels: str) -> Path:
    """A tiny model whose labels have these names."""
    made = make_cross_encoder(folder, labels=len(labels))
    file = made / "config.json"
    config = json.loads(file.read_text("utf-8"))
    config["id2label"] = {str(at): label for at, label in enumerate(labels)}
    config["label2id"] = {label: at for at, label in enumerate(labels)}
    file.write_text(json.dumps(config), "utf-8")
    return made


def test_the_labels_of_the_model_decide(tmp_path: Path) -> None:
    all_yes = _labelled(tmp_path / "a", "ENTAILMENT", "contradiction", "neutral")
    cases = [("the cat sat", ("the cat sat on the mat", "the dog")), ("the dog", ("the cat",))]
    verdicts = NliJudge(str(all_yes))(cases)
    assert len(verdicts) == 2
    assert set(verdicts) <= {True, False, None}
    assert NliJudge(str(all_yes))(cases[:1]) == verdicts[:1]


def test_a_model_without_these_labels_is_refused(tmp_path: Path) -> None:
    other = _labelled(tmp_path / "b", "good", "bad")
    with pytest.raises(ModelUnavailable, match="no labels for entailment"):
        NliJudge(str(other))([("the cat", ("the dog",))])


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        NliJudge(str(tmp_path / "nothing"))([("the cat", ("the dog",))])
    assert "NLI_MODEL" in caught.value.cure
