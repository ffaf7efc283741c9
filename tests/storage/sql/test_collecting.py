"""Runs of collecting in the catalogue: queued once, claimed in turn, interrupted, remembered."""

from __future__ import annotations

from core.storage.catalogue import Catalogue
from core.storage.sql.collect_runs import KEPT_RUNS
from core.types import (
    CollectKind,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectState,
)

REQUEST = CollectRequest(CollectKind.SITE, ("http://e.org/",), pages=7)


def test_one_run_of_a_source_at_a_time(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.collect_runs.add(session_id, "site-1", REQUEST)
    assert catalogue.collect_runs.add(session_id, "site-1", REQUEST) == first
    other = catalogue.collect_runs.add(session_id, "site-2", REQUEST, refresh=True)
    assert [run.id for run in catalogue.collect_runs.list(session_id)] == [other.id, first.id]
    assert (other.refresh, other.request, other.legs) == (True, REQUEST, 0)


def test_runs_are_claimed_in_turn(catalogue: Catalogue, session_id: str) -> None:
    first = catalogue.collect_runs.add(session_id, "a", REQUEST)
    second = catalogue.collect_runs.add(session_id, "b", REQUEST)
    claimed = [catalogue.collect_runs.claim_next() for _ in range(3)]
    assert [run and run.id for run in claimed] == [first.id, second.id, None]
    assert claimed[0] is not None
    assert claimed[0].state is CollectState.RUNNING
    assert claimed[0].legs == 1
    assert claimed[0].began_at is not None


def test_a_run_moves_only_from_the_states_that_are_named(
    catalogue: Catalogue, session_id: str
) -> None:
    run = catalogue.collect_runs.add(session_id, "a", REQUEST)
    assert not catalogue.collect_runs.move(run.id, [CollectState.RUNNING], CollectState.DONE)
    catalogue.collect_runs.claim_next()
    progress = CollectProgress("Reading pages", found=3, seconds_left=1.5)
    catalogue.collect_runs.set_progress(run.id, progress)
    gave = CollectOutcome((("Intro", 3),), (("http://e.org/x", "Why."),), ("http://e.org/gone",))
    catalogue.collect_runs.set_outcome(run.id, gave)
    moved = catalogue.collect_runs.move(
        run.id, [CollectState.RUNNING], CollectState.DONE, reason="Done."
    )
    found = catalogue.collect_runs.get(session_id, run.id)
    assert moved
    assert found is not None
    assert (found.state, found.progress, found.reason) == (CollectState.DONE, progress, "Done.")
    assert found.ended_at is not None
    assert catalogue.collect_runs.outcome(session_id, run.id) == gave


def test_what_an_ended_process_left_is_interrupted(catalogue: Catalogue, session_id: str) -> None:
    running = catalogue.collect_runs.add(session_id, "a", REQUEST)
    catalogue.collect_runs.add(session_id, "b", REQUEST)
    catalogue.collect_runs.claim_next()
    assert catalogue.collect_runs.interrupt() == 1
    found = catalogue.collect_runs.get(session_id, running.id)
    assert found is not None
    assert found.state is CollectState.INTERRUPTED
    assert catalogue.collect_runs.requeue() == 1
    claimed = catalogue.collect_runs.claim_next()
    assert claimed is not None
    assert (claimed.id, claimed.legs) == (running.id, 2)


def test_foreign_sessions_see_nothing(catalogue: Catalogue, session_id: str) -> None:
    run = catalogue.collect_runs.add(session_id, "a", REQUEST)
    other = catalogue.sessions.create(catalogue.owners.create("f" * 64), "Other").id
    assert catalogue.collect_runs.get(other, run.id) is None
    assert catalogue.collect_runs.list(other) == []
    assert catalogue.collect_runs.outcome(other, run.id) == CollectOutcome()
    catalogue.sessions.delete(session_id)
    assert not catalogue.collect_runs.move(run.id, [CollectState.WAITING], CollectState.PAUSED)


def test_old_runs_are_forgotten_and_unfinished_ones_are_not(
    catalogue: Catalogue, session_id: str
) -> None:
    kept = catalogue.collect_runs.add(session_id, "kept", REQUEST)
    for number in range(KEPT_RUNS + 5):
        run = catalogue.collect_runs.add(session_id, f"s{number}", REQUEST)
        catalogue.collect_runs.move(run.id, [CollectState.WAITING], CollectState.STOPPED)
    found = catalogue.collect_runs.list(session_id)
    assert len(found) == KEPT_RUNS + 1
    assert found[-1].id == kept.id
    catalogue.collect_runs.remove(session_id, kept.id)
    assert catalogue.collect_runs.get(session_id, kept.id) is not None
    catalogue.collect_runs.remove(session_id, found[0].id)
    assert catalogue.collect_runs.get(session_id, found[0].id) is None


def test_documents_know_where_they_were_collected(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "D", "a", size=1, source="site-1")
    catalogue.documents.add(session_id, "E", "b", size=1)
    found = catalogue.documents.of_source(session_id, "site-1")
    assert [(document.id, document.source) for document in found] == [("D", "site-1")]
