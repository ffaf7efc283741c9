"""Sharing asks first: an invitation opens nothing, and an address tells nothing of who has it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import NotFound, SessionNotFound
from core.service import Service
from core.types import Invitation, Member, Role
from tests.access.test_people import person, service

pytestmark = pytest.mark.E19

__all__ = ["service"]  # a fixture of the other module


def test_sharing_asks_first_and_an_invitation_opens_nothing(service: Service) -> None:
    ida, nils = person(service, "ida"), person(service, "nils")
    own = service.sessions.create(ida.id, "Reports")
    job = service.documents.create_job(own, [])
    service.people.share(own, "nils@example.org", Role.ADMIN)
    assert service.sessions.list(nils.id) == []
    with pytest.raises(SessionNotFound):
        service.sessions.get(nils.id, own.id)
    with pytest.raises(NotFound):
        service.documents.job(nils.id, job.id)
    with pytest.raises(SessionNotFound):
        service.keys.create(nils.id, "one", own.id)
    given = Invitation(own.id, "Reports", Role.ADMIN, "Ida")
    assert service.people.invitations(nils.id) == [given]
    assert service.people.invitations(ida.id) == []
    with pytest.raises(SessionNotFound):
        service.people.accept(person(service, "eva").id, own.id)
    service.people.accept(nils.id, own.id)
    assert service.sessions.get(nils.id, own.id).role is Role.ADMIN
    assert service.people.invitations(nils.id) == []
    with pytest.raises(SessionNotFound):
        service.people.decline(nils.id, own.id)


def test_what_is_declined_is_gone_and_can_be_offered_again(service: Service) -> None:
    own, nils = service.sessions.create(person(service, "ida").id), person(service, "nils")
    service.people.share(own, "nils@example.org", Role.READER)
    service.people.decline(nils.id, own.id)
    assert service.people.members(own) == []
    with pytest.raises(SessionNotFound):
        service.people.accept(nils.id, own.id)
    service.people.share(own, "nils@example.org", Role.READER)
    assert len(service.people.invitations(nils.id)) == 1


def test_an_address_tells_nothing_of_who_has_it(service: Service) -> None:
    own, nils = service.sessions.create(person(service, "ida").id), person(service, "nils")
    known = service.people.share(own, "nils@example.org", Role.READER)
    unknown = service.people.share(own, "nobody@example.org", Role.READER)
    assert replace(known, email="") == replace(unknown, email="")
    listed = [replace(member, email="") for member in service.people.members(own)]
    assert listed[0] == listed[1] == Member("", Role.READER)
    service.people.accept(nils.id, own.id)
    assert {(m.name, m.accepted) for m in service.people.members(own)} == {
        ("Nils", True),
        ("", False),
    }
