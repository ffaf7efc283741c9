"""Owners: one for each token, one for each address, and what is taken over with a sign-in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from core.storage.catalogue import Catalogue
from core.storage.sql import owners
from core.storage.sql.schema import signed_out
from core.types import Person

pytestmark = pytest.mark.E08

EMAIL = "ida@example.org"


def test_an_address_has_one_owner_at_most(catalogue: Catalogue) -> None:
    first, second = catalogue.owners.create("a" * 64), catalogue.owners.create("b" * 64)
    catalogue.owners.sign_in(first, "Ida", EMAIL)
    catalogue.owners.sign_in(second, "Heir", EMAIL)
    assert catalogue.owners.person(first) == Person(first, "Ida", "")
    assert catalogue.owners.person(second) == Person(second, "Heir", EMAIL)
    catalogue.owners.sign_in(second, "Heir", "")  # no longer verified
    assert catalogue.owners.person(second) == Person(second, "Heir", "")
    catalogue.owners.sign_in(first, "Ida", "")
    assert catalogue.owners.person(second) == Person(second, "Heir", ""), "nobody else is touched"


def test_nobody_signs_in_as_nobody(catalogue: Catalogue) -> None:
    owner = catalogue.owners.create("a" * 64)
    catalogue.owners.sign_in(owner, "Ida", EMAIL)
    catalogue.owners.sign_in("no such owner", "Eva", EMAIL)
    assert catalogue.owners.person(owner) == Person(owner, "Ida", EMAIL)
    assert catalogue.owners.person("no such owner") is None


def test_what_is_taken_over_is_that_of_one_owner_and_has_documents(catalogue: Catalogue) -> None:
    browser, stranger = catalogue.owners.create("b" * 64), catalogue.owners.create("c" * 64)
    ida = catalogue.owners.create("a" * 64)
    filled, empty = (catalogue.sessions.create(browser, name).id for name in ("Filled", "Empty"))
    theirs = catalogue.sessions.create(stranger, "Theirs").id
    for session_id in (filled, theirs):
        catalogue.documents.add(session_id, "D", "a.txt", size=1)
    asked = catalogue.conversations.create(filled, "Asked by the browser")
    member = catalogue.conversations.create(filled, "Asked by a member", stranger)
    assert catalogue.owners.filled_sessions(browser) == 1
    assert catalogue.owners.take_over(ida, browser) == 1
    assert [s.id for s in catalogue.sessions.list(ida)] == [filled]
    assert [s.id for s in catalogue.sessions.list(browser)] == [empty]
    assert [s.id for s in catalogue.sessions.list(stranger)] == [theirs]
    assert [c.id for c in catalogue.conversations.list(filled, ida)] == [asked.id]
    assert [c.id for c in catalogue.conversations.list(filled, stranger)] == [member.id]
    assert catalogue.owners.filled_sessions(browser) == 0
    assert catalogue.owners.take_over(ida, browser) == 0


def test_an_ended_sign_in_is_remembered_longer_than_any_cookie_lasts(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners, "_MOST_REMEMBERED", 2)

    def age(days: int) -> None:
        with catalogue.database.writing() as connection:
            then = datetime.now(UTC) - timedelta(days=days)
            connection.execute(update(signed_out).values(at=then))

    catalogue.owners.end_sign_in("f" * 64)
    catalogue.owners.end_sign_in("f" * 64)
    assert not catalogue.owners.sign_in_ended("e" * 64)
    age(31)
    catalogue.owners.end_sign_in("e" * 64)  # old ones are tidied away where there are many
    assert catalogue.owners.sign_in_ended("f" * 64)
    age(61)
    catalogue.owners.end_sign_in("d" * 64)
    assert not catalogue.owners.sign_in_ended("f" * 64)
    assert catalogue.owners.sign_in_ended("d" * 64)
