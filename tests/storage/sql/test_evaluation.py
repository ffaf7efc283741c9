"""What the evaluation keeps: whole, apart by session, resumable by question, erased for good."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from core.config import Settings
from core.errors import NotFound
from core.storage.catalogue import Catalogue
from core.storage.sql.evaluation import EvaluationRecords


@pytest.fixture
def catalogue(settings: Settings) -> Iterator[Catalogue]:
    catalogue = Catalogue(settings)
    yield catalogue
    catalogue.close()


def a_session(catalogue: Catalogue) -> str:
    return catalogue.create_session(catalogue.create_owner(uuid.uuid4().hex), "s").id


def a_run(
    records: EvaluationRecords, session: str, questions: int = 3, state: str = "waiting"
) -> str:
    values = {
        "name": "Run", "set_name": "Set", "set_digest": "d", "settings": "{}", "state": state,
    }  # fmt: skip
    return records.add_run(session, values, [f"item {at}" for at in range(questions)])


def test_sets_are_kept_in_order_and_apart(catalogue: Catalogue) -> None:
    mine, theirs = a_session(catalogue), a_session(catalogue)
    records = catalogue.evaluation
    items = [f"item {at}" for at in range(1_234)]
    key = records.save_set(mine, None, "Mine", "digest", items)
    assert records.items(mine, key) == items
    assert (records.set_row(mine, key)["questions"], len(records.sets(mine))) == (1_234, 1)
    assert records.sets(theirs) == []
    for attempt in (records.items, records.set_row, records.delete_set):
        with pytest.raises(NotFound):
            attempt(theirs, key)
    records.save_set(mine, key, "Renamed", "other", ["one"])
    assert (records.items(mine, key), records.set_row(mine, key)["name"]) == (["one"], "Renamed")
    records.delete_set(mine, key)
    assert records.sets(mine) == []


def test_a_run_goes_on_at_the_question_where_it_stopped(catalogue: Catalogue) -> None:
    session, records = a_session(catalogue), catalogue.evaluation
    run = a_run(records, session)
    assert records.next_waiting() == (session, run)
    assert records.change_run(run, ["waiting"], state="running")
    assert not records.change_run(run, ["waiting"], state="running")
    records.save_result(run, 0, "{}", "answer")
    records.save_result(run, 0, "{}", "answer again")
    records.save_result(run, 2, "{}", "answer")
    assert [row["position"] for row in records.pending(run, 10)] == [1]
    assert records.run(session, run)["done"] == 2
    assert [row["position"] for row in records.results(run)] == [0, 2]
    assert "detail" not in records.results(run)[0]
    found = records.result(run, 0)
    assert found is not None
    assert found["detail"] == "answer again"
    assert records.result(run, 1) is None
    assert records.change_states(["running"], "interrupted") == 1
    assert records.next_waiting() is None


def test_marks_and_thumbs_replace_their_earlier_ones(catalogue: Catalogue) -> None:
    session, records = a_session(catalogue), catalogue.evaluation
    run = a_run(records, session)
    records.set_mark(run, 0, "ida", '{"clarity": 1}', "")
    records.set_mark(run, 0, "ida", '{"clarity": 5}', "better")
    records.set_mark(run, 0, "nils", '{"clarity": 3}', "")
    assert [(row["rater"], row["comment"]) for row in records.marks(run)] == [
        ("ida", "better"), ("nils", ""),
    ]  # fmt: skip
    conversation = catalogue.create_conversation(session, "Talk")
    message = catalogue.add_message(session, conversation.id, "assistant", "Hello.")
    records.set_thumb(session, message.id, False, "wrong", "{}")
    records.set_thumb(session, message.id, True, "right after all", "{}")
    assert [(row["up"], row["reason"]) for row in records.thumbs(session)] == [
        (True, "right after all")
    ]
    assert records.thumb(session, message.id + 1) is None


def test_deleting_leaves_no_byte(catalogue: Catalogue, settings: Settings) -> None:
    session, records = a_session(catalogue), catalogue.evaluation
    run = a_run(records, session)
    records.save_result(run, 0, "{}", "the secret answer")
    records.set_mark(run, 0, "ida", "{}", "a secret comment")
    records.save_set(session, None, "Set", "d", ["a secret question"])
    records.delete_run(session, run)
    with pytest.raises(NotFound):
        records.run(session, run)
    catalogue.delete_session(session)
    catalogue.close()
    for path in settings.data_dir.glob("library.db*"):
        assert b"secret" not in path.read_bytes()


def test_a_catalogue_without_the_tables_gets_them(settings: Settings) -> None:
    import sqlite3

    Catalogue(settings).close()
    with sqlite3.connect(settings.data_dir / "library.db") as old:
        for table in ("thumbs", "human_marks", "evaluation_results", "golden_items"):
            old.execute(f"DROP TABLE {table}")
        old.execute("UPDATE schema_info SET version = 3")
    old.close()
    catalogue = Catalogue(settings)
    assert a_run(catalogue.evaluation, a_session(catalogue))
    catalogue.close()
