"""The evaluation runs on small sets, and its measures are those of hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.quality_sets import BEIR
from core.models.onnx_build import build
from core.models.reader import BUNDLED_READER, Reader, Reading
from tests.models.tiny import make_reader
from tests.training.sets import write_sets
from training import evaluate, windows


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folders of the sets and of a tiny reader."""
    folder = tmp_path_factory.mktemp("evaluated")
    write_sets(folder / "data")
    for name in BEIR:
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
    assert re.search(r"  answerable: AUC [01]\.\d+; read [01]\.\d+ \([+-]\d.*, p \d", said)
    assert "BEGIN, " in said
    assert re.search(r"claims, supported or contradicted, \d+, \d+ of them supported: AUC", said)
    assert "  ranks of both: " in said
    judged = said[said.index("scifact, nDCG@10 of 1 queries:") :].splitlines()
    assert judged[1] == "  without: 1.000"
    assert [line.split(":")[0].strip() for line in judged[2:7]] == [
        "read", "both, 0.1", "both, 0.2", "both, 0.5", "BM25",
    ]  # fmt: skip


def test_a_sentence_is_read_with_the_window_around_what_it_shares(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    whole = Reader.read

    def watched(self: Reader, text: str, passage: str) -> Reading:
        read.append(passage)
        return whole(self, text, passage)

    monkeypatch.setattr(Reader, "read", watched)
    filler = "Nothing of this is about the animal. " * 20
    evaluate.supported(
        Reader(folders[1]), "The cat sat on a mat.", f"{filler}The cat sat. {filler}"
    )
    assert len(read[0]) <= windows.LONGEST
    assert "The cat sat." in read[0]


def test_the_reader_that_ships_is_evaluated_where_none_is_named(tmp_path: Path) -> None:
    assert evaluate._arguments(["--data", str(tmp_path)]).model == BUNDLED_READER
