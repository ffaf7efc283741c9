"""The tables of a release, kept in a file: what its program reads and writes.

`python -m tests.storage.sql.released` keeps those of this version; see CONTRIBUTING.md.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql.psycopg import dialect
from sqlalchemy.schema import CreateColumn, CreateTable

import core.storage.sql.evaluation_tables
import core.storage.sql.schema as schema
from core.storage.lexical.sparsevec.index import word_counts, words
from core.storage.vectors.pgvector.store import vectors

FOLDER = Path(__file__).parent / "released"
Tables = dict[str, dict[str, dict[str, str] | list[str]]]
"""A table's "columns", each with its type and rules, and its "rules", as PostgreSQL has them."""

_OF_POSTGRESQL = dialect()
_DEFAULT = re.compile(r" DEFAULT ('[^']*'|\S+)")


def tables() -> Tables:
    """Those of this version."""
    assert core.storage.sql.evaluation_tables
    every = [*schema.metadata.sorted_tables, vectors, words, word_counts]
    return {table.name: {"columns": _columns(table), "rules": _rules(table)} for table in every}


def read(version: int) -> Tables:
    """Those of a release."""
    found: Tables = json.loads((FOLDER / f"{version}.json").read_text("utf-8"))
    return found


def statements(of: Tables) -> list[str]:
    """What makes them in PostgreSQL."""
    made = []
    for name, table in of.items():
        inside = [f'"{column}" {rest}' for column, rest in dict(table["columns"]).items()]
        made.append(f"CREATE TABLE {name} ({', '.join([*inside, *table['rules']])})")
    return made


def broken(old: Tables, new: Tables) -> list[str]:
    """What a program that knows the `old` tables cannot do in the `new` ones."""
    found = [f"{name}: gone" for name in old if name not in new]
    for name, table in new.items():
        columns, rules = dict(table["columns"]), set(table["rules"])
        if name in old:
            before = dict(old[name]["columns"])
            found += [f"{name}.{c}: gone" for c in before if c not in columns]
            found += [
                f"{name}.{c}: {before[c]} became {columns[c]}"
                for c in before.keys() & columns.keys()
                if _DEFAULT.sub("", before[c]) != _DEFAULT.sub("", columns[c])
            ]
            found += [
                f"{name}.{c}: new, and has neither NULL nor a default in the database"
                for c, rest in columns.items()
                if c not in before and "NOT NULL" in rest and not _DEFAULT.search(rest)
            ]
            found += [f"{name}: {rule} is gone" for rule in set(old[name]["rules"]) - rules]
            rules -= set(old[name]["rules"])
            found += [f"{name}: {rule} is new" for rule in rules if "FOREIGN KEY" not in rule]
        # A row that the old program deletes may have rows in tables that it does not know.
        found += [
            f"{name}: {rule} holds on to what it refers to"
            for rule in rules
            if "FOREIGN KEY" in rule and "ON DELETE" not in rule
        ]
    return sorted(found)


def _columns(table: Table) -> dict[str, str]:
    found = {}
    for column in table.columns:
        name, _, rest = str(CreateColumn(column).compile(dialect=_OF_POSTGRESQL)).partition(" ")
        found[name.strip('"')] = rest
    return found


def _rules(table: Table) -> list[str]:
    compiler = CreateTable(table).compile(dialect=_OF_POSTGRESQL)
    assert not any(index.unique for index in table.indexes), "not told apart here"
    rules = (rule for rule in table.constraints if len(rule.columns))
    return sorted(" ".join(compiler.process(rule).split()) for rule in rules)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{schema.SCHEMA_VERSION}.json"
    file.write_text(json.dumps(tables(), indent=1) + "\n", "utf-8")
