"""The scope of a question: which documents it lets through."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from pydantic import TypeAdapter

from core.types import (
    Document,
    DocumentKind,
    DocumentState,
    Origin,
    QueryOptions,
    QueryPlan,
    Scope,
)

UPLOADED = Document(
    "a", "s", "a.pdf", "a.pdf", DocumentKind.PDF, DocumentState.READY,
    tags=("read",), added_at=datetime(2026, 3, 1, 23, 59, tzinfo=UTC),
)  # fmt: skip
COLLECTED = Document(
    "b", "s", "b", "b", DocumentKind.HTML, DocumentState.READY, url="https://example.org/b",
    source="docs", published="2025-06-30", tags=("laws", "de"),
    added_at=datetime(2026, 3, 2, tzinfo=UTC),
)  # fmt: skip
OF_WEB = Document(
    "c", "s", "c", "c", DocumentKind.HTML, DocumentState.READY, url="https://example.org/c",
    published="2025-07-01", expires_at=datetime(2026, 4, 1, tzinfo=UTC),
)  # fmt: skip


def test_how_a_document_came_into_its_session() -> None:
    watched = replace(UPLOADED, watched=True)
    origins = [document.origin for document in (UPLOADED, watched, COLLECTED, OF_WEB)]
    assert origins == [Origin.UPLOAD, Origin.WATCHED, Origin.COLLECTION, Origin.WEB]


@pytest.mark.parametrize(
    ("scope", "asked"),
    [
        (Scope(), "abc"),
        (Scope(documents=frozenset({"c", "a"})), "ac"),
        (Scope(documents=frozenset()), ""),
        (Scope(origin=(Origin.UPLOAD,)), "a"),
        (Scope(origin=(Origin.COLLECTION, Origin.WEB)), "bc"),
        (Scope(kind=(DocumentKind.HTML,)), "bc"),
        (Scope(tags=("read", "laws")), "ab"),
        (Scope(tags=("unread",)), ""),
        (Scope(added_after=datetime(2026, 3, 1, 23, 59)), "ab"),  # in UTC
        (Scope(added_after=datetime(2026, 3, 2, tzinfo=UTC)), "b"),
        (Scope(added_after=datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=2)))), "ab"),
        (Scope(added_after=datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=-2)))), ""),
        (Scope(published_after=date(2025, 6, 30)), "bc"),
        (Scope(published_after=date(2025, 7, 1)), "c"),
        (Scope(documents=frozenset({"a", "b"}), origin=(Origin.COLLECTION,)), "b"),
    ],
)
def test_every_field_has_to_let_a_document_through(scope: Scope, asked: str) -> None:
    held = [one.id for one in (UPLOADED, COLLECTED, OF_WEB) if scope.holds(one)]
    assert "".join(held) == asked
    assert scope.is_whole == (scope == Scope())


@pytest.mark.parametrize(
    ("kept", "moment"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-02-28T22:00:00.000Z", datetime(2026, 2, 28, 22, tzinfo=UTC)),
        ("2026-03-01T00:00:00+02:00", datetime(2026, 2, 28, 22, tzinfo=UTC)),
    ],
)
def test_a_kept_scope_begins_at_a_moment(kept: str, moment: datetime) -> None:
    """A day was kept once; it began at midnight in UTC."""
    scopes = TypeAdapter(Scope)
    scope = scopes.validate_python({"added_after": kept})
    assert scope.added_after == moment
    assert scopes.validate_python(scopes.dump_python(scope, mode="json")) == scope


def test_with_the_web_the_pages_read_for_answers_are_asked_too() -> None:
    scope = Scope(documents=frozenset({"a"}))
    assert not QueryOptions(scope=scope).asks(OF_WEB)
    assert QueryOptions(scope=scope, web=True).asks(OF_WEB)
    assert not QueryOptions(scope=scope, web=True).asks(COLLECTED)


def test_a_document_that_is_gone_is_named_no_more() -> None:
    assert Scope(documents=frozenset({"a", "b"})).without("a") == Scope(documents=frozenset({"b"}))
    assert Scope(documents=frozenset({"a"})).without("a") == Scope(documents=frozenset())
    assert Scope().without("a") == Scope()


def test_what_is_asked_without_what_was_carried_over() -> None:
    carried = QueryPlan("why did he  leave?", "why did he leave? (Ada Reed)", ("x",))
    assert carried.own == "why did he leave?"
    assert QueryPlan("and in 2014?", "how many ships in 2014?", ("x",)).own == (
        "how many ships in 2014?"
    )
