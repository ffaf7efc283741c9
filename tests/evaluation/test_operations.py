"""The table of operations: by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.errors import ModelUnavailable
from core.evaluation.measures.registry import MEASURES
from core.evaluation.operations import (
    QUALITIES,
    Try,
    as_csv,
    as_markdown,
    asking_tries,
    embedding_tries,
    qualities,
    reading_tries,
    rows,
)
from core.evaluation.runs.results import ASPECTS, Mark
from core.types import DocumentState
from tests.evaluation.made import made_document, result


def test_times_are_of_what_succeeded_and_every_operation_has_a_row() -> None:
    tries = [Try("upload", 1.0), Try("upload", 3.0), Try("upload", 60.0, "It is damaged.")]
    upload, address, *_ = rows(tries)
    assert (upload.tries, upload.succeeded, upload.mean, upload.worst) == (3, 2, 2.0, 3.0)
    assert upload.success == pytest.approx(2 / 3)
    assert upload.reasons == ("It is damaged.",)
    assert (address.tries, address.success, address.mean, address.worst) == (0, None, None, None)
    assert len(rows([])) == 5


def test_uploads_addresses_and_what_was_collected_are_told_apart() -> None:
    ready = replace(made_document(), seconds=2.0)
    failed = replace(ready, state=DocumentState.FAILED, reason="It has a password.")
    documents = [
        ready,
        failed,
        replace(ready, url="https://e.org/"),
        replace(ready, source="site"),  # nobody waited for it
        replace(ready, state=DocumentState.WAITING),
    ]
    assert list(reading_tries(documents)) == [
        Try("upload", 2.0), Try("upload", 2.0, "It has a password."), Try("address", 2.0),
    ]  # fmt: skip


def test_a_failed_question_is_a_failed_answer() -> None:
    good = result(0, seconds=0.5, seconds_search=0.2)
    away = replace(result(1), error="The model is away.")
    assert list(asking_tries([good, away])) == [
        Try("retrieval", 0.2), Try("answer", 0.5), Try("answer", 0.0, "The model is away."),
    ]  # fmt: skip


def test_passages_are_embedded_one_by_one() -> None:
    seen: list[Sequence[str]] = []

    def embed(texts: Sequence[str]) -> None:
        seen.append(texts)
        if texts == ["two"]:
            raise ModelUnavailable("The server is away.")

    one, two = embedding_tries(embed, ["one", "two"])
    assert seen == [["one"], ["two"]]
    assert (one.reason, two.reason) == ("", "The server is away.")
    assert one.seconds > 0


def test_a_quality_has_three_ways_and_each_measures_something_that_is_there() -> None:
    for code, judged, aspect in QUALITIES.values():
        assert code in MEASURES
        assert judged in MEASURES
        assert aspect in ASPECTS
    marks = [Mark(0, "ida", {"correctness": 5, "source matching": 3})]
    found = {one.title: one for one in qualities({"contains": 0.8, "flag_tokens": 0.25}, marks)}
    assert (found["Correctness"].by_code, found["Correctness"].by_people) == (0.8, 1.0)
    assert found["Correctness"].by_judge is None
    assert found["Free of hallucination"].by_code == 0.75
    assert found["Source matching"].by_people == 0.5


def test_the_tables_as_files() -> None:
    table, good = rows([Try("answer", 0.25), Try("answer", 1.0, "Away.")]), qualities({}, ())
    said = as_markdown(table, good, "3 sessions.")
    assert "| Answer | 2 | 0.500 | 0.250 | 0.250 |" in said
    assert "- Answer: Away." in said
    assert "| Source matching | - | - | - |" in said
    lines = as_csv(table, good).splitlines()
    assert lines[0] == "what,tried,succeeded,mean_seconds,worst_seconds,by_code,by_judge,by_people"
    assert lines[5] == "Answer,2,0.5,0.25,0.25,,,"
    assert len(lines) == 11
