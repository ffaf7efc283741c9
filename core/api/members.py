"""With whom a session is shared. People are named by the address with which they sign in."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import Field

from core.access.people import EMAIL, LONGEST_EMAIL
from core.api.auth import ServiceDep, SessionDep
from core.api.models import Request
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
    name: Text = Field(description='As they sign in; "" until they have.')


class MembersOut(Reply):
    """The members of a session, by address; its owner is not among them."""

    members: list[MemberOut]


@router.get("/sessions/{session_id}/members")
def list_members(session: SessionDep, service: ServiceDep) -> MembersOut:
    """With whom a session is shared; for its admins."""
    found = service.people.members(session)
    return MembersOut(members=[MemberOut.model_validate(member) for member in found])


@router.put("/sessions/{session_id}/members/{email}")
def set_member(body: NewRole, email: Email, session: SessionDep, service: ServiceDep) -> MemberOut:
    """Share a session with somebody, or change their role. Where people sign in (LOGIN)."""
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
