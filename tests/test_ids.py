"""Nothing but a UUIDv4 or a SHA-256 passes the gate."""

from __future__ import annotations

import uuid

import pytest

from core.errors import InvalidId
from core.ids import checked_digest, checked_uuid, digest, new_id


def test_our_own_ids_pass() -> None:
    assert checked_uuid(new := new_id()) == new
    assert checked_digest(made := digest("a", b"b")) == made


@pytest.mark.parametrize(
    "value",
    ["", "../x", "..%2f", "x" * 36, new_id().upper(), str(uuid.uuid1()), "a" * 10_000,
     new_id() + "\n", new_id()[:-1] + "/", "{" + new_id() + "}"],
)  # fmt: skip
def test_anything_else_is_refused(value: str) -> None:
    with pytest.raises(InvalidId):
        checked_uuid(value)
    with pytest.raises(InvalidId):
        checked_digest(value)


def test_parts_of_a_digest_do_not_run_into_each_other() -> None:
    assert digest("ab", "c") != digest("a", "bc")
