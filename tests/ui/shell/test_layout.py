"""What every page has around it."""

from __future__ import annotations

import pytest
import streamlit as st

from core.access.browsers import COOKIE
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import open_tab, serve


@pytest.mark.parametrize("sent", [True, False])
def test_a_browser_without_its_cookie_is_told_what_it_loses(
    monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    serve(monkeypatch, FakeService())
    cookies = {COOKIE: "somebody"} if sent else {}
    monkeypatch.setattr(type(st.context), "cookies", property(lambda self: cookies))
    told = [warning.value for warning in open_tab().sidebar.warning]
    assert [text for text in told if "is lost with this tab" in text] == told
    assert bool(told) is not sent
