"""The questions as typed stand at their paragraphs, and those that ship are whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from training import queries, sets
from training.data import Part, examples
from training.parts import part_of
from training.queries import QUERIES, key_of
from training.queries import queries as read

LOOM = "The loom was built in 1791 by Ida Holm. It was sold in 1802."
FERRY = "The ferry leaves at nine."
MILL = "The mill at Arden burned down."


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the sets: an article, two paragraphs of HotpotQA, and questions of them."""
    articles = tmp_path / "golden" / "squad" / "documents"
    articles.mkdir(parents=True)
    (articles / "Looms_of_Arden.txt").write_text(f"{LOOM}\n\nAnother.\n", "utf-8")
    hotpot = tmp_path / "qa" / "multihop" / "hotpotqa_train.json"
    hotpot.parent.mkdir(parents=True)
    row = {"context": [["Mill", [MILL]]], "supporting_facts": [], "question": "?", "answer": "no"}
    hotpot.write_text(json.dumps([row]), "utf-8")
    pages = tmp_path / "conversation" / "mtrag_un" / "reference.jsonl"
    pages.parent.mkdir(parents=True)
    page = {"document_id": "ferries_07-120-240", "text": FERRY}
    pages.write_text(json.dumps({"contexts": [page]}) + "\n", "utf-8")
    rows = [
        (key_of(FERRY), 17, "when does the boat go", "at nine"),
        (key_of(LOOM), 22, "what year is the loom from", "1791"),
        (key_of(LOOM), 27, "who made the loom", "Ada Reed"),
        (key_of(LOOM), -1, "how heavy is the loom", ""),
        (key_of(MILL), 18, "what happened to arden's mill", "burned down"),
        (key_of("Not there."), 0, "is it there", "Not there"),
    ]
    path = tmp_path / "queries.tsv"
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), "utf-8")
    monkeypatch.setattr(queries, "QUERIES", path)
    return tmp_path


def test_a_question_stands_at_its_paragraph(data: Path) -> None:
    found = {one.text: one for one in sets.queries(data)}
    assert set(found) == {
        "what year is the loom from", "how heavy is the loom", "what happened to arden's mill",
        "when does the boat go",
    }  # fmt: skip
    year = found["what year is the loom from"]
    assert (year.document, year.title) == ("Looms_of_Arden.txt", "Looms of Arden")
    assert year.place is not None
    assert year.paragraph[slice(*year.place)] == "1791"
    assert found["how heavy is the loom"].answers == ()
    assert found["when does the boat go"].document == "ferries_07"
    assert found["what happened to arden's mill"].title == "Mill"


def test_they_are_split_by_document(data: Path) -> None:
    for part in Part:
        for one in examples(data, part, 1, data / "none"):
            assert part_of(one.document) is part


def test_those_that_ship_are_whole() -> None:
    found = list(read(QUERIES))
    assert len(found) > 8_000
    assert len({(one.key, one.text.lower()) for one in found}) == len(found)
    for one in found:
        assert re.fullmatch("[0-9a-f]{12}", one.key)
        assert one.text
        assert (one.start < 0) == (not one.answer)
    assert 0.1 < sum(not one.answer for one in found) / len(found) < 0.2
