"""The quality bench on collections of a few documents, with the program's own parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import learn_ranking, quality, quality_cuts
from benchmarks.quality_measures import auc_difference, interval, mean, p_value, scores, units
from benchmarks.quality_search import plain_bm25, unit_texts
from benchmarks.quality_sets import Cut, read_bed
from benchmarks.quality_vectors import CachedEmbedder, ExactVectors
from core.types import Hit

TEXTS = {
    "1": "Cats sleep sixteen hours a day and purr.",
    "2": "Dogs bark at strangers.",
    "3": "Ships carry containers across the ocean.",
}
ARTICLE = "Cats sleep sixteen hours a day.\n\nDogs bark at strangers at night.\n"


class Counting:
    """An embedder that counts what it is asked."""

    name, digest, dimension = "counting", "0", 2

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str], *, progress: object = None) -> np.ndarray:
        self.seen += texts
        return np.array([[1.0, len(text)] for text in texts], np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed([text])[0]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A judged collection and a golden set, laid out as the bench wants them."""
    judged = tmp_path / "retrieval" / "adi"
    (judged / "qrels").mkdir(parents=True)
    rows = [{"_id": key, "title": "", "text": text} for key, text in TEXTS.items()]
    (judged / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    queries = [{"_id": "q1", "text": "sleeping cats"}, {"_id": "q2", "text": "barking"}]
    (judged / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    (judged / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\t1\t1\nq2\t2\t1\n")
    golden = tmp_path / "golden" / "squad"
    (golden / "documents").mkdir(parents=True)
    (golden / "documents" / "animals.txt").write_text(ARTICLE, "utf-8")
    item = {
        "id": "a", "question": "How long do cats sleep?", "answers": ["sixteen hours"],
        "answerable": True,
        "sources": [{"document": "animals.txt", "quote": "Cats sleep sixteen hours a day."}],
    }  # fmt: skip
    (golden / "golden.jsonl").write_text(json.dumps(item), "utf-8")
    return tmp_path


def test_the_command_measures_all_settings(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    cache = str(tmp_path / "cache")
    given = ["--data", str(data), "--sets", "adi", "squad", "--cache", cache, "--json", str(out)]
    assert quality.main(given) == 0
    table = capsys.readouterr().out
    assert "| equal weights | 1.000 | 1.000 |" in table
    for name in ("balanced", "documents", "python-docs", "stack-overflow", "live-web"):
        assert f"| {name} |" in table
    numbers = json.loads(out.read_text("utf-8"))
    assert numbers["adi"]["balanced"]["ndcg@10"] == 1.0
    assert numbers["adi"]["balanced"]["ndcg@10 p"] == 1.0


def test_an_answer_is_a_chunk_that_holds_it(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "squad", Cut(40, 0), tmp_path)
    assert bed.qrels == {"a": {"animals.txt:0": 1}}
    assert bed.chunks[0].text == "Cats sleep sixteen hours a day."
    assert read_bed(data, "squad", Cut(40, 0), tmp_path).chunks == bed.chunks  # from the cache


def test_units_that_come_again_count_once(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "adi", Cut(), tmp_path)
    assert units(bed, [bed.chunks[0], bed.chunks[0]]) == ["1", "1 again at 1"]
    found = scores(bed, {"q1": ["2", "1"], "q2": []})
    assert found["hit@1"] == {"q1": 0.0, "q2": 0.0}
    assert found["hit@5"] == {"q1": 1.0, "q2": 0.0}
    assert mean(found["recall@10"]) == 0.5


def test_p_value() -> None:
    better = {str(n): 1.0 for n in range(12)}
    worse = {str(n): 0.0 for n in range(12)}
    assert p_value(better, better) == 1.0
    assert p_value(better, worse) < 0.01


def test_the_interval_of_a_difference_holds_its_mean() -> None:
    ours = {str(n): float(n % 2) for n in range(40)}
    low, high = interval(ours, dict.fromkeys(ours, 0.0))
    assert 0.2 < low < 0.5 < high < 0.8
    assert interval(ours, ours) == (0.0, 0.0)


def test_aucs_of_the_same_items_are_told_apart() -> None:
    numbers = [float(n) for n in range(30)]
    shifted = [number + 20 for number in numbers]
    difference, _, p = auc_difference((shifted, numbers), (numbers, numbers))
    assert difference == pytest.approx(0.5 - 50 / 900)
    assert p < 0.001
    assert auc_difference((shifted, shifted), (numbers, numbers)) == (0.0, 0.0, 1.0)


def test_plain_bm25(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "adi", Cut(), tmp_path)
    run = plain_bm25(bed, unit_texts(bed), n=1)
    assert run["q1"] == ["1"]


def test_nothing_is_embedded_twice(tmp_path: Path) -> None:
    first = Counting()
    vectors = CachedEmbedder(first, tmp_path).embed(["a", "bb", "a"])
    assert vectors.tolist() == [[1, 1], [1, 2], [1, 1]]
    assert first.seen == ["a", "bb"]
    second = Counting()
    again = CachedEmbedder(second, tmp_path)
    assert again.embed(["bb"]).tolist() == [[1, 2]]
    assert second.seen == []
    assert again.embed_query("bb").tolist() == [1, 2]
    assert second.seen == ["bb"]  # a query is no passage


def test_exact_vectors() -> None:
    store = ExactVectors(["a:0", "a:1", "b:0"], np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32))
    query = np.array([0.0, 1.0], np.float32)
    assert [key for key, _ in store.query("s", query, 2)] == ["a:1", "b:0"]
    assert [key for key, _ in store.query("s", query, 5, {"a"})] == ["a:1", "a:0"]
    assert set(store.vectors("s", ["a:0", "gone:1"])) == {"a:0"}


def test_learned_on_the_others() -> None:
    one, two = (0.5, 0.0), (0.6, 2.0)
    table = {"a": {one: 1.0, two: 1.2}, "b": {one: 1.0, two: 1.1}, "c": {one: 1.3, two: 0.9}}
    text = learn_ranking.report(table)
    assert "| a | 0.5, 0 | 1.000 |" in text  # the others have 2.3 and 2.0
    assert "| c | 0.6, 2 | 0.900 |" in text
    assert "Best on all: dense weight 0.5, support 0." in text


def test_ways_of_cutting_are_held_side_by_side(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache, out = str(tmp_path / "cache"), tmp_path / "out.json"
    given = ["--data", str(data), "--sets", "squad", "--cache", cache, "--json", str(out)]
    assert quality_cuts.main([*given, "--cuts", "500, 75"]) == 0
    table = capsys.readouterr().out
    assert "| **1000, 150** | 1.000 |" in table
    assert "| 500, 75 | 1.000 |" in table
    numbers = json.loads(out.read_text("utf-8"))
    assert numbers["squad"]["1000, 150"]["joined"] == 1.0


def test_neighbours_that_are_read_count(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "squad", Cut(size=32, overlap=0), tmp_path / "cache")
    first, second = bed.chunks
    by_id = {chunk.id: chunk for chunk in bed.chunks}
    hit = Hit(second, bed.documents[second.document_id], context=ARTICLE.strip())
    hit = replace(hit, context_start=first.start, context_end=second.end)
    assert quality_cuts._read(bed, by_id, [hit], 4_000, "alone") == {second.id}
    assert quality_cuts._read(bed, by_id, [hit], 4_000, "joined") == {first.id, second.id}
    assert quality_cuts._read(bed, by_id, [hit], 50, "joined") == set()


def test_the_half_to_choose_on_is_not_the_one_reported() -> None:
    values = {str(number): float(number) for number in range(40)}
    one, other = quality_cuts.half_of(values, True), quality_cuts.half_of(values, False)
    assert one.keys() | other.keys() == values.keys()
    assert not one.keys() & other.keys()
    assert 10 < len(one) < 30
