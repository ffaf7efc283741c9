"""What the evaluation keeps: whole, apart by session, resumable by question, erased for good."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from core.config import Settings
from core.errors import NotFound
from core.storage.catalogue import Catalogue


@pytest.fixture
def catalogue(settings: Settings) -> Iterator[Catalogue]:
    catalogue = Catalogue(settings)
    yield catalogue
    catalogue.close()


def a_session(catalogue: Catalogue) -> str:
    return catalogue.sessions.create(catalogue.owners.create(uuid.uuid4().hex), "s").id


def a_run(catalogue: Catalogue, session: str, questions: int = 3, state: str = "waiting") -> str:
    values = {
        "name": "Run", "set_name": "Set", "set_digest": "d", "settings": "{}", "state": state,
    }  # fmt: skip
    return catalogue.runs.add(session, values, [f"item {at}" for at in range(questions)])


def test_sets_are_kept_in_order_and_apart(catalogue: Catalogue) -> None:
    mine, theirs = a_session(catalogue), a_session(catalogue)
    items = [f"item {at}" for at in range(1_234)]
    key = catalogue.golden_sets.save(mine, None, "Mine", "digest", items)
    assert catalogue.golden_sets.items(mine, key) == items
    assert (
        catalogue.golden_sets.get(mine, key)["questions"],
        len(catalogue.golden_sets.list(mine)),
    ) == (1_234, 1)
    assert catalogue.golden_sets.list(theirs) == []
    for attempt in (
        catalogue.golden_sets.items,
        catalogue.golden_sets.get,
        catalogue.golden_sets.delete,
    ):
        with pytest.raises(NotFound):
            attempt(theirs, key)
    catalogue.golden_sets.save(mine, key, "Renamed", "other", ["one"])
    assert (
        catalogue.golden_sets.items(mine, key),
        catalogue.golden_sets.get(mine, key)["name"],
    ) == (["one"], "Renamed")
    catalogue.golden_sets.delete(mine, key)
    assert catalogue.golden_sets.list(mine) == []


def test_a_run_goes_on_at_the_question_where_it_stopped(catalogue: Catalogue) -> None:
    session = a_session(catalogue)
    run = a_run(catalogue, session)
    assert catalogue.runs.next_waiting() == (session, run)
    assert catalogue.runs.change(run, ["waiting"], state="running")
    assert not catalogue.runs.change(run, ["waiting"], state="running")
    catalogue.runs.save_result(run, 0, "{}", "answer")
    catalogue.runs.save_result(run, 0, "{}", "answer again")
    catalogue.runs.save_result(run, 2, "{}", "answer")
    assert [row["position"] for row in catalogue.runs.pending(run, 10)] == [1]
    assert catalogue.runs.get(session, run)["done"] == 2
    assert [row["position"] for row in catalogue.runs.results(run)] == [0, 2]
    assert "detail" not in catalogue.runs.results(run)[0]
    found = catalogue.runs.result(run, 0)
    assert found is not None
    assert found["detail"] == "answer again"
    assert catalogue.runs.result(run, 1) is None
    assert catalogue.runs.leave(["running"], "interrupted") == 1
    assert catalogue.runs.next_waiting() is None


def test_marks_and_thumbs_replace_their_earlier_ones(catalogue: Catalogue) -> None:
    session = a_session(catalogue)
    run = a_run(catalogue, session)
    catalogue.runs.set_mark(run, 0, "ida", '{"clarity": 1}', "")
    catalogue.runs.set_mark(run, 0, "ida", '{"clarity": 5}', "better")
    catalogue.runs.set_mark(run, 0, "nils", '{"clarity": 3}', "")
    assert [(row["rater"], row["comment"]) for row in catalogue.runs.marks(run)] == [
        ("ida", "better"), ("nils", ""),
    ]  # fmt: skip
    conversation = catalogue.conversations.create(session, "Talk")
    message = catalogue.conversations.add_message(session, conversation.id, "assistant", "Hello.")
    catalogue.thumbs.set(session, message.id, False, "wrong", "{}")
    catalogue.thumbs.set(session, message.id, True, "right after all", "{}")
    assert [(row["up"], row["reason"]) for row in catalogue.thumbs.list(session)] == [
        (True, "right after all")
    ]
    assert catalogue.thumbs.get(session, message.id + 1) is None


def test_deleting_leaves_no_byte(catalogue: Catalogue, settings: Settings) -> None:
    session = a_session(catalogue)
    run = a_run(catalogue, session)
    catalogue.runs.save_result(run, 0, "{}", "the secret answer")
    catalogue.runs.set_mark(run, 0, "ida", "{}", "a secret comment")
    catalogue.golden_sets.save(session, None, "Set", "d", ["a secret question"])
    catalogue.runs.delete(session, run)
    with pytest.raises(NotFound):
        catalogue.runs.get(session, run)
    catalogue.sessions.delete(session)
    catalogue.close()
    for path in settings.data_dir.glob("library.db*"):
        assert b"secret" not in path.read_bytes()


@pytest.mark.sqlite
def test_a_catalogue_without_the_tables_gets_them(settings: Settings) -> None:
    import sqlite3

    Catalogue(settings).close()
    with sqlite3.connect(settings.data_dir / "library.db") as old:
        for table in ("thumbs", "human_marks", "evaluation_results", "golden_items"):
            old.execute(f"DROP TABLE {table}")
        old.execute("UPDATE schema_info SET version = 3")
    old.close()
    catalogue = Catalogue(settings)
    assert a_run(catalogue, a_session(catalogue))
    catalogue.close()
