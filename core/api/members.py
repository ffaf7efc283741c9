"""With whom a session is shared. People are named by the address with which they sign in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import Field

from core.access.people import EMAIL, LONGEST_EMAIL
from core.api.auth import CallerDep, ServiceDep, SessionDep
from core.api.models import UUID, Request
from core.api.replies import Reply, Text
from core.types import Role

router = APIRouter(tags=["Members"])
Email = Annotated[
    str,
    Path(
        pattern=f"^{EMAIL}$",
        max_length=LONGEST_EMAIL,
        description="An e-mail address; capital and small letters are the same.",
        examples=["nils@example.org"],
    ),
]


class NewRole(Request):
    """What a member may do."""

    role: Role = Field(
        description="reader: look and ask; editor: change what is in it and measure; admin: share, "
        "rename, delete."
    )


class MemberOut(Reply):
    """Somebody with whom a session is shared."""

    email: Text
    role: Role
    name: Text = Field(description='As they sign in; "" until they have accepted.')
    accepted: bool = Field(description="False while it is an invitation.")


class MembersOut(Reply):
    """The members of a session, by address; its owner is not among them."""

    members: list[MemberOut]


class InvitationOut(Reply):
    """A session that somebody would share with you."""

    session_id: str
    name: Text
    role: Role
    shared_by: Text


class InvitationsOut(Reply):
    """Invitations, the oldest first."""

    invitations: list[InvitationOut]


InvitedId = Annotated[
    str, Path(pattern=UUID, description="The id of the session of an invitation.")
]


@router.get("/invitations")
def list_invitations(caller: CallerDep, service: ServiceDep) -> InvitationsOut:
    """The sessions that others would share with you; they are not listed until you accept."""
    caller.check_whole()
    found = service.people.invitations(caller.owner_id)
    return InvitationsOut(invitations=[InvitationOut.model_validate(one) for one in found])


@router.post("/invitations/{session_id}/accept", status_code=204)
def accept_invitation(session_id: InvitedId, caller: CallerDep, service: ServiceDep) -> Response:
    """Accept: the session is listed among yours, and its admins learn your name."""
    caller.check_making()
    service.people.accept(caller.owner_id, session_id)
    return Response(status_code=204)


@router.delete("/invitations/{session_id}", status_code=204)
def decline_invitation(session_id: InvitedId, caller: CallerDep, service: ServiceDep) -> Response:
    """Decline: the invitation is gone."""
    caller.check_making()
    service.people.decline(caller.owner_id, session_id)
    return Response(status_code=204)


@router.get("/sessions/{session_id}/members")
def list_members(session: SessionDep, service: ServiceDep) -> MembersOut:
    """With whom a session is shared; for its admins."""
    found = service.people.members(session)
    return MembersOut(members=[MemberOut.model_validate(member) for member in found])


@router.put("/sessions/{session_id}/members/{email}")
def set_member(body: NewRole, email: Email, session: SessionDep, service: ServiceDep) -> MemberOut:
    """Invite somebody to a session, or change their role. Where people sign in (LOGIN)."""
    return MemberOut.model_validate(service.people.share(session, email, body.role))


@router.delete("/sessions/{session_id}/members/{email}", status_code=204)
def remove_member(email: Email, session: SessionDep, service: ServiceDep) -> Response:
    """Share a session with somebody no longer."""
    service.people.unshare(session, email)
    return Response(status_code=204)


@router.post("/sessions/{session_id}/leave", status_code=204)
def leave_session(session: SessionDep, service: ServiceDep) -> Response:
    """Give up a session that somebody else shares with you."""
    service.people.leave(session)
    return Response(status_code=204)
