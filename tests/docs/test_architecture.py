"""docs/architecture.md: what it names is there, and the arrows are those that are tested."""

from __future__ import annotations

import re

import pytest

from tests.architecture.modules import ROOT
from tests.architecture.test_dependencies import MAY_IMPORT

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
TREE = PAGE.split("```")[1].splitlines()
CHANGES = PAGE.partition("## Where to change what")[2].partition("## Glossary")[0]
GLOSSARY = PAGE.partition("## Glossary")[2]


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named_in_tree() -> set[str]:
    """What the tree names, by its path: a name indented by two more is inside the one above."""
    found, above = set(), {-1: ""}
    for line in TREE:
        indent = len(line) - len(line.lstrip())
        names = re.match(r"(?:[\w.]+(?:/|\.py)[ ,]*)+", line.strip())
        if indent > 8 or names is None:
            continue
        for name in re.findall(r"[\w.]+", names[0]):
            above[indent] = f"{above[max(i for i in above if i < indent)]}/{name}".strip("/")
            found.add(above[indent])
    return found


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w./]+\.py)`", PAGE))))
def test_every_module_that_is_named_exists(name: str) -> None:
    assert (ROOT / name).exists() or (ROOT / "core" / name).exists()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(?:core/)?([\w/]+)/`", PAGE))))
def test_every_folder_that_is_named_exists(name: str) -> None:
    assert (ROOT / name).is_dir() or (ROOT / "core" / name).is_dir()


def test_the_tree_is_the_house() -> None:
    named = named_in_tree()
    assert {name for name in named if not (ROOT / name).exists()} <= {"chroma_db"}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "core").glob("*.py")}
    folders = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("core/*/**/*.py")}
    within = {
        "core/storage/vectors/chroma",
        "core/storage/vectors/pgvector",
        "core/storage/vectors/milvus",
        "core/storage/lexical/tantivy",
        "core/storage/lexical/sparsevec",
        "core/storage/lexical/milvus",
    }  # their lines name them
    assert (modules - {"core/__init__.py"}) | (folders - within) <= named


def test_the_arrows_are_those_that_are_tested() -> None:
    table = PAGE.partition("| folder | may import |")[2].partition("`tests/architecture`")[0]
    written = {name: cell for name, cell in rows(f"| folder | may import |{table}")}
    tested = {name: ", ".join(below.split()) or "-" for name, below in MAY_IMPORT.items()}
    assert written == tested


def test_ten_changes_and_at_most_fifteen_words() -> None:
    assert len(rows(CHANGES)) == 10
    assert 0 < len(rows(GLOSSARY)) <= 15


def test_a_change_of_many_files_names_them_all() -> None:
    (field,) = (row for row in rows(CHANGES) if "scope" in row[0])
    assert int(field[1]) == field[2].count("`") // 2
