"""A program of the release before goes on working on the tables: what may change in them."""

from __future__ import annotations

import pytest

from core.storage.sql.cuts import _loaded
from core.storage.sql.schema import OLDEST_PROGRAM, SCHEMA_VERSION
from core.types import Cutting
from tests.storage.sql import released

pytestmark = pytest.mark.F17


def test_the_release_before_works_on_the_tables_of_this_version() -> None:
    assert OLDEST_PROGRAM <= SCHEMA_VERSION
    assert released.broken(released.read(OLDEST_PROGRAM), released.tables()) == []


OLD: released.Tables = {
    "owners": {"columns": {"id": "TEXT NOT NULL", "name": "TEXT"}, "rules": ["PRIMARY KEY (id)"]}
}
NAMED = {"id": "TEXT NOT NULL", "name": "TEXT"}
KEY = "PRIMARY KEY (id)"
TO_OWNER = "FOREIGN KEY(owner) REFERENCES owners (id)"


@pytest.mark.parametrize(
    ("columns", "rules", "said"),
    [
        (NAMED, [KEY], ""),
        ({**NAMED, "age": "BIGINT"}, [KEY], ""),
        ({**NAMED, "age": "BIGINT DEFAULT '0' NOT NULL"}, [KEY], ""),
        ({**NAMED, "name": "TEXT DEFAULT ''"}, [KEY], ""),
        ({**NAMED, "owner": "TEXT"}, [KEY, f"{TO_OWNER} ON DELETE CASCADE"], ""),
        ({**NAMED, "age": "BIGINT NOT NULL"}, [KEY], "owners.age: new, and has neither"),
        ({"id": "TEXT NOT NULL"}, [KEY], "owners.name: gone"),
        ({**NAMED, "name": "TEXT NOT NULL"}, [KEY], "owners.name: TEXT became TEXT NOT NULL"),
        ({**NAMED, "name": "BIGINT"}, [KEY], "owners.name: TEXT became BIGINT"),
        (NAMED, [KEY, "UNIQUE (name)"], "owners: UNIQUE (name) is new"),
        (NAMED, [KEY, "CHECK (id <> '')"], "owners: CHECK (id <> '') is new"),
        (NAMED, ["PRIMARY KEY (id, name)"], "PRIMARY KEY (id) is gone"),
        ({**NAMED, "owner": "TEXT"}, [KEY, TO_OWNER], "holds on to what it refers to"),
    ],
)
def test_what_a_later_version_may_change_in_a_table(
    columns: dict[str, str], rules: list[str], said: str
) -> None:
    found = released.broken(OLD, {"owners": {"columns": columns, "rules": rules}})
    assert said in "; ".join(found)
    assert bool(found) == bool(said)


def test_tables_may_come_but_not_go() -> None:
    new: dict[str, dict[str, str] | list[str]] = {
        "columns": {"owner": "TEXT NOT NULL"},
        "rules": [f"{TO_OWNER} ON DELETE CASCADE"],
    }
    assert released.broken(OLD, {**OLD, "pets": new}) == []
    new["rules"] = [TO_OWNER]
    assert "pets: FOREIGN KEY" in released.broken(OLD, {**OLD, "pets": new})[0]
    assert released.broken(OLD, {}) == ["owners: gone"]


def test_what_a_later_version_says_of_a_cut_besides_is_left_out() -> None:
    assert _loaded('{"size": 500, "overlap": 50, "shape": "round"}') == Cutting(500, 50)
