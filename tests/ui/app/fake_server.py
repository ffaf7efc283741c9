"""The pages with the fake service behind them: `streamlit run tests/ui/app/fake_server.py`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402  # needs the path above

import core.service  # noqa: E402  # needs the path above
from core.access.browsers import middleware  # noqa: E402  # needs the path above
from core.config import Settings  # noqa: E402  # needs the path above
from core.ui.shell.errors import on_script_error  # noqa: E402  # needs the path above
from core.ui.shell.state import held_uploads  # noqa: E402  # needs the path above
from tests.ui.app.fake_service import FakeService  # noqa: E402  # needs the path above

SERVICE = FakeService(float(os.environ.get("PACE", "0.08")))
core.service.default_service = lambda: SERVICE

app = st.App(
    ROOT / "app.py",
    middleware=middleware(Settings(), held_uploads),
    on_script_error=on_script_error,
)
