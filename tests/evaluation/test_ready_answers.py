"""A CSV of ready answers: what is read, what is measured, what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import numpy as np
import pytest

from core.errors import InvalidRequest
from core.evaluation.ready_answers import (
    MEASURES,
    MOST_ROWS,
    ReadyAnswer,
    as_csv,
    averages,
    read_ready_answers,
    scored,
)
from core.models.port import Vectors

TOWER = "The Eiffel Tower was completed in March 1889."
HEAD = "question,retrieved_chunks,llm_answer,expected_answer"


def embed(texts: Sequence[str]) -> Vectors:
    """Texts with a 9 point one way, all others across it."""
    return np.array([[1, 0] if "9" in text else [0, 1] for text in texts], np.float32)


def written(*rows: Sequence[str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD.split(","))
    writer.writerows(rows)
    return out.getvalue().encode()


def ready(answer: str, expected: str = "1889", chunks: Sequence[str] = (TOWER,)) -> ReadyAnswer:
    return ReadyAnswer("When was the Eiffel Tower completed?", tuple(chunks), answer, expected)


@pytest.mark.parametrize(
    "cell",
    [
        json.dumps(["One.", "Two, it's."]),
        str(["One.", "Two, it's."]),
        json.dumps([{"text": "One.", "page": None}, {"page_content": "Two, it's.", "score": 0.3}]),
        str([{"content": "One."}, {"chunk": "Two, it's."}]),
    ],
)
def test_chunks_are_lists_as_json_or_as_python_prints_them(cell: str) -> None:
    (row,) = read_ready_answers("a.csv", written(["Q?", cell, "A", "B"]))
    assert row == ReadyAnswer("Q?", ("One.", "Two, it's."), "A", "B")


@pytest.mark.parametrize("cell", ["[1] a footnote, no list", "Plain text", "[" * 20_000])
def test_anything_else_is_one_chunk(cell: str) -> None:
    (row,) = read_ready_answers("a.csv", written(["Q?", cell, "A", "B"]))
    assert row.chunks == (cell,)


def test_an_empty_cell_is_no_chunk_and_an_empty_row_no_answer() -> None:
    rows = read_ready_answers("a.csv", written(["Q?", "", "A", "B"], ["", "", "", ""], ["", "[]"]))
    assert [row.chunks for row in rows] == [(), ()]


def test_titles_of_columns_may_be_in_any_order_and_case() -> None:
    data = b"Expected_Answer, LLM_answer ,Question,id,Retrieved_Chunks\nE,A,Q,7,C\n"
    assert read_ready_answers("a.csv", data) == [ReadyAnswer("Q", ("C",), "A", "E")]


def test_a_cell_may_be_longer_than_csv_readers_allow_by_themselves() -> None:
    known = csv.field_size_limit(131_072)  # as Python begins; readers of files here raise it
    (row,) = read_ready_answers("a.csv", written(["Q?", "word " * 50_000, "A", "B"]))
    assert len(row.chunks[0]) > 131_072
    assert csv.field_size_limit(known) == 131_072


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"question,llm_answer\nQ,A\n", "no column named retrieved_chunks or expected_answer"),
        (b"", "no column named question"),
        (HEAD.encode() + b"\n", "has no answers"),
        ("Größe".encode("latin-1"), "is not in UTF-8"),
        (written(*[["Q", "C", "A", "E"]] * (MOST_ROWS + 1)), "has more than 5,000 rows"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(data: bytes, said: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_ready_answers("answers.csv", data)
    assert "answers.csv" in refused.value.message
    assert said in refused.value.message
    assert refused.value.cure


def test_an_answer_is_compared_with_the_expected_one_and_with_its_chunks() -> None:
    right, wrong = scored([ready("In March 1889 [1]."), ready("By Napoleon in Warsaw")], embed)
    assert right.measures == {
        "cosine": 1.0, "f1": pytest.approx(0.5), "novel": 0.0, "flag_tokens": 0.0,
        "flag_names": 0.0, "similarity": pytest.approx(right.measures["similarity"]),
        "flag_tfidf": 0.0,
    }  # fmt: skip
    assert (right.measures["similarity"] or 0) > 0.1
    assert (wrong.measures["cosine"], wrong.measures["f1"]) == (0.0, 0.0)
    assert (wrong.measures["flag_tokens"], wrong.measures["flag_names"]) == (1.0, 1.0)


def test_the_mark_of_a_citation_is_no_word_of_the_answer() -> None:
    (one,) = scored([ready("1889 [1]")], embed)
    assert one.measures["f1"] == 1.0


def test_what_cannot_be_compared_has_no_value_and_no_part_in_the_mean() -> None:
    rows = [ready("1889"), ready("1889", ""), ready("1889", chunks=()), ready("")]
    found = scored(rows, embed)
    assert [one.measures["f1"] for one in found] == [1.0, None, 1.0, 0.0]
    assert [one.measures["cosine"] for one in found] == [1.0, None, 1.0, None]
    assert [one.measures["novel"] for one in found] == [0.0, 0.0, None, None]
    means = averages(found)
    assert means["f1"] == pytest.approx(2 / 3)
    assert list(means) == list(MEASURES)


def test_the_table_has_every_measure_and_no_formula() -> None:
    text = as_csv(scored([ready("=1+1"), ready("1889", "")], embed))
    first, second = csv.DictReader(io.StringIO(text))
    assert first["llm_answer"] == "'=1+1"
    assert set(MEASURES) < set(first)
    assert (second["f1"], second["chunks"]) == ("", "1")
