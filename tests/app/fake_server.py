"""The pages with the fake service behind them: `streamlit run tests/app/fake_server.py`."""

from __future__ import annotations

import os
import secrets
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from starlette.middleware.base import BaseHTTPMiddleware  # noqa: E402

from core.ui.failures import on_script_error  # noqa: E402
from tests.app.fake_service import FakeService  # noqa: E402

SERVICE = FakeService(float(os.environ.get("PACE", "0.08")))
stub = types.ModuleType("core.service")
stub.default_service = lambda: SERVICE  # type: ignore[attr-defined]
sys.modules["core.service"] = stub


class OwnerCookie(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):  # type: ignore[no-untyped-def]
        response = await call_next(request)
        if "footnote_owner" not in request.cookies and "html" in response.headers.get("content-type", ""):
            response.set_cookie("footnote_owner", secrets.token_urlsafe(32), httponly=True, samesite="strict")
        return response


app = st.App(str(ROOT / "app.py"), middleware=[Middleware(OwnerCookie)], on_script_error=on_script_error)
