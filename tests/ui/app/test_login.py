"""Pages where people sign in: what is drawn for whom, with the fake service behind them."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.access.people import sign_in_of
from core.config import Settings
from core.errors import SettingsError
from core.types import Role, Session
from core.ui.shell import login
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import button, open_tab, sheets

PAGES = ("app.py", *(f"pages/{n}" for n in ("1_Documents.py", "2_Collect.py", "3_Search.py")))
PAGES += ("pages/4_Evaluation.py", "pages/5_Status.py", "pages/6_Answer.py")
AUTH = {
    "redirect_uri": "http://127.0.0.1:8501/oauth2callback",
    "cookie_secret": "0" * 64,
    "client_id": "footnote",
    "client_secret": "x",
    "server_metadata_url": "https://id.example/.well-known/openid-configuration",
}


def claims(name: str) -> dict[str, Any]:
    """What a provider says of somebody."""
    return {
        "is_logged_in": True,
        "iss": "https://id.example",
        "sub": name,
        "name": name.title(),
        "email": f"{name}@example.org",
        "email_verified": True,
        "nonce": f"nonce of {name}",
    }


@pytest.fixture
def looks(fake: FakeService, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes somebody look at the pages: `looks("ida")`; nobody has signed in before."""
    fake.settings.login = "required"

    def as_somebody(name: str | None) -> None:
        given = claims(name) if name else {"is_logged_in": False}
        monkeypatch.setattr(login, "_claims", lambda: given)

    monkeypatch.setattr(login, "_auth", lambda: AUTH)
    as_somebody(None)
    return as_somebody


def menu(tab: AppTest) -> list[str]:
    """What the menu of the session offers."""
    return list(tab.get("menu_button")[0].proto.options)


def shared(fake: FakeService, looks: Any, role: Role) -> Session:
    """A session with the samples, which Ida shares with Nils; he looks."""
    looks("ida")
    open_tab()
    signed = sign_in_of(claims("ida"))
    assert signed
    ida = fake.people.sign_in(signed)
    assert ida
    (session,) = fake.sessions.list(ida.id)
    fake.documents.load_samples(session)
    fake.people.share(session, "nils@example.org", role)
    invited = sign_in_of(claims("nils"))
    assert invited
    nils = fake.people.sign_in(invited)
    assert nils
    fake.people.accept(nils.id, session.id)
    looks("nils")
    return session


@pytest.mark.parametrize("path", PAGES)
def test_whoever_has_not_signed_in_sees_nothing_but_the_button(
    path: str, fake: FakeService, looks: Any
) -> None:
    tab = open_tab(path)
    assert [b.label for b in tab.button] == ["Sign in"]
    assert not tab.sidebar.children
    assert not tab.get("page_link")
    assert not sheets(tab)
    assert not fake._sessions
    assert not tab.exception


def test_each_provider_has_its_button(looks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    one = {key: AUTH[key] for key in ("client_id", "client_secret", "server_metadata_url")}
    both = {"redirect_uri": "x", "cookie_secret": "x", "google": one, "okta": one, "half": {}}
    monkeypatch.setattr(login, "_auth", lambda: both)
    assert [b.label for b in open_tab().button] == ["Sign in with Google", "Sign in with Okta"]


def test_whoever_has_signed_in_has_their_own(fake: FakeService, looks: Any) -> None:
    looks("ida")
    first = open_tab(token="one browser")
    assert "Ida" in [c.value for c in first.sidebar.caption]
    assert menu(first) == ["New session", "Rename", "Share…", "Delete"]
    again = open_tab(token="another browser")
    assert again.query_params["session"] == first.query_params["session"]
    looks("nils")
    other = open_tab(token="one browser", session=str(first.query_params["session"]))
    assert other.query_params["session"] != first.query_params["session"]


def test_logging_out_ends_the_sign_in_in_every_tab(
    fake: FakeService, looks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    out: list[bool] = []
    monkeypatch.setattr(login.st, "logout", lambda: out.append(True))
    looks("ida")
    one, other = open_tab(), open_tab()
    button(one, "Log out").click().run()
    assert out == [True]
    assert [b.label for b in other.run().button] == ["Sign in"]


def test_what_this_browser_made_before_is_taken_over_by_a_click(
    fake: FakeService, looks: Any
) -> None:
    looks("ida")
    tab = open_tab(token="before")
    label = "Move 1 session of this browser to your account"
    assert label not in [b.label for b in tab.button]
    old = fake.sessions.create("before", "From before")
    fake.documents.load_samples(old)
    tab.run()
    assert "From before" not in tab.selectbox(key="session_choice").options
    button(tab, label).click().run()
    assert "From before" in tab.selectbox(key="session_choice").options
    assert tab.query_params["session"] == old.id
    assert label not in [b.label for b in tab.button]


def test_without_login_nothing_is_offered(fake: FakeService) -> None:
    tab = open_tab()
    assert menu(tab) == ["New session", "Rename", "Delete"]
    assert "Log out" not in [b.label for b in tab.button]


def test_a_reader_looks_and_asks(fake: FakeService, looks: Any) -> None:
    session = shared(fake, looks, Role.READER)
    tab = open_tab(session=session.id)
    assert tab.query_params["session"] == session.id
    assert "My library · Ida" in tab.selectbox(key="session_choice").options
    assert any("a reader" in c.value for c in tab.sidebar.caption)
    assert menu(tab) == ["New session", "Leave"]
    assert tab.chat_input
    tab.switch_page("pages/1_Documents.py").run()
    assert not tab.get("file_uploader")
    assert "Add" not in [b.label for b in tab.button]
    (rows,) = [sheet["rows"] for sheet in sheets(tab) if "rows" in sheet]
    assert not any(row["changeable"] or row["retry"] for row in rows)
    tab.switch_page("pages/2_Collect.py").run()
    assert "Collect" not in [b.label for b in tab.button]
    tab.switch_page("pages/3_Search.py").run()
    assert "Use these settings in the chat" not in [b.label for b in tab.button]
    assert not tab.exception


@pytest.mark.E19
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_invitation_is_answered_and_lands_nobody_anywhere(
    fake: FakeService, looks: Any, answer: str
) -> None:
    session = shared(fake, looks, Role.READER)
    fake.people.accepted.clear()
    tab = open_tab()
    assert tab.query_params["session"] != session.id, "in a session of their own"
    assert len(tab.selectbox(key="session_choice").options) == 1
    assert any("Ida invites you to" in c.value for c in tab.sidebar.caption)
    tab.button(key=f"{answer}-{session.id}").click().run()
    accepted = answer == "accept"
    assert len(tab.selectbox(key="session_choice").options) == 1 + accepted
    assert (tab.query_params["session"] == session.id) is accepted
    assert not any("invites you" in c.value for c in tab.sidebar.caption)
    fresh = open_tab()
    assert fresh.query_params["session"] != session.id, "one's own is where one lands"
    assert not tab.exception


@pytest.mark.parametrize("role", [Role.EDITOR, Role.ADMIN])
def test_an_editor_adds_and_an_admin_shares(fake: FakeService, looks: Any, role: Role) -> None:
    session = shared(fake, looks, role)
    tab = open_tab("pages/1_Documents.py", session=session.id)
    assert tab.get("file_uploader")
    (rows,) = [sheet["rows"] for sheet in sheets(tab) if "rows" in sheet]
    assert all(row["changeable"] for row in rows)
    admins = ["New session", "Rename", "Share…", "Leave", "Delete"]
    assert menu(tab) == (admins if role is Role.ADMIN else ["New session", "Leave"])


def test_an_empty_session_asks_nothing_of_a_reader(fake: FakeService, looks: Any) -> None:
    session = shared(fake, looks, Role.READER)
    fake._documents[session.id] = {}
    tab = open_tab(session=session.id)
    assert "Load the sample library" not in [b.label for b in tab.button]
    assert any("Its editors can add some" in c.value for c in tab.caption)


def test_the_level_of_a_reader_is_theirs_alone(fake: FakeService, looks: Any) -> None:
    session = shared(fake, looks, Role.READER)
    tab = open_tab(session=session.id)
    tab.session_state[f"level-{session.id}"] = "several"
    tab.chat_input[0].set_value("What is carried with every passage?").run()
    assert fake.options[-1].level == "several"
    assert "level" not in fake.sessions.preferences(session)


# ---------------------------------------------------------------------- what the start says


@pytest.mark.parametrize(
    ("auth", "said"),
    [
        ({}, "needs a section"),
        ({k: v for k, v in AUTH.items() if k != "cookie_secret"}, "lacks cookie_secret"),
        ({**AUTH, "cookie_secret": "short"}, "shorter than 32"),
        ({**AUTH, "redirect_uri": "http://127.0.0.1:8501"}, "does not end in /oauth2callback"),
        ({k: v for k, v in AUTH.items() if k != "client_id"}, "No provider"),
    ],
)
def test_login_that_cannot_work_ends_the_start(
    auth: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "_auth", lambda: auth)
    login.check_login(Settings())
    with pytest.raises(SettingsError, match=said):
        login.check_login(Settings(login="required"))


def test_login_without_its_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "_auth", lambda: AUTH)
    login.check_login(Settings(login="required"))
    monkeypatch.setattr(login.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match="Authlib"):
        login.check_login(Settings(login="required"))
