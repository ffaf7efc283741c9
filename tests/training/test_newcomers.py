"""The everyday documents are whole, split by document, and written as golden conversations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.evaluation.golden.talks import conversations, read_talks
from training import newcomers
from training.data import examples
from training.newcomers import Asked, Document, Paragraph
from training.parts import Part, part_of
from training.sets import articles, everyday

FILE = """# Rowing Club
The club owns four boats. They lie at Mill Quay.

## Fees
Members pay 40 pounds a year.

Juniors pay half of that.
-----
Q: how much is it
T: how much is the rowing club's fee
S: Members pay 40 pounds a year.
A: 40 pounds
Q: who founded it
N
=====
# Ferry Times
The last boat leaves at nine.
-----
Q: last ferry
S: The last boat leaves at nine.
A: at nine
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "documents"
    found.mkdir()
    (found / "clubs.txt").write_text(FILE, "utf-8")
    return found


def test_documents_are_read_with_their_questions(folder: Path) -> None:
    first, second = newcomers.documents(folder)
    assert (first.name, first.title) == ("clubs-001", "Rowing Club")
    assert first.asked == (
        Asked(
            "how much is it",
            "how much is the rowing club's fee",
            "Members pay 40 pounds a year.",
            "40 pounds",
        ),
        Asked("who founded it", "who founded it", "", ""),
    )
    assert first.paragraphs == (
        Paragraph("", "The club owns four boats. They lie at Mill Quay."),
        Paragraph("Fees", "Members pay 40 pounds a year."),
        Paragraph("Fees", "Juniors pay half of that."),
    )
    assert second.title == "Ferry Times"


def test_they_are_asked_as_typed_and_standing_alone(folder: Path) -> None:
    found = list(everyday(folder.parent))
    assert [one.text for one in found] == [
        "how much is it", "how much is the rowing club's fee", "who founded it", "last ferry",
    ]  # fmt: skip
    fee, nobody = found[0], found[2]
    assert fee.title == "Rowing Club. Fees"
    assert fee.place is not None
    assert fee.paragraph[slice(*fee.place)] == "40 pounds"
    assert nobody.answers == ()
    assert nobody.place is None


def test_they_are_written_as_conversations(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(newcomers, "DOCUMENTS", folder)
    out = tmp_path / "out"
    assert newcomers.main(["--out", str(out)]) == 0
    assert "2 documents, 3 questions" in capsys.readouterr().out
    talks = conversations(read_talks(out / "golden.jsonl"))
    assert [turn.question for turn in talks["clubs-001"]] == ["how much is it", "who founded it"]
    assert [turn.follows for turn in talks["clubs-001"]] == [True, False]
    assert [turn.answerable for turn in talks["clubs-001"]] == [True, False]
    assert talks["clubs-002"][0].library == ("clubs-001.md", "clubs-002.md")
    assert "Members pay 40" in (out / "documents" / "clubs-001.md").read_text("utf-8")
    first = json.loads((out / "golden.jsonl").read_text("utf-8").splitlines()[0])
    assert first["standalone"] == "how much is the rowing club's fee"


def test_one_part_can_be_written(tmp_path: Path) -> None:
    newcomers.main(["--out", str(tmp_path), "--part", "held out"])
    names = [path.stem for path in (tmp_path / "documents").iterdir()]
    assert names
    assert all(part_of(name) is Part.HELD_OUT for name in names)


def test_articles_are_learned_from_and_not_among_the_newcomers(folder: Path) -> None:
    aside = folder.rename(folder.with_name("articles"))
    assert list(everyday(aside.parent)) == []
    assert [one.source for one in articles(aside.parent)] == ["articles"] * 4
    learned = {one.document for one in examples(aside, Part.LEARNED, 1, aside.parent)}
    assert learned <= {"clubs-001", "clubs-002"}
    assert learned


SHIPPED = [*newcomers.documents(), *newcomers.documents(newcomers.WRITTEN / "articles")]


@pytest.mark.parametrize("document", SHIPPED, ids=[one.name for one in SHIPPED])
def test_each_answer_stands_in_its_document(document: Document) -> None:
    text = " ".join(document.text.split())
    assert len(document.asked) >= 10
    for one in document.asked:
        assert one.sentence in text
        assert one.answer in one.sentence
        assert bool(one.answer) == bool(one.sentence)
