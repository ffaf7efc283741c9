"""The bench of embedding models, with a tiny model of the tests and one that cannot be had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import embedders
from benchmarks.embedders import Kept, Row, cut_offs, markdown, measure
from benchmarks.quality_sets import Bed, Cut, read_bed
from core.config import Settings
from tests.models.tiny import make_embedder

TEXTS = {"1": "the cat sat on the mat", "2": "a dog", "3": "short passage"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A judged collection of three texts and two queries."""
    judged = tmp_path / "data" / "retrieval" / "adi"
    (judged / "qrels").mkdir(parents=True)
    rows = [{"_id": key, "title": "", "text": text} for key, text in TEXTS.items()]
    (judged / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    queries = [{"_id": "q1", "text": "cat mat"}, {"_id": "q2", "text": "dog"}]
    (judged / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    (judged / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t1\t1\nq2\t2\t1\n")
    return tmp_path / "data"


@pytest.fixture
def beds(data: Path, tmp_path: Path) -> dict[str, Bed]:
    return {"adi": read_bed(data, "adi", Cut(), tmp_path / "cache")}


def test_a_model_is_measured_on_both_sides(
    beds: dict[str, Bed], tmp_path: Path, settings: Settings
) -> None:
    folder = make_embedder(tmp_path / "tiny")
    row = measure(str(folder), beds, settings)
    assert row.reason == ""
    assert row.found.keys() == {("adi", "dense alone"), ("adi", "balanced")}
    assert row.found["adi", "balanced"]["q1"] == 1.0
    assert row.dimension == 16
    assert row.per_second > 0
    assert row.query_ms > 0
    assert row.dollars is None
    assert row.kept == {"adi": Kept(-1.0, 1.0, 1.0)}  # three passages are too few


def test_the_cut_offs_have_a_table_of_their_own(beds: dict[str, Bed]) -> None:
    there = Row("there", kept={"adi": Kept(0.415, 0.8, 0.0625)})
    lines = cut_offs([there, Row("away", reason="Gone.")], beds).splitlines()
    assert lines[2:] == ["| there | 0.41; 0.80, 0.062 |"]


def test_the_cost_is_that_of_the_price_table(
    beds: dict[str, Bed], tmp_path: Path, settings: Settings
) -> None:
    folder = make_embedder(tmp_path / "tiny")
    priced = settings.model_copy(update={"model_prices": f"{folder}=500000/0"})
    row = measure(str(folder), beds, priced)
    assert row.dollars is not None
    words = sum(len(text.split()) for text in (*TEXTS.values(), "cat mat", "dog"))
    assert words / 2 <= row.dollars <= 3 * words / 2  # half a dollar a token, of an estimate


def test_a_model_that_cannot_be_had_is_said_and_left_out(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--data", str(data), "--sets", "adi", "--cache", str(tmp_path / "cache"), "--models"]
    folder = str(make_embedder(tmp_path / "tiny"))
    assert embedders.main([*given, str(tmp_path / "nowhere"), folder]) == 0
    said = capsys.readouterr().out
    assert f"- {tmp_path / 'nowhere'} was not measured." in said
    assert f"| {folder} | " in said
    assert embedders.main([*given, str(tmp_path / "nowhere")]) == 1


def test_a_star_is_a_difference_to_the_first_model(beds: dict[str, Bed]) -> None:
    columns = [("adi", "dense alone"), ("adi", "balanced")]
    good = {str(n): 1.0 for n in range(12)}
    bad = {str(n): 0.0 for n in range(12)}
    first = Row("first", {column: good for column in columns}, 16, 10.0, 2.0, 0.5)
    other = Row("other", {columns[0]: bad, columns[1]: good}, 16, 10.0, 2.0)
    lines = markdown([Row("away", reason="Gone."), first, other], beds).splitlines()
    assert lines[2] == "| first | 1.000 | 1.000 | 16 | 10 | 2 | 0.5000 |"
    assert lines[3] == "| other | 0.000* | 1.000 | 16 | 10 | 2 | - |"
    assert lines[-1] == "- away was not measured. Gone."
