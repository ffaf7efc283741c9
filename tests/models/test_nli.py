"""An NLI cross-encoder as the judge of the support check, loaded from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.models.nli import NliJudge
from tests.models.tiny import make_classifier


def test_the_labels_of_the_model_decide(tmp_path: Path) -> None:
    all_yes = make_classifier(tmp_path, labels=("ENTAILMENT", "contradiction", "neutral"))
    judge = NliJudge(str(all_yes), tmp_path)
    cases = [("the cat sat", ("the cat sat on the mat", "the dog")), ("the dog", ("the cat",))]
    verdicts = judge(cases)
    assert len(verdicts) == 2
    assert set(verdicts) <= {True, False, None}
    assert judge(cases[:1]) == verdicts[:1]


def test_a_model_without_these_labels_is_refused(tmp_path: Path) -> None:
    other = make_classifier(tmp_path, labels=("good", "bad"))
    with pytest.raises(ModelUnavailable, match="no labels for entailment"):
        NliJudge(str(other), tmp_path)([("the cat", ("the dog",))])


def test_a_missing_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        NliJudge(str(tmp_path / "nothing"), tmp_path)([("the cat", ("the dog",))])
    assert "NLI_MODEL" in caught.value.cure
