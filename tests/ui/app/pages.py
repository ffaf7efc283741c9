"""Opening pages without a browser, and looking at what they draw."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import core.service
from core.types import Session
from core.ui.chat.background import Run, runs
from tests.ui.app.fake_service import FakeService

ROOT = Path(__file__).resolve().parents[3]


def serve(monkeypatch: pytest.MonkeyPatch, service: FakeService) -> FakeService:
    """Put a service behind the pages of this test."""
    monkeypatch.setattr(core.service, "default_service", lambda: service)
    return service


def open_tab(path: str = "app.py", *, token: str = "somebody", **query: str) -> AppTest:
    """A page in a new tab of a browser that holds `token`, as after a reload."""
    tab = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    tab.session_state["token"] = token
    if path != "app.py":
        tab.switch_page(path)
    for name, value in query.items():
        tab.query_params[name] = value
    return tab.run()


def unfold(tab: AppTest, *keys: str) -> AppTest:
    """The page after blocks were opened that are drawn only then; of tabs "key=label"."""
    for key in keys:
        name, _, label = key.partition("=")
        tab.session_state[name] = label or True
    return tab.run()


def sheets(tab: AppTest) -> list[dict[str, Any]]:
    """What the elements of our own that show something were given to draw, in their order."""
    drawn = [json.loads(node.proto.json) for node in tab.get("bidi_component") if node.proto.json]
    return [data for data in drawn if "edit" not in data or "content" in data]


def session_of(fake: FakeService, token: str = "somebody") -> Session:
    """The session that a browser has open."""
    return fake.sessions.list(fake.owners.for_token(token))[0]


def button(tab: AppTest, label: str) -> Any:
    """The button with this label."""
    return next(b for b in tab.button if b.label.replace("\\", "") == label)


def answered(
    tab: AppTest, fake: FakeService, *, token: str = "somebody", seconds: float = 30
) -> AppTest:
    """Wait until no answer is being written for the open conversation, then run the page."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if run_of(tab, fake, token).wait(0.05):
            return tab.run()
    raise AssertionError("the answer did not end")


def run_of(tab: AppTest, fake: FakeService, token: str = "somebody") -> Run:
    """The run of the conversation that is open in a tab."""
    conversation = tab.query_params["conversation"]
    run = runs().get(session_of(fake, token).id, str(conversation))
    assert run is not None
    return run
