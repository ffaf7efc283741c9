"""Runs of collecting in the catalogue: queued once, claimed in turn, interrupted, remembered."""

from __future__ import annotations

from core.storage.catalogue import Catalogue
from core.storage.sql.collecting import KEPT_RUNS
from core.types import (
    CollectKind,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectState,
)

REQUEST = CollectRequest(CollectKind.SITE, ("http://e.org/",), pages=7)


def test_one_run_of_a_source_at_a_time(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.add_collect_run(session_id, "site-1", REQUEST)
    assert catalogue.add_collect_run(session_id, "site-1", REQUEST) == first
    other = catalogue.add_collect_run(session_id, "site-2", REQUEST, refresh=True)
    assert [run.id for run in catalogue.collect_runs(session_id)] == [other.id, first.id]
    assert (other.refresh, other.request, other.legs) == (True, REQUEST, 0)


def test_runs_are_claimed_in_turn(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.add_collect_run(session_id, "a", REQUEST)
    second = catalogue.add_collect_run(session_id, "b", REQUEST)
    claimed = [catalogue.claim_collect_run() for _ in range(3)]
    assert [run and run.id for run in claimed] == [first.id, second.id, None]
    assert claimed[0] is not None
    assert claimed[0].state is CollectState.RUNNING
    assert claimed[0].legs == 1
    assert claimed[0].began_at is not None


def test_a_run_moves_only_from_the_states_that_are_named(
    catalogue: Catalogue, session_id: str
) -> None:
    run = catalogue.add_collect_run(session_id, "a", REQUEST)
    assert not catalogue.move_collect_run(run.id, [CollectState.RUNNING], CollectState.DONE)
    catalogue.claim_collect_run()
    progress = CollectProgress("Reading pages", found=3, seconds_left=1.5)
    catalogue.set_collect_progress(run.id, progress)
    gave = CollectOutcome((("Intro", 3),), (("http://e.org/x", "Why."),), ("http://e.org/gone",))
    catalogue.set_collect_outcome(run.id, gave)
    moved = catalogue.move_collect_run(
        run.id, [CollectState.RUNNING], CollectState.DONE, reason="Done."
    )
    found = catalogue.collect_run(session_id, run.id)
    assert moved
    assert found is not None
    assert (found.state, found.progress, found.reason) == (CollectState.DONE, progress, "Done.")
    assert found.ended_at is not None
    assert catalogue.collect_outcome(session_id, run.id) == gave


def test_what_an_ended_process_left_is_interrupted(catalogue: Catalogue, session_id: str) -> None:
    running = catalogue.add_collect_run(session_id, "a", REQUEST)
    catalogue.add_collect_run(session_id, "b", REQUEST)
    catalogue.claim_collect_run()
    assert catalogue.interrupt_collect_runs() == 1
    found = catalogue.collect_run(session_id, running.id)
    assert found is not None
    assert found.state is CollectState.INTERRUPTED
    assert catalogue.requeue_collect_runs() == 1
    claimed = catalogue.claim_collect_run()
    assert claimed is not None
    assert (claimed.id, claimed.legs) == (running.id, 2)


def test_foreign_sessions_see_nothing(catalogue: Catalogue, session_id: str) -> None:
    run = catalogue.add_collect_run(session_id, "a", REQUEST)
    other = catalogue.create_session(catalogue.create_owner("f" * 64), "Other").id
    assert catalogue.collect_run(other, run.id) is None
    assert catalogue.collect_runs(other) == []
    assert catalogue.collect_outcome(other, run.id) == CollectOutcome()
    catalogue.delete_session(session_id)
    assert not catalogue.move_collect_run(run.id, [CollectState.WAITING], CollectState.PAUSED)


def test_old_runs_are_forgotten_and_unfinished_ones_are_not(
    catalogue: Catalogue, session_id: str
) -> None:
    kept = catalogue.add_collect_run(session_id, "kept", REQUEST)
    for number in range(KEPT_RUNS + 5):
        run = catalogue.add_collect_run(session_id, f"s{number}", REQUEST)
        catalogue.move_collect_run(run.id, [CollectState.WAITING], CollectState.STOPPED)
    found = catalogue.collect_runs(session_id)
    assert len(found) == KEPT_RUNS + 1
    assert found[-1].id == kept.id
    catalogue.remove_collect_run(session_id, kept.id)
    assert catalogue.collect_run(session_id, kept.id) is not None
    catalogue.remove_collect_run(session_id, found[0].id)
    assert catalogue.collect_run(session_id, found[0].id) is None


def test_documents_know_where_they_were_collected(catalogue: Catalogue, session_id: str) -> None:
    catalogue.add_document(session_id, "D", "a", size=1, source="site-1")
    catalogue.add_document(session_id, "E", "b", size=1)
    found = catalogue.documents_of_source(session_id, "site-1")
    assert [(document.id, document.source) for document in found] == [("D", "site-1")]
