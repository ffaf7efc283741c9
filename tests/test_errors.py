"""Every error tells what happened and what to do, and nothing from inside."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from core import errors
from core.errors import AppError
from tests.architecture.modules import MODULES

pytestmark = pytest.mark.K05

CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, AppError)
}
LEAVES = {name for name, kind in CLASSES.items() if not kind.__subclasses__()}
INSIDE = re.compile(
    r"Traceback|Exception|\berrno\b|<class|0x[0-9a-f]{6}|\bNone\b|self\.|/home/|/tmp/|\.py\b|"
    r"sqlalchemy|chromadb|tantivy|httpx|OperationalError",
    re.I,
)
NO_CURE = {"SessionNotFound", "Interrupted"}
"""Kinds whose message alone says it all in some places."""


@dataclass(frozen=True)
class Raised:
    """One place where an error of ours is made: its literal words ("…" stands for values)."""

    kind: str
    message: str
    has_cure: bool
    place: str


def words(node: ast.expr) -> str:
    """The literal text of a message."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [v.value if isinstance(v, ast.Constant) else "…" for v in node.values]
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp):
        return words(node.left) + words(node.right)
    if isinstance(node, ast.IfExp):
        return words(node.body)
    return "…"


def raised() -> list[Raised]:
    """Every place of the program where an error of ours is made."""
    found = []
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            function = node.func
            kind = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if kind in CLASSES:
                cure = len(node.args) > 1 or any(k.arg == "cure" for k in node.keywords)
                place = f"{name}:{node.lineno}"
                found.append(Raised(kind, words(node.args[0]), cure, place))
    return found


RAISED = raised()


def test_the_places_are_found() -> None:
    assert len(RAISED) > 100
    assert len(LEAVES) > 40


@pytest.mark.parametrize("place", RAISED, ids=lambda place: f"{place.kind}-{place.place}")
def test_what_is_said(place: Raised) -> None:
    message = place.message
    assert place.has_cure or CLASSES[place.kind].cure, f"{place.place}: nothing to do about it"
    if message in ("…", ""):
        return  # words made elsewhere
    assert message[0].isupper() or message[0] in '…"“{', f"{place.place}: {message}"
    assert message.rstrip()[-1] in ".…?!”)", f"{place.place}: {message}"
    assert not INSIDE.search(message), f"{place.place}: {message}"
    assert len(message) < 300, place.place


@pytest.mark.parametrize("name", sorted(LEAVES))
def test_every_leaf_has_a_cure_somewhere(name: str) -> None:
    """In its class, or at every place that makes one."""
    if CLASSES[name].cure:
        cure = CLASSES[name].cure
        assert cure[0].isupper()
        assert cure.endswith((".", "!"))
        assert not INSIDE.search(cure.replace(".env", ""))
        return
    places = [place for place in RAISED if place.kind == name]
    assert places, f"{name} is never raised and has no cure"
    assert all(place.has_cure for place in places), [p.place for p in places if not p.has_cure]


def test_the_tree_at_the_top_names_every_error() -> None:
    drawn = Path(errors.__file__).read_text("utf-8").split('"""')[1]
    assert {name for name in CLASSES if name not in drawn} == set()
