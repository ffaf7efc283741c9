"""API keys and ingest jobs in the catalogue."""

from __future__ import annotations

import pytest

from core.errors import KeyNotFound, NotAllowed, SessionNotFound
from core.ids import new_id
from core.storage.catalogue import Catalogue
from core.storage.sql.keys import KEPT_JOBS, MOST_KEYS
from core.types import AddOutcome, JobItem


@pytest.fixture
def owner_id(catalogue: Catalogue) -> str:
    """Somebody."""
    return catalogue.create_owner("a" * 64)


def test_a_key_is_found_by_its_hash_until_it_is_revoked(
    catalogue: Catalogue, owner_id: str
) -> None:
    made = catalogue.create_api_key(owner_id, "1" * 64, "Assistant")
    found = catalogue.use_api_key("1" * 64)
    assert found == made
    assert catalogue.use_api_key("2" * 64) is None
    (listed,) = catalogue.api_keys(owner_id)
    assert listed.last_used_at is not None
    catalogue.revoke_api_key(owner_id, made.id)
    assert catalogue.use_api_key("1" * 64) is None
    assert catalogue.api_keys(owner_id) == []
    with pytest.raises(KeyNotFound):
        catalogue.revoke_api_key(owner_id, made.id)


def test_nobody_revokes_or_lists_the_keys_of_others(catalogue: Catalogue, owner_id: str) -> None:
    made = catalogue.create_api_key(owner_id, "1" * 64, "Mine")
    other = catalogue.create_owner("b" * 64)
    assert catalogue.api_keys(other) == []
    with pytest.raises(KeyNotFound):
        catalogue.revoke_api_key(other, made.id)
    assert catalogue.use_api_key("1" * 64) is not None


def test_a_key_for_a_session_is_for_one_of_the_owner_and_goes_with_it(
    catalogue: Catalogue, owner_id: str
) -> None:
    session = catalogue.create_session(owner_id, "Mine")
    other = catalogue.create_session(catalogue.create_owner("b" * 64), "Theirs")
    assert catalogue.create_api_key(owner_id, "1" * 64, "x", session.id).session_id == session.id
    for session_id in (other.id, new_id()):
        with pytest.raises(SessionNotFound):
            catalogue.create_api_key(owner_id, "2" * 64, "x", session_id)
    catalogue.delete_session(session.id)
    assert catalogue.use_api_key("1" * 64) is None


def test_there_is_a_limit_to_keys(catalogue: Catalogue, owner_id: str) -> None:
    for number in range(MOST_KEYS):
        made = catalogue.create_api_key(owner_id, f"{number:064}", "Key")
    with pytest.raises(NotAllowed):
        catalogue.create_api_key(owner_id, "f" * 64, "One more")
    catalogue.revoke_api_key(owner_id, made.id)
    catalogue.create_api_key(owner_id, "f" * 64, "One more")


def test_a_job_is_its_owners_and_goes_with_its_session(catalogue: Catalogue, owner_id: str) -> None:
    session = catalogue.create_session(owner_id, "Mine")
    items = (
        JobItem("a.txt", AddOutcome.ACCEPTED, "0" * 64),
        JobItem("b.txt", AddOutcome.FAILED, reason="It is empty.", cure="Save it again."),
    )
    job = catalogue.create_job(session.id, items)
    assert job.items == items
    assert catalogue.job(owner_id, job.id) == job
    assert catalogue.job(catalogue.create_owner("b" * 64), job.id) is None
    assert catalogue.job(owner_id, new_id()) is None
    catalogue.delete_session(session.id)
    assert catalogue.job(owner_id, job.id) is None
    with pytest.raises(SessionNotFound):
        catalogue.create_job(session.id, items)


def test_the_latest_jobs_are_remembered(catalogue: Catalogue, owner_id: str) -> None:
    session = catalogue.create_session(owner_id, "Mine")
    other = catalogue.create_job(catalogue.create_session(owner_id, "Other").id, ())
    jobs = [catalogue.create_job(session.id, ()) for _ in range(KEPT_JOBS + 2)]
    known = [job for job in jobs if catalogue.job(owner_id, job.id)]
    assert known == jobs[2:]
    assert catalogue.job(owner_id, other.id) == other
