"""What the server does before its first page."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest

import serve
from core.ui.web.components import load_what_draws


@pytest.fixture
def process() -> Iterator[None]:
    """The settings of the process as they were."""
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)
    gc.unfreeze()


@pytest.mark.usefixtures("process")
def test_what_pages_draw_with_is_loaded_before_the_first_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[Callable[[], object]] = []

    @asynccontextmanager
    async def running() -> AsyncIterator[None]:
        yield

    async def start() -> None:
        async with serve.lifespan(cast("Any", None)):
            assert load_what_draws in loaded

    monkeypatch.setattr(serve, "default_service", lambda: None)
    monkeypatch.setattr(serve, "close_default_service", lambda: None)
    monkeypatch.setattr(serve.assistants, "running", running)
    monkeypatch.setattr(serve, "in_background", lambda name, work: loaded.append(work))
    asyncio.run(start())
