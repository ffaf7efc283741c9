"""Nothing but a UUIDv4 or a SHA-256 passes the gate."""

from __future__ import annotations

import pytest

from core.errors import InvalidId
from core.ids import checked_digest, checked_uuid, digest, new_id

ID = "6360aacb-eaff-490c-987a-ceec3e54c00e"  # fixed: all test processes collect the same tests


def test_our_own_ids_pass() -> None:
    assert checked_uuid(new := new_id()) == new
    assert checked_digest(made := digest("a", b"b")) == made


@pytest.mark.parametrize(
    "value",
    ["", "../x", "..%2f", "x" * 36, ID.upper(), "5d4abdce-e5cf-11f1-ba7a-02fc00000001",
     "a" * 10_000, ID + "\n", ID[:-1] + "/", "{" + ID + "}"],
)  # fmt: skip
def test_anything_else_is_refused(value: str) -> None:
    with pytest.raises(InvalidId):
        checked_uuid(value)
    with pytest.raises(InvalidId):
        checked_digest(value)


def test_parts_of_a_digest_do_not_run_into_each_other() -> None:
    assert digest("ab", "c") != digest("a", "bc")
