"""People who sign in, and sessions that they share: with the real catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.access.callers import keys_required, may_maintain
from core.access.people import SignIn, plain_email, sign_in_of
from core.config import Settings
from core.errors import (
    ConversationNotFound,
    InvalidRequest,
    MemberNotFound,
    NotAllowed,
    NotFound,
    SessionNotFound,
)
from core.service import Service
from core.types import (
    Answer,
    AskRequest,
    Person,
    QueryOptions,
    Role,
    Session,
)
from tests.api.server import api_settings

CLAIMS = {
    "iss": "https://id.example",
    "sub": "7",
    "nonce": "n1",
    "name": "Ida Holm",
    "email": "Ida@Example.org",
    "email_verified": True,
}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service where people sign in."""
    service = Service(api_settings(tmp_path, login="required"), background=False)
    yield service
    service.close()


def who(name: str, **more: Any) -> SignIn:
    """A sign-in of somebody whose address is verified."""
    found = sign_in_of(
        {
            **CLAIMS,
            "sub": name,
            "name": name.title(),
            "email": f"{name}@example.org",
            "nonce": f"nonce of {name}",
            **more,
        }
    )
    assert found is not None
    return found


def person(service: Service, name: str) -> Person:
    """Somebody who has signed in."""
    found = service.people.sign_in(who(name))
    assert found is not None
    return found


def shared(service: Service, role: Role = Role.READER) -> tuple[Session, Session]:
    """A session of Ida's, as she has it and as Nils has it."""
    ida, nils = person(service, "ida"), person(service, "nils")
    own = service.sessions.create(ida.id, "Reports")
    service.people.share(own, "nils@example.org", role)
    service.people.accept(nils.id, own.id)
    return own, service.sessions.get(nils.id, own.id)


# ---------------------------------------------------------------------------- signing in


def test_the_claims_that_count() -> None:
    found = sign_in_of(CLAIMS)
    assert found == SignIn("https://id.example", "7", "n1", "Ida Holm", "ida@example.org")


@pytest.mark.parametrize("verified", [False, None, "false", "", 0, "yes", 1.5])
def test_an_address_that_is_not_verified_is_none(verified: object) -> None:
    found = sign_in_of({**CLAIMS, "email_verified": verified})
    assert found is not None
    assert found.email == ""
    without = sign_in_of({k: v for k, v in CLAIMS.items() if k != "email_verified"})
    assert without is not None
    assert without.email == ""


@pytest.mark.parametrize(
    "claims", [{}, {"iss": "x"}, {"sub": "7"}, {"iss": "", "sub": "7"}, {"iss": 1, "sub": 2}]
)
def test_claims_that_name_nobody(claims: dict[str, Any]) -> None:
    assert sign_in_of(claims) is None


def test_addresses_are_compared_in_small_letters_of_ascii_alone() -> None:
    assert plain_email(" IDA@example.ORG ") == "ida@example.org"
    kelvin = "\N{KELVIN SIGN}ate@example.org"
    assert plain_email(kelvin) != "kate@example.org"


def test_somebody_is_the_same_on_every_browser_and_nobody_else(service: Service) -> None:
    first = service.people.sign_in(who("ida"))
    again = service.people.sign_in(
        who("ida", nonce="other", preferred_username="I", email="i@x.org")
    )
    other = service.people.sign_in(who("ida", iss="https://other.example"))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.id == again.id != other.id
    assert service.owners.known("7") is None


def test_issuer_and_subject_do_not_run_into_each_other(service: Service) -> None:
    one = service.people.sign_in(who("x", iss="https://a.example/b", sub="c"))
    two = service.people.sign_in(who("x", iss="https://a.example/", sub="bc"))
    assert one != two


def test_who_signed_out_is_not_let_in_by_the_old_cookie(service: Service) -> None:
    person(service, "ida")
    service.people.sign_out(who("ida"))
    service.people.sign_out(who("ida"))  # twice is no error
    assert service.people.sign_in(who("ida")) is None
    assert service.people.sign_in(who("ida", nonce="a new one")) is not None


def test_an_address_belongs_to_who_signed_in_with_it_last(service: Service) -> None:
    own, theirs = shared(service)
    heir = service.people.sign_in(who("heir", email="nils@example.org"))
    assert heir is not None
    assert service.sessions.list(heir.id) == [], "they were not asked"
    service.people.accept(heir.id, own.id)
    assert service.sessions.get(heir.id, own.id).shared_by == "Ida"
    assert service.sessions.list(theirs.viewer_id) == []
    with pytest.raises(SessionNotFound):
        service.documents.list(theirs)


# ------------------------------------------------------------------------------- sharing


def test_a_shared_session_is_listed_with_who_shares_it(service: Service) -> None:
    own, theirs = shared(service, Role.EDITOR)
    assert theirs.shared_by == "Ida"
    assert theirs.role is Role.EDITOR
    assert theirs.owner_id == own.owner_id != theirs.viewer_id
    assert service.sessions.list(theirs.viewer_id) == [theirs]
    assert service.sessions.list(own.owner_id) == [service.sessions.get(own.owner_id, own.id)]
    assert own.role is Role.ADMIN
    assert own.shared_by == ""
    with pytest.raises(SessionNotFound):
        service.sessions.get(person(service, "eva").id, own.id)


def test_somebody_can_be_named_before_they_first_sign_in(service: Service) -> None:
    own = service.sessions.create(person(service, "ida").id)
    member = service.people.share(own, " NILS@Example.org", Role.READER)
    assert (member.email, member.name) == ("nils@example.org", "")
    nils = person(service, "nils")
    service.people.accept(nils.id, own.id)
    assert service.sessions.get(nils.id, own.id).role is Role.READER
    assert [m.name for m in service.people.members(own)] == ["Nils"]


def test_an_unverified_address_opens_nothing(service: Service) -> None:
    own, _ = shared(service)
    eva = service.people.sign_in(who("eva", email="nils@example.org", email_verified=False))
    nobody = service.people.sign_in(who("nobody", email=""))
    for one in (eva, nobody):
        assert one is not None
        assert service.sessions.list(one.id) == []
        with pytest.raises(SessionNotFound):
            service.sessions.get(one.id, own.id)


def test_roles_change_and_end_at_once(service: Service) -> None:
    own, theirs = shared(service, Role.EDITOR)
    service.sessions.set_preferences(theirs, {"level": "several"})
    service.people.share(own, "nils@example.org", Role.READER)
    with pytest.raises(NotAllowed):  # though the session in hand says editor
        service.sessions.set_preferences(theirs, {"level": "auto"})
    service.documents.list(theirs)
    service.people.unshare(own, "Nils@example.org")
    with pytest.raises(SessionNotFound):
        service.documents.list(theirs)
    assert service.sessions.list(theirs.viewer_id) == []
    with pytest.raises(MemberNotFound):
        service.people.unshare(own, "nils@example.org")


def test_an_admin_shares_and_nobody_removes_the_owner(service: Service) -> None:
    own, theirs = shared(service, Role.ADMIN)
    service.people.share(theirs, "eva@example.org", Role.READER)
    assert service.sessions.rename(theirs, "Theirs").shared_by == "Ida"
    with pytest.raises(NotAllowed):
        service.people.share(theirs, "IDA@example.org", Role.READER)
    with pytest.raises(MemberNotFound):
        service.people.unshare(theirs, "ida@example.org")
    with pytest.raises(NotAllowed):
        service.people.leave(own)
    service.people.leave(theirs)
    assert [m.email for m in service.people.members(own)] == ["eva@example.org"]
    assert service.sessions.list(theirs.viewer_id) == []


@pytest.mark.parametrize("address", ["", "ida", "a@b@c", "a b@c.org", "@x", "x@", "a/b@c", "x@\ny"])
def test_what_is_no_address(service: Service, address: str) -> None:
    own = service.sessions.create(person(service, "ida").id)
    with pytest.raises(InvalidRequest):
        service.people.share(own, address, Role.READER)


def test_without_login_nobody_is_named(tmp_path: Path) -> None:
    service = Service(api_settings(tmp_path), background=False)
    own = service.sessions.create(service.owners.for_token("browser"))
    with pytest.raises(NotAllowed, match="Nobody signs in here"):
        service.people.share(own, "nils@example.org", Role.READER)
    service.close()


# ------------------------------------------------------------------------- conversations


def test_conversations_are_private_whatever_the_role(service: Service) -> None:
    own, theirs = shared(service, Role.ADMIN)
    mine = service.conversations.create(own, "Ida asks")
    yours = service.conversations.create(theirs, "Nils asks")
    assert [c.id for c in service.conversations.list(own)] == [mine.id]
    assert [c.id for c in service.conversations.list(theirs)] == [yours.id]
    for session, foreign in ((own, yours), (theirs, mine)):
        with pytest.raises(ConversationNotFound):
            service.conversations.messages(session, foreign.id)
        with pytest.raises(ConversationNotFound):
            list(service.ask(AskRequest(session, "What?", foreign.id)))
        with pytest.raises(ConversationNotFound):
            service.conversations.delete(session, foreign.id)
    service.people.unshare(own, "nils@example.org")
    service.people.share(own, "nils@example.org", Role.READER)
    service.people.accept(theirs.viewer_id, own.id)
    assert [c.id for c in service.conversations.list(theirs)] == [yours.id]
    service.sessions.delete(own)
    assert service.catalogue.conversations.list(own.id, theirs.viewer_id) == []


def test_thumbs_are_private_too(service: Service) -> None:
    own, theirs = shared(service, Role.EDITOR)
    talk = service.conversations.create(own, "Ida asks")
    answer = Answer("Who?", "Ida Holm.")
    said = service.catalogue.conversations.add_message(
        own.id, talk.id, "assistant", answer.text, answer
    )
    thumbs = service.evaluations.thumbs
    thumbs.give(own, said, "Who?", True)
    assert len(thumbs.golden_items(own)) == 1
    assert thumbs.golden_items(theirs) == []
    assert thumbs.of(theirs, said.id) is None
    with pytest.raises(NotFound):
        thumbs.give(theirs, said, "Who?", False)
    assert thumbs.of(own, said.id).up


# ------------------------------------------------------------------- what browsers made before


def test_a_browser_s_sessions_are_taken_over_by_a_click_and_never_by_themselves(
    service: Service,
) -> None:
    before = service.owners.for_token("cookie")
    filled, empty = (service.sessions.create(before, name) for name in ("Filled", "Empty"))
    service.documents.add_file(filled, "a.txt", b"Words of before.")
    talk = service.conversations.create(filled, "Asked before")
    key = service.keys.create(before, "of the browser")
    ida, nils = person(service, "ida"), person(service, "nils")
    assert service.sessions.list(ida.id) == []
    assert service.people.of_browser(ida.id, "cookie") == 1
    assert service.people.of_browser(ida.id, "another cookie") == 0
    assert service.people.take_over(ida.id, "cookie") == 1
    (session,) = service.sessions.list(ida.id)
    assert (session.name, session.owner_id) == ("Filled", ida.id)
    assert [c.id for c in service.conversations.list(session)] == [talk.id]
    assert [s.id for s in service.sessions.list(before)] == [empty.id]
    assert service.keys.owner_of(key) == (before, None, Role.ADMIN)
    assert service.people.of_browser(nils.id, "cookie") == 0
    assert service.people.take_over(nils.id, "cookie") == 0


# ---------------------------------------------------------------------------------- keys


def test_keys_inherit_who_made_them_and_can_be_narrowed(service: Service) -> None:
    own, theirs = shared(service)
    nils = theirs.viewer_id
    key = service.keys.create(nils, "all")
    assert service.keys.owner_of(key) == (nils, None, Role.ADMIN)
    narrow = service.keys.create(own.owner_id, "look", None, Role.READER)
    assert service.keys.owner_of(narrow) == (own.owner_id, None, Role.READER)
    with pytest.raises(NotAllowed):  # keys of one session are for its admins
        service.keys.create(nils, "one", own.id)
    with pytest.raises(SessionNotFound):
        service.keys.create(person(service, "eva").id, "one", own.id)
    assert [k.role for k in service.keys.list(own.owner_id)] == [Role.READER]


def test_a_reader_does_not_search_the_live_web(service: Service) -> None:
    _, theirs = shared(service)
    with pytest.raises(NotAllowed):
        service.search(AskRequest(theirs, "What?", options=QueryOptions(web=True)))
    with pytest.raises(NotAllowed):
        list(service.ask(AskRequest(theirs, "What?", options=QueryOptions(web=True))))


def test_jobs_can_be_followed_by_all_who_reach_the_session(service: Service) -> None:
    own, theirs = shared(service)
    job = service.documents.create_job(own, [])
    assert service.documents.job(theirs.viewer_id, job.id) == job
    with pytest.raises(NotFound):
        service.documents.job(person(service, "eva").id, job.id)


def test_with_login_programs_need_a_key_and_the_page_keeps_off_the_stores() -> None:
    settings = Settings(login="required")
    assert keys_required(settings)
    assert not may_maintain(settings, "somebody")
    assert not keys_required(Settings())
    assert may_maintain(Settings(), "somebody")


def test_a_session_in_hand_says_whose_it_is() -> None:
    session = Session("s", "ida", "Own", None, None)
    assert session.viewer_id == "ida"
    assert replace(session, viewer_id="nils").viewer_id == "nils"
