"""The REST API, mounted under `/api` of the one process: the pages' service, for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Response
from fastapi.concurrency import run_in_threadpool

from core import __version__
from core.access.callers import Authenticator
from core.api import (
    asking,
    collecting,
    documents,
    ingesting,
    members,
    openai_compatible,
    problems,
    sessions,
    shared_answers,
)
from core.api.auth import CallerDep, ServiceDep
from core.api.gate import Gate
from core.api.measuring import Measured
from core.api.problems import Problem, responses
from core.api.replies import Alive, PartOut, Ready
from core.api.running import Runner
from core.service import Service, default_service
from core.telemetry import prometheus

PARTS = (
    sessions,
    shared_answers,
    members,
    ingesting,
    documents,
    collecting,
    asking,
    openai_compatible,
)
_FAILURES = (400, 401, 403, 404, 408, 413, 415, 422, 429, 500, 503)
_DESCRIPTION = """\
Answers from your own documents, with citations that can be checked.

Every failure is a problem (RFC 9457): `detail` says what happened, `cure` what to do, `code` is a
stable name. `docs/api.md` walks through all of it with curl.
"""


def create_api(get_service: Callable[[], Service] = default_service) -> FastAPI:
    """The application; `get_service` gives the service when a request needs it."""
    app = FastAPI(
        title="Footnote",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.get_service = get_service
    app.state.authenticator = Authenticator(get_service)
    app.state.runner = Runner()
    problems.install(app)
    app.add_middleware(Gate)
    app.add_middleware(Measured)
    _add_health(app)
    for part in PARTS:
        app.include_router(part.router, responses=responses(*_FAILURES))
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def _add_health(app: FastAPI) -> None:
    # These two take no thread of a pool: they answer however busy the rest is.

    @app.get("/health", tags=["Health"])
    async def health() -> Alive:
        """Whether the process answers at all."""
        return Alive(status="ok")

    @app.get("/ready", tags=["Health"], responses={503: {"model": Ready}})
    async def ready(response: Response) -> Ready:
        """Whether models are loaded, indexes checked, and the catalogue reachable; 503 if not."""
        is_ready = app.state.get_service().ready()
        if not is_ready:
            response.status_code, response.headers["Retry-After"] = 503, "1"
        return Ready(ready=is_ready)

    @app.get(
        "/metrics",
        tags=["Health"],
        response_class=Response,
        responses={
            200: {
                "description": "Figures in Prometheus' text form.",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            },
            **responses(401, 403, 429, 500, 503),
        },
    )
    async def figures(caller: CallerDep, service: ServiceDep) -> Response:
        """Figures of the process for Prometheus: requests, answers, queues, memory."""
        caller.check_whole()
        now = await run_in_threadpool(service.figures)
        return Response(prometheus.exposed(now), media_type=prometheus.CONTENT_TYPE)

    @app.get("/status", tags=["Health"], responses=responses(401, 403, 429, 500, 503))
    async def status(caller: CallerDep, service: ServiceDep) -> list[PartOut]:
        """Every part of the program, whether it works, and what mends it."""
        caller.check_whole()
        parts = await app.state.runner.call(service.health)  # it asks other servers
        return [PartOut.model_validate(part) for part in parts]


def _described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the schema of problems that every route refers to."""
    if app.openapi_schema is None:
        found = FastAPI.openapi(app)
        schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        parts = schema.pop("$defs", {})
        found.setdefault("components", {}).setdefault("schemas", {}).update(
            {**parts, "Problem": schema}
        )
        app.openapi_schema = found
    return app.openapi_schema


api = create_api()
