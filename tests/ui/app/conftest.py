"""Pages with the fake service behind them, run without a browser."""

from __future__ import annotations

import pytest

from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import serve


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeService:
    """The service that the pages of this test see."""
    return serve(monkeypatch, FakeService())
