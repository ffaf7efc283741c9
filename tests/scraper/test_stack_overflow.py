"""Dumps and exports: every row read, the right answers, code whole, attribution kept."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import subprocess
import sys
from html import escape
from pathlib import Path
from xml.sax.saxutils import quoteattr

import py7zr
import pytest

from core.errors import DamagedFile, Interrupted, UnsupportedType
from core.types import ChunkKind
from scraper.dumps import read_rows
from scraper.pair_selection import Choice, DumpReport
from scraper.qa_pairs import body_draft, licence_of, tags_of, to_loaded
from scraper.stack_overflow import collect, guess_site, loaded_pairs, main, read_json

CODE = "def f(a):\n\tif a < 1 and b > 2:\n        return  '&amp;'  \n\n    # ünïcode ```\n"
ALL = Choice(tag="", limit=0, min_score=-100)


def question(number: int, **values: str) -> dict[str, str]:
    usual = {
        "Id": str(number),
        "PostTypeId": "1",
        "Score": "3",
        "Title": f'Question "{number}" & more?',
        "Body": f"<p>How to <code>do({number})</code>?</p>\n",
        "Tags": "<python><list>",
        "CreationDate": "2016-08-02T15:39:14.947",
        "OwnerUserId": "7",
    }
    return usual | values


def answer(number: int, parent: int, **values: str) -> dict[str, str]:
    usual = {
        "Id": str(number),
        "PostTypeId": "2",
        "ParentId": str(parent),
        "Score": "1",
        "Body": f"<p>Answer {number}.</p>",
        "CreationDate": "2019-01-01T00:00:00.000",
        "OwnerDisplayName": "Ada",
    }
    return usual | values


def dump(*rows: dict[str, str], bom: bool = False) -> str:
    lines = "\n".join(
        "  <row {} />".format(
            " ".join(
                f"{k}={quoteattr(v, {chr(10): '&#xA;', chr(9): '&#x9;'})}" for k, v in row.items()
            )
        )
        for row in rows
    )
    mark = "\ufeff" if bom else ""
    return f'{mark}<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{lines}\n</posts>\n'


ROWS = (
    question(1, AcceptedAnswerId="3", Score="5"),
    question(2, Tags="<java>", AcceptedAnswerId="6"),
    answer(3, 1, Body=f"<p>So:</p><pre><code>{escape(CODE)}</code></pre>", Score="2"),
    answer(4, 1, Score="99"),
    question(5),
    answer(6, 2),
    answer(7, 5, Score="1"),
    answer(8, 5, Score="4"),
    question(9),
    {"Id": "10", "PostTypeId": "4", "Body": "tag wiki"},
    answer(11, 12, Score="8"),
    question(12, AcceptedAnswerId="11", Score="-3"),
)


def run(path: Path, choice: Choice = ALL, **options: object) -> DumpReport:
    return collect([path], path.parent / "out.json", choice, **options)


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    path = tmp_path / "Posts.xml"
    path.write_text(dump(*ROWS, bom=True), "utf-8")
    return path


def packed(posts: Path, form: str) -> Path:
    if form == "xml":
        return posts
    path = posts.with_name(f"Posts.{form}")
    if form == "xml.gz":
        path.write_bytes(gzip.compress(posts.read_bytes()))
    else:
        with py7zr.SevenZipFile(path, "w") as archive:
            archive.writestr("first", "Badges.xml")
            archive.write(posts, "Posts.xml")
            archive.writestr("last", "Tags.xml")
    return path


@pytest.mark.parametrize("form", ["xml", "xml.gz", "7z"])
def test_every_row_is_read_from_every_packing(form: str, posts: Path) -> None:
    report = run(packed(posts, form))
    assert (report.rows, report.questions, report.answers) == (12, 5, 6)
    assert (report.matching, report.pairs) == (5, 4)


def test_the_accepted_answer_or_the_best(posts: Path) -> None:
    run(posts)
    pairs = list(read_json(posts.parent / "out.json"))
    chosen = [(p.question.id, p.answer.id, p.accepted) for p in pairs]
    assert chosen == [("1", "3", True), ("2", "6", True), ("5", "8", False), ("12", "11", True)]
    run(posts, Choice(tag="", limit=0, min_score=-100, answers="accepted"))
    assert [p.question.id for p in read_json(posts.parent / "out.json")] == ["1", "2", "12"]


def test_choice_by_tag_score_and_number(posts: Path) -> None:
    run(posts, Choice(tag="Python", min_score=0))
    assert [p.question.id for p in read_json(posts.parent / "out.json")] == ["1", "5"]
    assert run(posts, Choice(tag="python", limit=1)).pairs == 1
    assert run(posts, Choice(tag="pyth")).pairs == 0


def test_code_is_whole(posts: Path) -> None:
    report = run(posts)
    pair = next(read_json(posts.parent / "out.json"))
    assert report.code_blocks == 1
    (code,) = pair.answer.code
    expected = CODE.strip("\n")
    assert hashlib.sha256(code.encode()).digest() == hashlib.sha256(expected.encode()).digest()
    page = to_loaded(pair).pages[0]
    (block,) = page.blocks
    assert block.kind is ChunkKind.CODE
    assert code in page.text[block.start : block.end]


def test_documents_carry_their_attribution(posts: Path, tmp_path: Path) -> None:
    users = tmp_path / "Users.xml"
    users.write_text('<users><row Id="7" DisplayName="Bo &amp; Co"/><row Id="8"/></users>', "utf-8")
    run(posts, users=users, site="ai.stackexchange.com")
    name, url, loaded = next(loaded_pairs(read_json(posts.parent / "out.json")))
    assert name == loaded.title == 'Question "1" & more?'
    assert url == "https://ai.stackexchange.com/questions/1"
    assert loaded.attribution == (
        "Question by Bo & Co (2016-08-02, score 5), answer by Ada (2019-01-01, score 2), "
        "CC BY-SA 3.0 and CC BY-SA 4.0, https://ai.stackexchange.com/a/3"
    )
    headings = loaded.pages[0].headings
    assert [(h.title, h.anchor) for h in headings] == [
        ('Question "1" & more?', None),
        ("Question", "1"),
        ("Answer (accepted, score 2)", "3"),
    ]
    for heading in headings:
        assert loaded.pages[0].text[heading.offset :].startswith("#" * heading.level + " ")
    assert "Tags: python, list" in loaded.pages[0].text
    assert "How to `do(1)`?" in loaded.pages[0].text


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (dump(*ROWS)[:-40], DamagedFile),
        ("<posts><row Id='1'></posts>", DamagedFile),
        ('<!DOCTYPE x [<!ENTITY a "b">]><posts><row Id="&a;"/></posts>', DamagedFile),
        ('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/"><posts/>', DamagedFile),
        ("[1, 2", DamagedFile),
        ('{"a": ', DamagedFile),
    ],
)
def test_broken_dumps(text: str, error: type[Exception], posts: Path) -> None:
    run(posts)
    before = (posts.parent / "out.json").read_bytes()
    posts.write_text(text, "utf-8")
    with pytest.raises(error):
        run(posts)
    assert (posts.parent / "out.json").read_bytes() == before
    assert [path.name for path in posts.parent.iterdir() if path.name.startswith(".")] == []


def test_broken_packings(posts: Path, tmp_path: Path) -> None:
    for form in ("xml.gz", "7z"):
        path = packed(posts, form)
        path.write_bytes(path.read_bytes()[:-30])
        with pytest.raises(DamagedFile):
            run(path)
    other = tmp_path / "other.7z"
    with py7zr.SevenZipFile(other, "w") as archive:
        archive.writestr("x", "Badges.xml")
    with pytest.raises(UnsupportedType, match=r"no Posts\.xml"):
        run(other)


def test_can_be_stopped(posts: Path) -> None:
    with pytest.raises(Interrupted):
        run(posts, cancelled=lambda: True)
    with pytest.raises(Interrupted):
        run(packed(posts, "7z"), cancelled=lambda: True)
    assert not (posts.parent / "out.json").exists()


def test_progress_is_told(posts: Path) -> None:
    told: list[tuple[str, float]] = []
    run(posts, on_progress=lambda step, share: told.append((step, share)))
    assert {step for step, _ in told} == {"choosing", "taking"}
    assert max(share for _, share in told) == 1.0


BIGQUERY = {
    "question_id": 1, "title": "How?", "question_body": "<p>How <b>so</b>?</p>", "tags": "python|x",
    "question_score": 4, "answer_id": 2, "answer_body": "<pre><code>a = 1\nb = 22222</code></pre>",
    "answer_score": 5, "accepted_answer_id": 2, "answer_creation_date": "2020-01-01 00:00:00 UTC",
}  # fmt: skip


@pytest.mark.parametrize("form", ["array", "lines", "items", "csv"])
def test_exports_of_pairs(form: str, tmp_path: Path) -> None:
    rows = [BIGQUERY, BIGQUERY | {"question_id": 3, "tags": "java"}]
    path = tmp_path / f"pairs.{form}"
    if form == "csv":
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.DictWriter(file, list(BIGQUERY))
            writer.writeheader()
            writer.writerows(rows)
    else:
        lines = "\n".join(map(json.dumps, rows))
        array = json.dumps(rows, indent=1)
        path.write_text({"lines": lines, "array": array, "items": f'{{"items": {array}}}'}[form])
    report = run(path, Choice(tag="python"))
    assert (report.rows, report.questions, report.matching, report.pairs) == (2, 2, 1, 1)
    (pair,) = read_json(tmp_path / "out.json")
    assert (pair.title, pair.question.text, pair.tags) == ("How?", "How so?", ("python", "x"))
    assert pair.answer.code == ("a = 1\nb = 22222",)
    assert (pair.answer.score, pair.answer.licence, pair.accepted) == (5, "CC BY-SA 4.0", True)
    assert pair.question.url == "https://stackoverflow.com/questions/1"


def test_exports_of_posts(tmp_path: Path) -> None:
    path = tmp_path / "posts.csv"
    names = list(dict.fromkeys(name for row in ROWS for name in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(ROWS)
    report = run(path)
    assert (report.rows, report.questions, report.answers, report.pairs) == (12, 5, 6, 4)


def test_questions_and_answers_in_two_files(tmp_path: Path) -> None:
    questions, answers = tmp_path / "q.json", tmp_path / "a.json"
    questions.write_text(json.dumps([row for row in ROWS if "Title" in row]))
    answers.write_text(json.dumps([row for row in ROWS if "ParentId" in row]))
    report = collect([questions, answers], tmp_path / "out.json", ALL)
    assert (report.questions, report.answers, report.pairs) == (5, 6, 4)


def test_small_things() -> None:
    assert tags_of("<c++><.net>") == ("c++", ".net")
    assert licence_of("2011-04-07") == "CC BY-SA 2.5"
    assert licence_of("x") == ""
    assert body_draft("a < b\n\nplain")[0].text == "a < b\n\nplain"
    assert guess_site([Path("/d/ai.stackexchange.com/Posts.xml")]) == "ai.stackexchange.com"
    assert guess_site([Path("/d/stackoverflow.com-Posts.7z")]) == "stackoverflow.com"
    assert guess_site([Path("/d/Posts.xml")]) == "stackoverflow.com"


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    script = (
        "import re, sys\nfrom pathlib import Path\nfrom scraper.stack_overflow import collect\n"
        "from scraper.pair_selection import Choice\n"
        "collect([Path(sys.argv[1])], Path(sys.argv[2]), Choice(limit=20))\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )

    def peak(pairs: int) -> int:
        path = tmp_path / f"{pairs}.xml"
        body = "<p>" + "word " * 400 + "</p>"
        with path.open("w", encoding="utf-8") as file:
            file.write("<posts>\n")
            for number in range(pairs):
                one, two = (
                    question(2 * number + 1, Body=body),
                    answer(2 * number + 2, 2 * number + 1),
                )
                file.write("\n".join(dump(one, two).split("\n")[2:-2]) + "\n")
            file.write("</posts>\n")
        run = [sys.executable, "-c", script, str(path), str(tmp_path / "out.json")]
        return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)

    small, large = peak(100), peak(8_000)
    assert large - small < 12_000  # KB, for 18 MB more of dump


def test_from_the_shell(posts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = posts.parent / "pairs.json"
    assert main(["--posts", str(posts), "--tag", "python", "--limit", "5", "--out", str(out)]) == 0
    assert "12 rows (5 questions, 6 answers)" in capsys.readouterr().out
    assert main(["--posts", str(posts), "--tag", "cobol", "--out", str(out)]) == 1
    assert main(["--posts", "missing.xml", "--out", str(out)]) == 2
    assert "missing.xml" in capsys.readouterr().err


def test_damaged_results_are_said(tmp_path: Path, posts: Path) -> None:
    run(posts)
    whole = (tmp_path / "out.json").read_text("utf-8")
    for text in ("", "{}", whole[:-5], whole.replace('"title"', '"name"')):
        (tmp_path / "out.json").write_text(text, "utf-8")
        with pytest.raises(DamagedFile):
            list(read_json(tmp_path / "out.json"))


def test_rows_are_handed_on_as_they_come(posts: Path) -> None:
    seen: list[str] = []
    assert read_rows(posts, lambda row: seen.append(row["id"])) == 12
    assert seen == [row["Id"] for row in ROWS]
