"""What is refused before anybody looks at it: pages of other sites, and bodies that are no JSON."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from core.access import check_site
from core.api.problems import MEDIA_TYPE, Problem, problem_of
from core.errors import ForeignSite

_OPEN = ("/health", "/ready")
_FORMS = ("/ingest-files", "/ingest-files/")
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")


class Gate:
    """ASGI middleware. A form of another site could send neither JSON nor a foreign method.

    `POST /ingest-files/` is the one route that takes a form; its `Origin` is checked.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        refused = _refused(scope) if scope["type"] == "http" else None
        if refused is None:
            await self.app(scope, receive, send)
            return
        body = refused.model_dump(exclude_none=True)
        response = JSONResponse(body, refused.status, media_type=MEDIA_TYPE)
        await response(scope, receive, send)


def _refused(scope: Scope) -> Problem | None:
    headers = Headers(scope=scope)
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    if path in _OPEN:
        return None
    try:
        check_site(scope["method"], headers)
    except ForeignSite as error:
        return problem_of(error)
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if scope["method"] in _CHANGING and has_body and path not in _FORMS:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return Problem(
                type="urn:footnote:UnsupportedMediaType",
                title="Unsupported Media Type",
                status=415,
                detail="The body of the request is not JSON.",
                cure="Send JSON with `Content-Type: application/json`.",
                code="UnsupportedMediaType",
            )
    return None
