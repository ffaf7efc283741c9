"""API keys on the Status page."""

from __future__ import annotations

import pytest
from streamlit.runtime.context import ContextProxy

from core.types import Role
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import button, open_tab, serve, session_of, unfold

STATUS = "pages/5_Status.py"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeService:
    """The service that the page sees."""
    return serve(monkeypatch, FakeService())


def test_a_key_is_made_shown_once_and_revoked(fake: FakeService) -> None:
    tab = unfold(open_tab(STATUS), "api-keys")
    name = next(field for field in tab.text_input if field.label == "Name")
    name.set_value("My <b>assistant</b>")
    button(tab, "Create a key").click().run()
    assert not tab.exception
    owner = session_of(fake).owner_id
    (key,) = fake.keys.list(owner)
    assert key.name == "My <b>assistant</b>"
    assert key.session_id is None
    shown = [code.value for code in tab.code if code.value.startswith("fn_")]
    assert len(shown) == 1
    assert "<b>" not in " ".join(text.value for text in tab.markdown)

    tab.run()
    assert not [code.value for code in tab.code if code.value.startswith("fn_")]
    button(tab, "Revoke").click().run()
    assert fake.keys.list(owner) == []
    assert not tab.exception


def test_its_day_is_told_by_the_clock_of_the_browser(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_tab(STATUS) and session_of(fake)
    fake.keys.create(session.owner_id, "Mine", None, Role.READER)
    days = set()
    for zone in ("Etc/GMT+12", "Pacific/Kiritimati"):  # 26 hours apart
        monkeypatch.setattr(ContextProxy, "timezone", zone)
        tab = unfold(open_tab(STATUS), "api-keys")
        captions = [str(caption.value).replace("\\", "") for caption in tab.caption]
        days |= {said.partition("created ")[2][:10] for said in captions if "created " in said}
    assert len(days) == 2


def test_a_key_for_one_session(fake: FakeService) -> None:
    tab = unfold(open_tab(STATUS), "api-keys")
    session = session_of(fake)
    next(box for box in tab.selectbox if box.label == "Sessions").set_value(session.id)
    button(tab, "Create a key").click().run()
    (key,) = fake.keys.list(session.owner_id)
    assert key.session_id == session.id
