"""Signing in, where people have to (`LOGIN=required`): Streamlit's own OpenID Connect.

Who somebody is comes from the cookie that Streamlit signs after it checked the provider's ID token.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.access.people import sign_in_of
from core.config import Settings
from core.errors import SettingsError
from core.types import Person
from core.ui.shell import state
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count

if TYPE_CHECKING:
    from core.service import Service

_SHARED = ("redirect_uri", "cookie_secret")
_OF_PROVIDER = ("client_id", "client_secret", "server_metadata_url")
_SHORTEST_SECRET = 32
_CALLBACK = "/oauth2callback"
_HOW = "docs/operations.md, Login and sharing, has a complete example."


def check_login(settings: Settings) -> None:
    """Raise `SettingsError` where people have to sign in and cannot."""
    if settings.login == "off":
        return
    if importlib.util.find_spec("authlib") is None:
        raise SettingsError(
            "LOGIN=required needs the package Authlib, which is not installed.",
            "Run `make install`, or `pip install -r requirements.txt`.",
        )
    auth = _auth()
    if not auth:
        raise SettingsError(
            "LOGIN=required needs a section [auth] in .streamlit/secrets.toml.", _HOW
        )
    if missing := [name for name in _SHARED if not auth.get(name)]:
        raise SettingsError(
            f"The section [auth] of .streamlit/secrets.toml lacks {missing[0]}.", _HOW
        )
    if len(str(auth["cookie_secret"])) < _SHORTEST_SECRET:
        raise SettingsError(
            f"The cookie_secret in .streamlit/secrets.toml is shorter than {_SHORTEST_SECRET} "
            "characters: anybody who guesses it can sign in as anybody.",
            "Make one with `openssl rand -hex 32`.",
        )
    if not str(auth["redirect_uri"]).endswith(_CALLBACK):
        raise SettingsError(
            f"The redirect_uri in .streamlit/secrets.toml does not end in {_CALLBACK}.", _HOW
        )
    public = settings.public_url.rstrip("/")
    if public and auth["redirect_uri"] != f"{public}{_CALLBACK}":
        raise SettingsError(
            f"The redirect_uri in .streamlit/secrets.toml is not that of PUBLIC_URL: {public}"
            f"{_CALLBACK}.",
            _HOW,
        )
    if not _providers():
        lacking = ", ".join(_OF_PROVIDER)
        raise SettingsError(f"No provider in .streamlit/secrets.toml has all of: {lacking}.", _HOW)


def require_login(service: Service) -> Person | None:
    """Who looks at this page; None where nobody has to say so.

    Ends the run with the sign-in screen where nobody is signed in (any more).
    """
    if service.settings.login == "off":
        return None
    claims = _claims()
    who = sign_in_of(claims) if claims.get("is_logged_in") is True else None
    person = service.people.sign_in(who) if who else None
    state.allow_uploads(person is not None)
    if person is None:
        _screen()
        st.stop()
    return person


def show_account(service: Service, person: Person) -> None:
    """Who is signed in, and the way out (in the side bar)."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(
            escape_markdown(person.name),
            help=escape_markdown(person.email or _NOT_VERIFIED),
            width="stretch",
        )
        if st.button("Log out", icon=":material/logout:", type="tertiary", key="log_out"):
            who = sign_in_of(_claims())
            if who:
                service.people.sign_out(who)
            state.allow_uploads(False)
            st.logout()
            st.stop()
    if found := service.people.of_browser(person.id, state.browser_token()):
        st.button(
            f"Move {count(found, 'session')} of this browser to your account",
            icon=":material/move_to_inbox:",
            key="take_over",
            help="Made in this browser without signing in. After this only you can open them.",
            on_click=_take_over,
            args=(service, person),
            width="stretch",
        )


def _take_over(service: Service, person: Person) -> None:
    """Make the browser's sessions the person's, and open the one used last."""
    with show_errors():
        had = {session.id for session in service.sessions.list(person.id)}
        service.people.take_over(person.id, state.browser_token())
        came = [s.id for s in service.sessions.list(person.id) if s.id not in had]
        if came:
            state.remember_session(came[0])


_NOT_VERIFIED = (
    "Your provider has not verified your e-mail address, so nobody can share a session with you."
)


def _screen() -> None:
    """All that somebody sees who is not signed in."""
    st.space("large")
    st.title("Ask your documents. Check every answer.", anchor=False)
    st.text("Sign in to see your sessions, and those that others share with you.")
    with st.container(horizontal=True):
        for name in _providers():
            label = f"Sign in with {escape_markdown(name.title())}" if name else "Sign in"
            if st.button(label, icon=":material/login:", type="primary", key=f"sign-in-{name}"):
                st.login(name or None)


def _claims() -> Mapping[str, Any]:
    """What Streamlit knows of who looks, from the cookie that it signed."""
    return st.user.to_dict()


def _auth() -> Mapping[str, Any]:
    """The section [auth] of Streamlit's secrets, {} without one."""
    try:
        found = st.secrets.get("auth", {})
    except FileNotFoundError:
        return {}
    return found if isinstance(found, Mapping) else {}


def _providers() -> list[str]:
    """The names of the providers that are set up; "" is the one without a name."""
    auth = _auth()
    sections = {"": auth, **{n: s for n, s in auth.items() if isinstance(s, Mapping)}}
    return [n for n, s in sections.items() if all(s.get(key) for key in _OF_PROVIDER)]
