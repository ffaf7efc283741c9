"""The questions in three groups of difficulty: the set that ships, and the bench that asks them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.difficulty import __main__ as command
from core.evaluation.golden.sets import GoldenItem, GoldenSource, read_golden

POSTS = """<?xml version="1.0" encoding="utf-8"?><posts>
<row Id="1" PostTypeId="1" AcceptedAnswerId="2" Score="3" Title="How hot should tea water be?"
 Body="&lt;p&gt;My green leaves taste bitter.&lt;/p&gt;" Tags="&lt;tea&gt;" />
<row Id="2" PostTypeId="2" ParentId="1" Score="5" Body="&lt;p&gt;Pour at 70 degrees.&lt;/p&gt;" />
</posts>"""
CODE = "rows.sort(key=lambda x: '<b>' in x)"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One question of CoNaLa with two snippets, another, and two dumps of one question."""
    (tmp_path / "stackoverflow").mkdir()
    rows = [
        {"question_id": 7, "intent": "Sort rows below three first", "snippet": CODE},
        {"question_id": 7, "intent": "Sort rows below three first", "snippet": "sorted(rows)"},
        {"question_id": 8, "intent": "Reverse a list", "snippet": "rows.reverse()"},
    ]
    (tmp_path / "stackoverflow/conala_python.json").write_text(json.dumps(rows), "utf-8")
    for name in ("coffee", "ai.stackexchange.com"):
        (tmp_path / "stackexchange" / name).mkdir(parents=True)
        (tmp_path / "stackexchange" / name / "Posts.xml").write_text(POSTS, "utf-8")
    return tmp_path


def test_the_set_has_twenty_questions_of_each_difficulty_each_with_its_source() -> None:
    items = read_golden(command.QUESTIONS)
    assert len({item.question for item in items}) == 60
    assert Counter(item.tags[0] for item in items) == {
        "simple": 20, "semi-advanced": 20, "advanced": 20
    }  # fmt: skip
    for item in items:
        assert item.answerable
        assert len(item.answers) == 1
        assert all(
            one.document.partition("/")[0] in ("conala", "coffee", "ai") for one in item.sources
        )
        assert item.sources


def test_snippets_are_whole_and_other_questions_stand_beside(data: Path) -> None:
    ((key, pair),) = command.conala(data, {"7"}, 0)
    assert (key, pair.title) == ("conala/7", "Sort rows below three first")
    assert CODE in pair.answer.text
    assert "sorted(rows)" in pair.answer.text
    assert [name for name, _ in command.conala(data, {"8"}, 1)] == ["conala/7", "conala/8"]


def test_the_groups_are_measured(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        GoldenItem("a", "How hot is water for tea?", ("Pour at 70 degrees.",),
                   sources=(GoldenSource("coffee/1"),), tags=("simple",)),
        GoldenItem("b", "How are rows below three sorted first?", (CODE,),
                   sources=(GoldenSource("conala/7"),), tags=("advanced",)),
    ]  # fmt: skip
    monkeypatch.setattr(command, "read_golden", lambda path: asked)
    assert command.main(["--data", str(data)]) == 0
    head, _, simple, advanced, everything = capsys.readouterr().out.strip().splitlines()
    assert head.startswith("| group | questions | ROUGE-1 | ROUGE-L | BERTScore |")
    for line, name in ((simple, "simple"), (advanced, "advanced")):
        group, questions, rouge, *_, cited, refused, seconds = line.strip("| ").split(" | ")
        assert (group, questions, cited, refused) == (name, "1", "1.000", "0.000")
        assert float(rouge) > 0.1
        assert float(seconds) > 0
    assert everything.startswith("| all | 2 |")
    asked[0] = GoldenItem("a", "?", ("x",), sources=(GoldenSource("coffee/99"),))
    with pytest.raises(SystemExit, match="do not hold coffee/99"):
        command.main(["--data", str(data)])
