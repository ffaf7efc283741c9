"""A reload or a new tab shows the same session, conversation and answer."""

from __future__ import annotations

import pytest

from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import answered, open_tab, run_of, serve, sheets

pytestmark = pytest.mark.I04


def test_a_reload_shows_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService())
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    answered(tab, fake)
    address = {name: str(value) for name, value in tab.query_params.items()}
    reloaded = open_tab(**address)
    assert [s["content"] for s in sheets(reloaded)] == [s["content"] for s in sheets(tab)]


def test_a_reload_while_an_answer_is_written_goes_on_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    address = {name: str(value) for name, value in tab.query_params.items()}
    reloaded = open_tab(**address)
    assert sheets(reloaded)[0]["content"]["live"] is True
    assert run_of(reloaded, fake) is run_of(tab, fake)
    answered(reloaded, fake)
    assert sheets(reloaded)[0]["content"]["cited"]
    assert len(fake.asked) == 1


def test_a_new_tab_opens_the_session_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService())
    owner = fake.owners.for_token("somebody")
    fake.sessions.create(owner, "Older")
    newer = fake.sessions.create(owner, "Newer")
    assert open_tab().selectbox(key="session_choice").value == newer.id


def test_the_owner_is_never_in_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService())
    tab = open_tab(token="a-secret-token")
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake, token="a-secret-token")
    assert set(tab.query_params) == {"session", "conversation"}
    assert "a-secret-token" not in str(dict(tab.query_params))
