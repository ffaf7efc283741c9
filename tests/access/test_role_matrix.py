"""Every method of the service, called in every role: refused or let in as the matrix says."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.access.roles import LEAST, NO_SESSION, may, narrowed
from core.errors import NotAllowed, SessionNotFound
from core.types import AskRequest, Role, Session
from tests.access import role_matrix
from tests.access.role_matrix import MAY
from tests.access.test_roles import OWN, ROOMS, SHARED, Sharing
from tests.conftest import ROOT

CELLS = [(name, role) for name in MAY for role in Role]
PAGES = [*ROOT.glob("core/ui/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"]


def method_of(name: str) -> Callable[..., Any]:
    """The method as it is called, the check before it."""
    room, _, short = name.rpartition(".")
    return getattr(ROOMS[room], short)


def is_let_in(name: str, session: Session, *, now: Role | None) -> bool:
    """Whether a call in this session gets past the check; the method itself does nothing.

    It is given an argument that no method has, which Python refuses before its first line.
    """
    method = method_of(name)
    takes_request = next(iter(_annotations(method))) == "AskRequest"
    subject = AskRequest(session, "What?") if takes_request else session
    sharing = Sharing({} if now is None else {session.viewer_id: now})
    room = SimpleNamespace(catalogue=SimpleNamespace(sharing=sharing))
    refused = "unexpected keyword argument 'not_a_parameter'"
    with pytest.raises((NotAllowed, TypeError), match=f"{refused}|takes the role") as ended:
        method(room, subject, not_a_parameter=True)
    return ended.type is TypeError


def _annotations(method: Callable[..., Any]) -> list[str]:
    return [str(p.annotation) for p in list(inspect.signature(method).parameters.values())[1:]]


def test_the_table_of_roles_is_the_matrix() -> None:
    assert {
        name: frozenset(role for role in Role if role.covers(least))
        for name, least in LEAST.items()
    } == MAY
    assert NO_SESSION == role_matrix.NO_SESSION


def test_what_needs_no_role_takes_no_session() -> None:
    for name in NO_SESSION:
        found = {word for line in _annotations(method_of(name)) for word in line.split(" | ")}
        assert not found & {"Session", "AskRequest"}, name


@pytest.mark.parametrize(("name", "role"), CELLS)
def test_a_member_may_what_the_matrix_says(name: str, role: Role) -> None:
    assert is_let_in(name, replace(SHARED, role=role), now=role) is (role in MAY[name])
    assert may(replace(SHARED, role=role), name) is (role in MAY[name])


@pytest.mark.parametrize(("name", "role"), CELLS)
def test_the_role_of_now_counts_and_so_does_that_of_the_key(name: str, role: Role) -> None:
    allowed = role in MAY[name]
    assert is_let_in(name, replace(SHARED, role=Role.ADMIN), now=role) is allowed  # demoted since
    assert is_let_in(name, replace(SHARED, role=role), now=Role.ADMIN) is allowed  # a narrow key
    assert is_let_in(name, narrowed(OWN, role), now=None) is allowed  # a narrow key of the owner


@pytest.mark.parametrize("name", MAY)
def test_the_owner_may_everything_and_a_former_member_nothing(name: str) -> None:
    assert is_let_in(name, OWN, now=None)
    with pytest.raises(SessionNotFound):
        is_let_in(name, replace(SHARED, role=Role.ADMIN), now=None)


def test_pages_ask_for_methods_that_there_are() -> None:
    """What a page offers it asks by name: a wrong name would show in front of a person."""
    asked = {
        (str(page.relative_to(ROOT)), node.value)
        for page in PAGES
        for call in ast.walk(ast.parse(page.read_text("utf-8")))
        if _asks_may(call)
        for node in ast.walk(call)
        if isinstance(node, ast.Constant)
    }
    assert len(asked) > 15
    assert {(page, name) for page, name in asked if name not in MAY} == set()


def _asks_may(node: ast.AST) -> bool:
    function = getattr(node, "func", None)
    return isinstance(node, ast.Call) and "may" in (
        getattr(function, "id", ""),
        getattr(function, "attr", ""),
    )
