"""The evaluation runs on small sets, and its measures are those of hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.models.onnx_build import build
from core.models.reader import BUNDLED_READER
from tests.models.tiny import make_reader
from tests.training.sets import write_sets
from training import evaluate


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders of the sets and of a tiny reader."""
    folder = tmp_path_factory.mktemp("evaluated")
    write_sets(folder / "data")
    for name in evaluate.JUDGED:
        judged = folder / "data" / "retrieval" / name
        (judged / "qrels").mkdir(parents=True)
        texts = [{"_id": str(at), "title": "", "text": f"the cat {at} sat"} for at in range(9)]
        (judged / "corpus.jsonl").write_text("\n".join(map(json.dumps, texts)), "utf-8")
        (judged / "queries.jsonl").write_text('{"_id": "q", "text": "the cat 3"}\n', "utf-8")
        (judged / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\t3\t1\n", "utf-8")
    model = make_reader(folder / "reader")
    build(model, model / "model.onnx")
    return folder / "data", model


def test_every_head_has_its_figures(
    folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data, model = folders
    assert evaluate.main(["--data", str(data), "--model", str(model)]) == 0
    said = capsys.readouterr().out
    assert "squad: 6 questions with an answer, 12 without" in said
    assert "  right sentence first, weight 0.0: 1.000" in said
    assert "  words set off, F1: " in said
    assert "  answerable: AUC " in said
    assert "BEGIN, " in said
    assert "claims, supported or contradicted: AUC " in said
    assert "scifact, nDCG@10 of 1 queries: BM25 1.000; read " in said


def test_the_reader_that_ships_is_evaluated_where_none_is_named(tmp_path: Path) -> None:
    assert evaluate._arguments(["--data", str(tmp_path)]).model == BUNDLED_READER


def test_ndcg_is_that_of_hand() -> None:
    assert evaluate.ndcg(["a", "b"], {"a": 1}) == 1.0
    assert evaluate.ndcg(["x", "a", "b"], {"a": 2, "b": 1}) == pytest.approx(
        (2 / 1.58496 + 1 / 2) / (2 + 1 / 1.58496), abs=1e-4
    )
    assert evaluate.ndcg(["x"], {}) == 0.0
