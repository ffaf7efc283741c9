"""The commands of the shell: run, generate, compare, report, and their exit status."""

from __future__ import annotations

import argparse
import csv
import json
import sqlite3
from pathlib import Path

import pytest

import eval_custom
from core.cli.options import provider_and_model
from core.cli.saved import read_run
from core.cli.thresholds import broken, limit
from core.errors import InvalidRequest
from tests.evaluation.made import golden
from tests.support.hits import embedder

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.storage.stores.load_embedder", lambda settings: embedder())
    monkeypatch.setattr("core.cli.score.load_embedder", lambda settings: embedder())
    monkeypatch.setenv("RERANKER_MODEL", "")


def test_a_run_is_saved_compared_and_reported(tmp_path: Path, capsys: Captured) -> None:
    asked = ["run", "--golden", str(golden(tmp_path)), "--documents", str(tmp_path / "documents"),
             "--library", str(tmp_path / "library"), "--no-bertscore"]  # fmt: skip
    out, figures = tmp_path / "first", tmp_path / "figures.json"
    written = ["--out", str(out), "--json", str(figures)]
    assert eval_custom.main([*asked, *written, "--fail-under", "contains=0.9"]) == 0
    said = capsys.readouterr().out
    assert "Contains" in said
    found = json.loads(figures.read_text("utf-8"))
    assert list(found) == [
        "questions", "contains", "document_hit", "document_first", "page_hit", "verbatim",
        "abstained_right", "abstained_wrong", "abstention_auc", "sentences", "seconds",
    ]  # fmt: skip
    assert (found["questions"], found["contains"], found["verbatim"]) == (3, 1.0, 1.0)
    assert (found["document_hit"], found["document_first"], found["page_hit"]) == (1.0, 1.0, None)
    assert (found["abstained_right"], found["abstained_wrong"]) == (1.0, 0.0)
    assert found["abstention_auc"] == 1.0
    with (out / "evaluated_output.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["refused"] for row in rows] == ["False", "False", "True"]
    assert (out / "evaluated_summary.csv").read_text("utf-8").startswith("category,questions")
    assert "## Measures" in (out / "report.md").read_text("utf-8")
    run, results = read_run(out / "run.json")
    assert (run.done, results[0].item.answers) == (3, ("7 January 1943",))

    # the second run finds its documents read, and fails where a measure is too low
    again = [*asked[:3], *asked[5:], "--out", str(tmp_path / "second"), "--preset", "documents"]
    assert eval_custom.main([*again, "--fail-under", "contains=1.01"]) == 1
    assert "below 1.01" in capsys.readouterr().err

    # a run that was cut short goes on where it was
    with sqlite3.connect(tmp_path / "library" / "data" / "library.db") as library:
        library.execute("UPDATE evaluation_runs SET state = 'running'")
        library.execute("UPDATE evaluation_results SET measures = NULL WHERE position = 1")
    library.close()
    assert eval_custom.main(again) == 0
    assert "Goes on after" in capsys.readouterr().out

    files = [str(out / "run.json"), str(tmp_path / "second" / "run.json")]
    assert eval_custom.main(["compare", *files]) == 0
    assert "3 questions in both" in capsys.readouterr().out
    assert eval_custom.main(["report", files[0], "--fail-over", "seconds=0"]) == 1
    report = capsys.readouterr()
    assert "| Contains |" in report.out
    assert "above 0.0" in report.err


def test_the_operations_are_measured_in_rounds(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "operations.csv"
    asked = ["operations", "--golden", str(golden(tmp_path)), "--documents",
             str(tmp_path / "documents"), "--rounds", "2", "--no-bertscore"]  # fmt: skip
    assert eval_custom.main([*asked, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    rows = {row["what"]: row for row in csv.DictReader(out.read_text("utf-8").splitlines())}
    tried = {name: (row["tried"], row["succeeded"]) for name, row in rows.items() if row["tried"]}
    assert tried == {  # two documents with a passage each, three questions, twice
        "Upload": ("4", "1"), "Web address": ("0", ""), "Embedding of a passage": ("4", "1"),
        "Retrieval": ("6", "1"), "Answer": ("6", "1"),
    }  # fmt: skip
    assert float(rows["Answer"]["worst_seconds"]) >= float(rows["Answer"]["mean_seconds"]) > 0
    assert (rows["Correctness"]["by_code"], rows["Correctness"]["by_judge"]) == ("1", "")
    assert "2 sessions, " in said
    assert "| Source matching | 1.000 | - | - |" in said

    # an address that cannot be fetched is a failure with its reason
    assert eval_custom.main([*asked, "--rounds", "1", "--address", "http://127.0.0.1:9/"]) == 0
    failed = capsys.readouterr().out
    assert "| Web address | 1 | 0.000 | - | - |" in failed
    assert "- Web address: " in failed
    assert eval_custom.main([*asked, "--rounds", "1", "--address", "nowhere"]) == 2


def test_a_golden_set_is_generated(tmp_path: Path, capsys: Captured) -> None:
    golden(tmp_path)
    out = tmp_path / "made.jsonl"
    documents = str(tmp_path / "documents")
    assert eval_custom.main(["generate", "--documents", documents, "--out", str(out)]) == 0
    made = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert made
    assert {row["origin"] for row in made} <= {"rule: cloze", "rule: heading"}
    assert "questions written" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--golden", "none.jsonl"], "cannot be read"),
        (["run", "--golden", "G", "--model", "nobody/x"], "names no model"),
        (["run", "--golden", "G", "--tag", "none"], "has the tag"),
        (["run", "--golden", "G", "--matrix", "Nothing"], "no column"),
        (["run", "--golden", "G", "--matrix", "Documents", "--json", "x"], "One run is written"),
        (["run", "--golden", "G", "--way", "plain", "--documents", "D"], "needs a language model"),
        (["run", "--golden", "G"], "library is empty"),
        (["compare", "G", "G"], "no saved run"),
        (["report", "none.json"], "no saved run"),
        (["generate", "--out", "x", "--documents", "D", "--model", "x"], "names no model"),
    ],
)
def test_what_cannot_be_done_is_said(
    tmp_path: Path, capsys: Captured, arguments: list[str], said: str
) -> None:
    places = {"G": str(golden(tmp_path)), "D": str(tmp_path / "documents")}
    assert eval_custom.main([places.get(one, one) for one in arguments]) == 2
    assert said in capsys.readouterr().err


def test_limits() -> None:
    assert limit("f1=0.5") == ("f1", 0.5)
    for wrong in ("f1", "=1", "f1=much"):
        with pytest.raises(argparse.ArgumentTypeError):
            limit(wrong)
    assert broken({"f1": 0.5, "x": None}, [("f1", 0.5)], [("f1", 0.5)]) == []
    assert len(broken({"f1": 0.5}, [("f1", 0.6), ("x", 0.1)], [("f1", 0.4)])) == 3


def test_models_are_named_with_their_provider() -> None:
    assert provider_and_model("ollama/llama3.2:3b") == ("ollama", "llama3.2:3b")
    assert provider_and_model("") == ("", "")
    with pytest.raises(InvalidRequest):
        provider_and_model("llama")


def test_ready_answers_are_scored(tmp_path: Path, capsys: Captured) -> None:
    table, out = tmp_path / "ready.csv", tmp_path / "scored.csv"
    table.write_text(
        "question,retrieved_chunks,llm_answer,expected_answer\n"
        "When?,Completed in 1889.,In 1889 [1],1889\n",
        "utf-8",
    )
    command = ["score", str(table), "--out", str(out)]
    assert eval_custom.main([*command, "--fail-under", "f1=0.6", "--fail-over", "novel=0"]) == 0
    assert "f1" in capsys.readouterr().out
    assert out.read_text("utf-8").startswith("question,llm_answer,expected_answer,chunks,cosine,f1")
    assert eval_custom.main([*command, "--fail-under", "f1=0.9"]) == 1
    assert eval_custom.main(["score", str(tmp_path / "none.csv")]) == 2
    assert "No such file" in capsys.readouterr().err
