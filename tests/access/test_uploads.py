"""Uploads through Streamlit's route need a page where somebody has signed in, and what pages hold
is bounded, each and all together, before it is in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.access.browsers import middleware
from core.access.uploads import admitted_pages
from core.config import Settings

pytestmark = pytest.mark.E13

MB = 1024 * 1024


class Pages:
    """Streamlit's upload route in small: what it is given is held until the page gives it back."""

    def __init__(self, **settings: object) -> None:
        self.held: dict[str, int] = {}
        self.read = 0
        routes = [Route("/_stcore/upload_file/{page}/{file}", self._take, methods=["PUT"])]
        limits = {"max_file_mb": 1, "max_page_uploads_mb": 3, "max_uploads_mb": 5, **settings}
        layers = middleware(Settings.model_validate(limits), lambda: self.held)
        app = Starlette(routes=routes, middleware=layers)
        self.client = TestClient(app, base_url="http://127.0.0.1:8501")

    async def _take(self, request: Request) -> PlainTextResponse:
        page, came = request.path_params["page"], 0
        async for piece in request.stream():
            came += len(piece)
            self.read += len(piece)
        self.held[page] = self.held.get(page, 0) + came
        return PlainTextResponse("")

    def put(self, page: str, size: int, *, announced: bool = True) -> int:
        def pieces() -> Iterator[bytes]:
            for _ in range(size // 65536):
                yield b"x" * 65536

        content = b"x" * size if announced else pieces()
        address = f"/_stcore/upload_file/{page}/1"
        return self.client.put(address, content=content).status_code


def test_with_a_login_only_a_signed_in_page_uploads() -> None:
    pages = Pages(login="required")
    assert pages.put("stranger", MB) == 403
    assert pages.read == 0
    admitted_pages.admit("ida")
    assert pages.put("ida", MB) == 200
    admitted_pages.dismiss("ida")
    assert pages.put("ida", MB) == 403
    assert pages.put("ida/../other", MB) in (403, 404)


def test_without_a_login_every_page_uploads() -> None:
    assert Pages().put("anybody", MB) == 200


@pytest.mark.parametrize("announced", [True, False])
def test_a_page_holds_so_much_and_no_more(announced: bool) -> None:
    pages = Pages()
    told = [pages.put("ida", MB, announced=announced) for _ in range(4)]
    assert told == [200, 200, 200, 413]
    assert pages.read <= 3 * MB + 65536
    pages.held["ida"] = 0  # taken in, and given back
    assert pages.put("ida", MB, announced=announced) == 200


@pytest.mark.parametrize("announced", [True, False])
def test_all_pages_together_hold_so_much_and_no_more(announced: bool) -> None:
    pages = Pages()
    told = [pages.put(f"page-{n}", MB, announced=announced) for n in range(8)]
    assert told == [200] * 5 + [413] * 3
    assert sum(pages.held.values()) == 5 * MB


def test_a_file_of_the_largest_size_always_fits() -> None:
    pages = Pages(max_file_mb=8)
    assert pages.put("ida", 8 * MB) == 200


def test_an_upload_that_ends_early_leaves_nothing_counted() -> None:
    pages = Pages()
    for _ in range(9):
        assert pages.put("ida", 4 * MB, announced=False) == 413
    assert pages.put("ida", 3 * MB - 65536) == 200
