"""With whom a session is shared: exactly the one owner of an address, in exactly that role."""

from __future__ import annotations

import pytest

from core.errors import NotAllowed, SessionNotFound
from core.storage.catalogue import Catalogue
from core.storage.sql import sharing
from core.types import Member, Role
from tests.storage.made import raw_bytes

pytestmark = pytest.mark.E08

NILS = "nils@example.org"


def signed_in(catalogue: Catalogue, name: str, email: str) -> str:
    """The id of somebody who has signed in."""
    owner_id = catalogue.owners.create(name * 64)
    catalogue.owners.sign_in(owner_id, name, email)
    return owner_id


def test_a_role_is_that_of_the_address_and_the_owner_is_admin(
    catalogue: Catalogue, session_id: str
) -> None:
    owner = catalogue.owners.find("a" * 64)
    nils, eva = signed_in(catalogue, "n", NILS), signed_in(catalogue, "e", "eva@example.org")
    other = catalogue.sessions.create(eva, "Eva's").id
    assert owner is not None
    assert catalogue.sharing.role(owner, session_id) is Role.ADMIN
    assert catalogue.sharing.role(nils, session_id) is None
    for role in (Role.READER, Role.ADMIN, Role.EDITOR):  # a second time changes the role
        catalogue.sharing.set_member(session_id, NILS, role)
        catalogue.sharing.accept(nils, session_id)
        assert catalogue.sharing.role(nils, session_id) is role
        assert catalogue.sharing.members(session_id) == [Member(NILS, role, "n", accepted=True)]
    assert catalogue.sharing.role(eva, session_id) is None
    assert catalogue.sharing.role(nils, other) is None
    assert catalogue.sharing.role(owner, other) is None
    assert [s.id for s in catalogue.sessions.list(nils)] == [session_id]
    assert [s.id for s in catalogue.sessions.list(eva)] == [other]


def test_an_owner_without_an_address_reaches_nothing_that_is_shared(
    catalogue: Catalogue, session_id: str
) -> None:
    """A browser without a sign-in has "" for its address, and so has many another."""
    browser = catalogue.owners.create("b" * 64)
    catalogue.sharing.set_member(session_id, "", Role.ADMIN)
    catalogue.sharing.set_member(session_id, NILS, Role.ADMIN)
    assert catalogue.sharing.role(browser, session_id) is None
    assert catalogue.sessions.list(browser) == []
    assert catalogue.sessions.get(browser, session_id) is None


@pytest.mark.sqlite
def test_who_is_removed_reaches_it_no_more_and_their_address_is_erased(
    catalogue: Catalogue, session_id: str
) -> None:
    nils = signed_in(catalogue, "n", NILS)
    catalogue.sharing.set_member(session_id, NILS, Role.READER)
    catalogue.sharing.accept(nils, session_id)
    catalogue.sharing.set_member(session_id, "invited@example.org", Role.READER)
    assert catalogue.sharing.remove_member(session_id, "invited@example.org")
    assert not catalogue.sharing.remove_member(session_id, "invited@example.org")
    assert catalogue.sharing.role(nils, session_id) is Role.READER
    assert catalogue.sharing.remove_member(session_id, NILS)
    assert catalogue.sharing.role(nils, session_id) is None
    assert catalogue.sessions.list(nils) == []
    folder = catalogue.database._file.parent
    catalogue.close()
    assert b"invited@example.org" not in raw_bytes(folder)


@pytest.mark.sqlite
def test_a_large_file_is_noted_to_be_erased_later(
    catalogue: Catalogue, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "ERASED_AT_ONCE", 0)
    catalogue.sharing.set_member(session_id, NILS, Role.READER)
    assert not catalogue.sharing.remove_member(session_id, "nobody@example.org")
    assert catalogue.database.erased()
    assert catalogue.sharing.remove_member(session_id, NILS)
    assert not catalogue.database.erased()


def test_members_go_with_their_session(catalogue: Catalogue, session_id: str) -> None:
    nils = signed_in(catalogue, "n", NILS)
    catalogue.sharing.set_member(session_id, NILS, Role.ADMIN)
    catalogue.sessions.delete(session_id)
    assert catalogue.sharing.role(nils, session_id) is None
    assert catalogue.sharing.members(session_id) == []
    with pytest.raises(SessionNotFound):
        catalogue.sharing.set_member(session_id, NILS, Role.READER)


def test_a_session_has_so_many_members_and_no_more(
    catalogue: Catalogue, session_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "MOST_MEMBERS", 2)
    for number in range(2):
        catalogue.sharing.set_member(session_id, f"{number}@example.org", Role.READER)
    with pytest.raises(NotAllowed, match="2 members at most"):
        catalogue.sharing.set_member(session_id, NILS, Role.READER)
    catalogue.sharing.set_member(session_id, "1@example.org", Role.EDITOR)  # who is in stays in
    assert [m.role for m in catalogue.sharing.members(session_id)] == [Role.READER, Role.EDITOR]
