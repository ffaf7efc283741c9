"""API keys and ingest jobs in the catalogue."""

from __future__ import annotations

import pytest

from core.errors import KeyNotFound, NotAllowed, SessionNotFound
from core.ids import new_id
from core.storage.catalogue import Catalogue
from core.storage.sql.jobs import KEPT_JOBS
from core.storage.sql.keys import MOST_KEYS
from core.types import AddOutcome, JobItem


@pytest.fixture
def owner_id(catalogue: Catalogue) -> str:
    """Somebody."""
    return catalogue.owners.create("a" * 64)


def test_a_key_is_found_by_its_hash_until_it_is_revoked(
    catalogue: Catalogue, owner_id: str
) -> None:
    made = catalogue.keys.create(owner_id, "1" * 64, "Assistant")
    found = catalogue.keys.use("1" * 64)
    assert found == made
    assert catalogue.keys.use("2" * 64) is None
    (listed,) = catalogue.keys.list(owner_id)
    assert listed.last_used_at is not None
    catalogue.keys.revoke(owner_id, made.id)
    assert catalogue.keys.use("1" * 64) is None
    assert catalogue.keys.list(owner_id) == []
    with pytest.raises(KeyNotFound):
        catalogue.keys.revoke(owner_id, made.id)


def test_nobody_revokes_or_lists_the_keys_of_others(catalogue: Catalogue, owner_id: str) -> None:
    made = catalogue.keys.create(owner_id, "1" * 64, "Mine")
    other = catalogue.owners.create("b" * 64)
    assert catalogue.keys.list(other) == []
    with pytest.raises(KeyNotFound):
        catalogue.keys.revoke(other, made.id)
    assert catalogue.keys.use("1" * 64) is not None


def test_a_key_for_a_session_is_for_one_of_the_owner_and_goes_with_it(
    catalogue: Catalogue, owner_id: str
) -> None:
    session = catalogue.sessions.create(owner_id, "Mine")
    other = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Theirs")
    assert catalogue.keys.create(owner_id, "1" * 64, "x", session.id).session_id == session.id
    for session_id in (other.id, new_id()):
        with pytest.raises(SessionNotFound):
            catalogue.keys.create(owner_id, "2" * 64, "x", session_id)
    catalogue.sessions.delete(session.id)
    assert catalogue.keys.use("1" * 64) is None


def test_there_is_a_limit_to_keys(catalogue: Catalogue, owner_id: str) -> None:
    for number in range(MOST_KEYS):
        made = catalogue.keys.create(owner_id, f"{number:064}", "Key")
    with pytest.raises(NotAllowed):
        catalogue.keys.create(owner_id, "f" * 64, "One more")
    catalogue.keys.revoke(owner_id, made.id)
    catalogue.keys.create(owner_id, "f" * 64, "One more")


def test_a_job_is_its_owners_and_goes_with_its_session(catalogue: Catalogue, owner_id: str) -> None:
    session = catalogue.sessions.create(owner_id, "Mine")
    items = (
        JobItem("a.txt", AddOutcome.ACCEPTED, "0" * 64),
        JobItem("b.txt", AddOutcome.FAILED, reason="It is empty.", cure="Save it again."),
    )
    job = catalogue.jobs.create(session.id, items)
    assert job.items == items
    assert catalogue.jobs.get(owner_id, job.id) == job
    assert catalogue.jobs.get(catalogue.owners.create("b" * 64), job.id) is None
    assert catalogue.jobs.get(owner_id, new_id()) is None
    catalogue.sessions.delete(session.id)
    assert catalogue.jobs.get(owner_id, job.id) is None
    with pytest.raises(SessionNotFound):
        catalogue.jobs.create(session.id, items)


def test_the_latest_jobs_are_remembered(catalogue: Catalogue, owner_id: str) -> None:
    session = catalogue.sessions.create(owner_id, "Mine")
    other = catalogue.jobs.create(catalogue.sessions.create(owner_id, "Other").id, ())
    jobs = [catalogue.jobs.create(session.id, ()) for _ in range(KEPT_JOBS + 2)]
    known = [job for job in jobs if catalogue.jobs.get(owner_id, job.id)]
    assert known == jobs[2:]
    assert catalogue.jobs.get(owner_id, other.id) == other
