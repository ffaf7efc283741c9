"""`eval_custom.py talks`: conversations asked through the whole program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eval_custom
from tests.evaluation.made import golden
from tests.support.hits import embedder


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda settings: embedder())
    monkeypatch.setenv("RERANKER_MODEL", "")


def test_a_conversation_is_asked_measured_and_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = json.loads(golden(tmp_path).read_text("utf-8").splitlines()[0])
    documents = tmp_path / "documents"
    turns, out = tmp_path / "talks.jsonl", tmp_path / "out.json"
    row = {
        "conversation": "A", "turn": 1, "library": ["tesla.txt"],
        "question": known["question"], "kind": "date", "answerable": True, "follows": False,
        "ideal": [{"quote": known["answers"][0]}], "answer_span": known["answers"][0],
    }  # fmt: skip
    turns.write_text(json.dumps(row) + "\n", "utf-8")
    asked = ["talks", "--golden", str(turns), "--documents", str(documents)]
    assert eval_custom.main([*asked, "--json", str(out), "--show", "1"]) == 0
    assert "1 conversations, 1 turns" in capsys.readouterr().out
    saved = json.loads(out.read_text("utf-8"))
    assert saved["measures"]["recall"] == 1.0
    assert known["answers"][0] in saved["turns"][0]["text"]


def test_a_library_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = tmp_path / "talks.jsonl"
    turns.write_text(
        '{"conversation": "A", "turn": 1, "library": ["gone.txt"], "question": "q", "kind": "fact",'
        ' "answerable": true, "follows": false, "ideal": []}',
        "utf-8",
    )
    assert eval_custom.main(["talks", "--golden", str(turns), "--documents", str(tmp_path)]) == 2
    assert "gone.txt" in capsys.readouterr().err
