"""Golden sets in every form that people have them in, and back."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from core.errors import InvalidRequest
from core.evaluation.golden.formats import as_csv, item_of_row, read_golden_file
from core.evaluation.golden.sets import Critique, GoldenItem, GoldenSource, as_jsonl, golden_lines

WHOLE = GoldenItem(
    "a", "Who, or “what”?", ("Ada", "Lovelace"), True,
    (GoldenSource("x.pdf", 3, "here", "It was\nAda."), GoldenSource("y.pdf")), ("t", "u"),
    "context", ("Earlier?",), "model m", (Critique("usefulness", 4, "Good."),),
)  # fmt: skip


def zipped(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), text)
    return out.getvalue()


def test_lines_of_json_and_back() -> None:
    assert golden_lines(as_jsonl([WHOLE]), "set") == [WHOLE]
    assert read_golden_file("set.jsonl", as_jsonl([WHOLE]).encode()) == [WHOLE]


def test_a_table_and_back() -> None:
    [found] = read_golden_file("set.csv", as_csv([WHOLE]).encode("utf-8-sig"))
    assert found.sources == WHOLE.sources[:1]
    assert (found.id, found.question, found.answers, found.tags, found.origin) == (
        "a", WHOLE.question, WHOLE.answers, WHOLE.tags, "model m",
    )  # fmt: skip


def test_tables_of_other_programs() -> None:
    table = "Question;Answer;Answerable;Document;Page\nWho?;Ada;yes;x.pdf;3.0\nWhy?;;no;;\n"
    first, second = read_golden_file("set.csv", table.encode())
    assert (first.answers, first.sources) == (("Ada",), (GoldenSource("x.pdf", 3),))
    assert (second.answerable, second.sources) == (False, ())
    assert [item.id for item in (first, second)] == ["1", "2"]


def test_beir() -> None:
    queries = "\n".join(json.dumps({"_id": key, "text": f"{key}?"}) for key in "ab")
    qrels = "query-id\tcorpus-id\tscore\na\td1\t1\na\td2\t0\nz\td1\t1\n"
    data = zipped(set__queries_dot_jsonl=queries, set__qrels__test_dot_tsv=qrels)
    [item] = read_golden_file("set.zip", data)
    assert (item.question, item.sources) == ("a?", (GoldenSource("d1"),))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("set.pdf", b"%PDF"),
        ("set.csv", b"title,text\na,b\n"),
        ("set.csv", "question\nWho?\xe9".encode("latin-1")),
        ("set.csv", b"question,page\nWho?,three\n"),
        ("set.jsonl", b'{"question": "Who?", "answers": "Ada"}'),
        ("set.jsonl", b"\n\n"),
        ("set.jsonl", b'{"question": " "}'),
        ("set.zip", b"no zip"),
        ("set.zip", zipped(other="x")),
        ("set.zip", zipped(queries_dot_jsonl="[]", q_dot_tsv="")),
    ],
)
def test_what_cannot_be_read_is_said(name: str, data: bytes) -> None:
    with pytest.raises(InvalidRequest):
        read_golden_file(name, data)


def test_ids_are_made_unlike() -> None:
    lines = '{"id": "1", "question": "A?"}\n{"id": "1", "question": "B?"}\n{"question": "C?"}'
    found = read_golden_file("set.jsonl", lines.encode())
    assert [item.id for item in found] == ["1", "1'", "3"]


def test_editing_a_row_keeps_what_the_table_does_not_show() -> None:
    nothing = float("nan")
    row = {"id": "a", "question": "New?", "answers": nothing, "document": "x.pdf", "page": 4.0,
           "answerable": True, "tags": None}  # fmt: skip
    found = item_of_row(row, 1, WHOLE)
    assert (found.context, found.follows, found.critiques) == (
        WHOLE.context, WHOLE.follows, WHOLE.critiques,
    )  # fmt: skip
    assert found.sources == (GoldenSource("x.pdf", 4), GoldenSource("y.pdf"))
    assert found.answers == ()
