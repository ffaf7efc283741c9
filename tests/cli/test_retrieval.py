"""Measuring the search: the layout, arithmetic by hand, and the command."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import eval_custom
from core.cli.retrieval import MODES, evaluate, measures, table
from core.config import Settings
from core.errors import InvalidRequest
from core.evaluation.beir import Collection, Text, read_collection

DOCUMENTS = [
    ("d1", "Cats", "Cats purr when they are content, and sleep for most of the day."),
    ("d2", "", "Dogs bark at strangers and like to be taken for long walks."),
    ("d3", "Tax", "The form GX-7741 must be handed in by the end of May."),
    ("d4", "", "The ship crossed the ocean in eleven days despite the storm."),
]
QUERIES = {"q1": "noisy puppies", "q2": "GX-7741", "q3": "unjudged"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A collection of four documents and two judged queries."""
    corpus = [{"_id": key, "title": title, "text": text} for key, title, text in DOCUMENTS]
    queries = [{"_id": key, "text": text} for key, text in QUERIES.items()]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines + "\n\n", "utf-8")
    (tmp_path / "qrels").mkdir()
    qrels = "query-id\tcorpus-id\tscore\nq1\td2\t1\nq2\td3\t2\nq2\td1\t0\nq3\td1\t0\n"
    (tmp_path / "qrels" / "dev.tsv").write_text(qrels, "utf-8")
    return tmp_path


def test_reads_the_layout(folder: Path) -> None:
    found = read_collection(folder)
    assert found.documents == tuple(Text(*document) for document in DOCUMENTS)
    assert found.qrels == {"q1": {"d2": 1}, "q2": {"d3": 2, "d1": 0}}
    assert set(found.queries) == {"q1", "q2"}
    assert read_collection(folder, "dev") == found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("corpus.jsonl", None),
        ("queries.jsonl", "{no json"),
        ("queries.jsonl", '{"_id": "q1"}'),
        ("queries.jsonl", '{"_id": "q1", "text": "only one of the two"}'),
        ("qrels/dev.tsv", "q1\td2\tvery\n"),
        ("qrels/dev.tsv", None),
        ("qrels/other.tsv", "q1\td2\t1\n"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, name: str, content: str | None) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content, "utf-8")
    with pytest.raises(InvalidRequest) as raised:
        read_collection(folder)
    assert raised.value.cure


def test_measures_by_hand() -> None:
    qrels = {"a": {"x": 2, "y": 1}, "b": {"z": 1}, "c": {"w": 1}}
    run = {
        "a": ["n", "y", "x"],  # gains 0, 1, 2 at ranks 1, 2, 3
        "b": [f"n{i}" for i in range(10)] + ["z"],  # found at rank 11
        "c": [],
    }
    dcg = 1 / math.log2(3) + 2 / math.log2(4)
    ideal = 2 / math.log2(2) + 1 / math.log2(3)
    found = measures(qrels, run)
    assert found == {
        "ndcg@10": pytest.approx(dcg / ideal / 3, abs=1e-4),
        "recall@10": pytest.approx(1 / 3),
        "recall@50": pytest.approx(2 / 3),
        "mrr@10": pytest.approx(0.5 / 3),
    }


def test_a_document_found_twice_counts_at_its_better_rank() -> None:
    assert measures({"a": {"x": 1}}, {"a": ["x", "n", "x"]})["mrr@10"] == 1.0


def test_evaluate(folder: Path, settings: Settings) -> None:
    found = evaluate(read_collection(folder), settings)
    assert set(found) == set(MODES)
    assert found["dense"]["recall@10"] == found["hybrid"]["recall@50"] == 1.0
    assert found["lexical"]["mrr@10"] == 0.5  # shares no word with the first query
    assert found["hybrid"]["ndcg@10"] == pytest.approx(1.0)


def test_documents_of_one_text_are_all_found(settings: Settings) -> None:
    texts = (Text("a", "", DOCUMENTS[0][2]), Text("b", "", DOCUMENTS[0][2]), Text("c", "", "Tax."))
    collection = Collection(texts, {"q": "purring cats"}, {"q": {"a": 1, "b": 1}})
    found = evaluate(collection, settings)
    assert all(found[mode]["ndcg@10"] == pytest.approx(1.0) for mode in MODES)


def test_the_command(
    folder: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("core.cli.retrieval.load_settings", lambda: settings)
    target = folder / "measures.json"
    arguments = ["retrieval", "--data", str(folder), "--split", "dev", "--json", str(target)]
    assert eval_custom.main(arguments) == 0
    found = json.loads(target.read_text("utf-8"))
    assert set(found) == {"hybrid", "dense", "lexical"}
    assert set(found["hybrid"]) == {"ndcg@10", "recall@10", "recall@50", "mrr@10"}
    printed = capsys.readouterr().out
    assert "4 documents, 2 queries" in printed
    assert table(found) in printed


def test_the_command_says_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert eval_custom.main(["retrieval", "--data", str(folder), "--split", "none"]) == 2
    assert "no split none" in capsys.readouterr().err
