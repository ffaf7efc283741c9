"""The measures of answers, by hand; and a small golden set through the whole program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from core.cli.answers import Asked, measures, table

import eval_custom
from core.evaluation.golden.sets import GoldenItem
from tests.support.hits import embedder


def asked(
    answerable: bool, refused: bool, confidence: float, *, contains: bool | None = None
) -> Asked:
    hit = None if not answerable else not refused
    return Asked(
        GoldenItem("q", "?", answerable=answerable), refused, confidence, contains, hit, hit, None,
        0 if refused else 3, 0 if refused else 3, 0.5,
    )  # fmt: skip


def test_rates_by_hand() -> None:
    found = measures(
        [
            asked(True, False, 0.9, contains=True),
            asked(True, False, 0.8, contains=False),
            asked(True, True, 0.2, contains=False),
            asked(False, True, 0.2),
            asked(False, False, 0.85),
        ]
    )
    assert found["questions"] == 5
    assert found["contains"] == pytest.approx(1 / 3)
    assert found["document_hit"] == found["document_first"] == pytest.approx(2 / 3)
    assert found["page_hit"] is None
    assert found["verbatim"] == 1.0
    assert found["abstained_right"] == 0.5
    assert found["abstained_wrong"] == pytest.approx(1 / 3)
    # pairs in the right order: .9>.2, .9>.85, .8>.2, and .2=.2 half, of six
    assert found["abstention_auc"] == pytest.approx(3.5 / 6)
    assert found["sentences"] == 3
    assert found["seconds"] == 0.5


def test_what_a_set_lacks_is_none() -> None:
    found = measures([asked(True, True, 0.1)])
    assert found["contains"] is found["abstained_right"] is found["abstention_auc"] is None
    assert found["verbatim"] is found["sentences"] is None
    assert "abstained_wrong" in table(found)


def golden(folder: Path) -> Path:
    documents = folder / "documents"
    (documents / "b").mkdir(parents=True)
    (documents / "tesla.txt").write_text(
        "Nikola Tesla was born in Smiljan in 1856. He moved to New York in 1884.\n\n"
        "Tesla died on 7 January 1943. He loved pigeons above all.",
        "utf-8",
    )
    (documents / "b" / "oxygen.txt").write_text(
        "Oxygen was discovered by Carl Wilhelm Scheele in Uppsala in 1773.", "utf-8"
    )
    rows = [
        ("When did Nikola Tesla die?", ["7 January 1943"], "tesla.txt"),
        ("Who discovered oxygen?", ["Scheele"], "b/oxygen.txt"),
        ("Which wine goes with grilled octopus?", [], None),
    ]
    path = folder / "golden.jsonl"
    lines = [
        {
            "id": str(at), "question": question, "answers": answers, "answerable": bool(answers),
            "sources": [{"document": document, "page": None}] if document else [],
        }
        for at, (question, answers, document) in enumerate(rows)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


def test_through_the_whole_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import core.service

    monkeypatch.setattr(core.service, "load_embedder", lambda settings: embedder())
    out = tmp_path / "out.json"
    status = eval_custom.main(
        ["answers", "--golden", str(golden(tmp_path)), "--documents", str(tmp_path / "documents"),
         "--json", str(out)]
    )  # fmt: skip
    assert status == 0
    found = json.loads(out.read_text("utf-8"))
    assert found["questions"] == 3
    assert found["contains"] == found["document_hit"] == found["verbatim"] == 1.0
    assert found["abstained_right"] == 1.0
    assert found["abstained_wrong"] == 0.0
    assert found["abstention_auc"] == 1.0
    assert found["page_hit"] is None
    assert "contains" in capsys.readouterr().out


def test_nothing_to_read_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = eval_custom.main(
        ["answers", "--golden", str(tmp_path / "x.jsonl"), "--documents", str(tmp_path)]
    )
    assert status == 2
    assert "cannot be read" in capsys.readouterr().err
