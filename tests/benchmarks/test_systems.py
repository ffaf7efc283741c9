"""The bench of systems: sets cut to a size, one system measured whole, and the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.systems import __main__ as command
from benchmarks.systems.asked import Job, Outcome, outcome
from benchmarks.systems.sets import SETS, Bed, Size, kept, read_bed
from benchmarks.systems.table import DIFFERENCES, cell, markdown
from core.config import Settings
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.retrieval.presets import PRESETS

TEXTS = {
    "cats.txt": "Cats sleep sixteen hours a day.\n\nThey purr when they are content.\n",
    "dogs.txt": "Dogs bark at strangers at night.\n\nA beagle weighs eleven kilograms.\n",
    "ships.txt": "Ships carry containers across the ocean.\n\nA canal shortens the way.\n",
}
ASKED = {
    "cats.txt": ("How long do cats sleep?", "sixteen hours"),
    "dogs.txt": ("How much does a beagle weigh?", "eleven kilograms"),
    "ships.txt": ("What do ships carry?", "containers"),
}
POSTS = """<?xml version="1.0" encoding="utf-8"?><posts>
<row Id="1" PostTypeId="1" AcceptedAnswerId="2" Score="3" Title="How hot should tea water be?"
 Body="&lt;p&gt;My green leaves taste bitter when I pour.&lt;/p&gt;" Tags="&lt;tea&gt;" />
<row Id="2" PostTypeId="2" ParentId="1" Score="5"
 Body="&lt;p&gt;Pour at &lt;b&gt;70 degrees&lt;/b&gt;, not boiling.&lt;/p&gt;" />
</posts>"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three articles with a question each, one question without an answer, and a dump."""
    folder = tmp_path / "golden" / "squad"
    (folder / "documents").mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / "documents" / name).write_text(text, "utf-8")
    rows: list[dict[str, object]] = [
        {"id": name, "question": question, "answers": [answer], "answerable": True,
         "sources": [{"document": name, "quote": TEXTS[name]}]}
        for name, (question, answer) in ASKED.items()
    ]  # fmt: skip
    rows.append(
        {"id": "none", "question": "Who painted the ceiling?", "answers": [], "answerable": False}
    )
    (folder / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    dump = tmp_path / "stackexchange" / "coffee"
    dump.mkdir(parents=True)
    (dump / "Posts.xml").write_text(POSTS, "utf-8")
    return tmp_path


def test_a_size_keeps_documents_and_the_questions_on_them(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "squad", tmp_path, Size(2, 0))
    answerable = {item.id for item in bed.items if item.answerable}
    assert answerable == set(bed.files) == {"cats.txt", "dogs.txt"}
    assert [item.id for item in bed.items if not item.answerable] == ["none"]
    assert len(read_bed(data, "squad", tmp_path, Size(0, 0)).files) == 3
    assert sum(i.answerable for i in read_bed(data, "squad", tmp_path, Size(0, 1)).items) == 1


def test_the_smallest_files_are_taken_where_the_size_says_so(data: Path, tmp_path: Path) -> None:
    bed = read_bed(data, "squad", tmp_path, Size(0, 0))
    bed.files["cats.txt"].write_text(TEXTS["cats.txt"] * 9, "utf-8")
    assert kept(bed, Size(2, 0, smallest=True)).files.keys() == {"dogs.txt", "ships.txt"}


def test_a_question_with_a_place_outside_is_left_out() -> None:
    both = (GoldenSource("a"), GoldenSource("b"))
    items = [
        GoldenItem("1", "?", ("x",), sources=both[:1]),
        GoldenItem("2", "?", ("x",), sources=both),
    ]
    assert [item.id for item in kept(Bed("s", items), Size(1, 0)).items] == ["1"]


def test_a_post_is_asked_by_the_title_that_it_is_stored_without(data: Path, tmp_path: Path) -> None:
    (data / "stackexchange" / "coffee").rename(data / "stackexchange" / "ai.stackexchange.com")
    bed = read_bed(data, "ai", tmp_path, Size(0, 0))
    assert bed.name == "ai"
    (item,) = bed.items
    assert item.question == "How hot should tea water be?"
    assert item.answers == ("Pour at 70 degrees, not boiling.",)
    stored = bed.pages[item.sources[0].document]
    assert not any("tea water" in page.text for page in stored.pages)
    assert "bitter" in stored.pages[0].text
    assert "tea water" not in stored.title


def test_one_system_is_measured_from_reading_to_the_answer(
    data: Path, tmp_path: Path, settings: Settings
) -> None:
    bed = read_bed(data, "squad", tmp_path, Size(0, 0))
    made = outcome("documents", bed, settings)
    assert (made.documents, made.questions, made.errors) == (3, 4, 0)
    assert made.passages >= 3
    assert made.indexing > 0
    assert made.peak > 50
    assert made.values["recall"] == [1.0, 1.0, 1.0]
    assert made.values["contains"] == [1.0, 1.0, 1.0]
    assert made.values["cited_document"] == [1.0, 1.0, 1.0]
    assert made.values["abstained_right"] == [1.0]
    assert len(made.values["seconds"]) == 4


def _made(preset: str, name: str = "squad") -> Outcome:
    values = {"contains": [1.0, 0.0], "recall": [1.0, 1.0], "f1": [0.25, 0.75]}
    return Outcome(preset, name, 3, 1200, 4, 1, 2.4, 512.3, values)


def test_the_table_has_a_row_a_system_with_intervals_and_what_differs() -> None:
    text = markdown([_made("balanced"), _made("live-web")], reranker="none", embedding="tiny")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[2].startswith("| squad (3; 4) | balanced | 1.00 [1.00, 1.00] | - |")
    assert ".50 [.00, 1.00]" in rows[2]
    assert rows[2].endswith("| 2 | 1,200 | 512 |")
    assert rows[3].startswith("|  | live-web |")
    assert "Failed questions: 2." in text
    assert "none instead of jina-reranker-v2" in text


def test_long_answers_are_not_asked_to_be_held() -> None:
    assert cell(_made("balanced", "squad"), "holds") == ".50 [.00, 1.00]"
    assert cell(_made("balanced", "clapnq"), "holds") == "-"


def test_every_preset_says_what_differs() -> None:
    assert DIFFERENCES.keys() == PRESETS.keys()


def test_the_command_goes_on_where_it_was_ended(
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work = tmp_path / "work"
    given = ["--data", str(data), "--work", str(work), "--sets", "squad", "--systems", "documents"]
    given += ["--documents", "1", "--markdown", str(tmp_path / "table.md")]
    assert command.main(given) == 0
    assert "| squad (1; 2) | documents |" in (tmp_path / "table.md").read_text("utf-8")
    monkeypatch.setattr(command.sys, "executable", "/nonexistent")
    assert command.main(given) == 0  # nothing is asked again
    job = Job("documents", "squad", str(data), str(work), Size(1, SETS["squad"].size.questions))
    assert command.done(job) is not None
    capsys.readouterr()


def test_a_system_that_fails_is_said_and_ends_the_command_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--data", str(tmp_path), "--work", str(tmp_path / "work"), "--sets", "squad"]
    assert command.main([*given, "--systems", "documents"]) == 1
    assert "golden.jsonl cannot be read" in capsys.readouterr().err
