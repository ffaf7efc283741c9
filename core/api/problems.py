"""Errors as RFC 9457 problem details: what happened, and what to do about it.

A problem never repeats what was sent: a key or a document in a wrong place stays unsaid.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from core import errors
from core.errors import AppError
from core.telemetry import tracing

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_OPENAI_PATH = "/v1/"

_STATUS: dict[type[AppError], int] = {
    errors.KeyRequired: 401,
    errors.KeyRefused: 401,
    errors.AccessError: 403,
    errors.TooManyRequests: 429,
    errors.InvalidRequest: 400,
    errors.Busy: 503,
    errors.InvalidId: 400,
    errors.NotFound: 404,
    errors.TooLarge: 413,
    errors.IngestionError: 422,
    errors.NotEnoughSpace: 507,
    errors.StorageError: 503,
    errors.FetchError: 400,
    errors.BadKey: 400,
    errors.ModelMissing: 400,
    errors.ContextTooLong: 400,
    errors.AnswerBlocked: 400,
    errors.ModelBusy: 503,
    errors.QuotaExceeded: 503,
    errors.ModelTimeout: 504,
    errors.ModelError: 502,
    errors.WebSearchOff: 400,
    errors.WebSearchError: 502,
    errors.SettingsError: 500,
    AppError: 400,
}


class FieldProblem(BaseModel):
    """What is wrong with one field of the request."""

    where: str = Field(examples=["body.question"])
    what: str = Field(examples=["Field required"])


class Problem(BaseModel):
    """RFC 9457 problem details, with a cure."""

    type: str = Field(examples=["urn:footnote:SessionNotFound"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="What happened.", examples=["There is no such session."])
    cure: str = Field(description="What to do.", examples=["Choose one of your sessions."])
    code: str = Field(description="A stable name for programs.", examples=["SessionNotFound"])
    request_id: str | None = Field(
        default=None, description="Stands in the log of the server.", examples=["9f3a01c7"]
    )
    errors: list[FieldProblem] | None = Field(default=None, description="The wrong fields.")


def status_of(error: AppError) -> int:
    """The status of an error of ours: that of the nearest class that has one."""
    return next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)


def problem_of(error: AppError) -> Problem:
    """An error of ours as a problem."""
    status = status_of(error)
    return _problem(status, error.message, error.cure, error.code)


def problem_with(status: int, detail: str) -> Problem:
    """A problem of HTTP itself, with what to do about it."""
    cures = {
        404: "GET /api/openapi.json lists what there is.",
        405: "GET /api/openapi.json lists what there is.",
        408: "Send it again, without pauses.",
        413: "Send less at once.",
        415: "Send JSON with `Content-Type: application/json`.",
    }
    code = HTTPStatus(status).phrase.title().replace(" ", "")
    return _problem(status, detail, cures.get(status, ""), code)


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The entries of these statuses for the OpenAPI document."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


def install(app: FastAPI) -> None:
    """Answer every failure of the application with a problem."""
    own: dict[type[Exception], Any] = {  # Starlette's type has handlers of `Exception` alone
        AppError: _ours,
        RequestValidationError: _invalid,
        HTTPException: _http,
        TimeoutError: _late,
    }
    for kind, handler in own.items():
        app.add_exception_handler(kind, handler)
    app.add_exception_handler(Exception, _unforeseen)


async def _ours(request: Request, error: AppError) -> JSONResponse:
    headers: dict[str, str] = {}
    if (wait := getattr(error, "retry_after", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    problem = problem_of(error)
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if problem.status >= 500:
        log.warning("%s: %s", error.code, error.message)
    return _answer(request, problem, headers)


async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    found = [
        FieldProblem(where=".".join(map(str, e["loc"]))[:200], what=str(e["msg"])[:300])
        for e in error.errors()[:20]
    ]
    in_path = all(str(e["loc"][0]) == "path" for e in error.errors())
    return _answer(
        request,
        _problem(
            400 if in_path else 422,
            "The address is not a valid one." if in_path else "The request is not valid.",
            "Correct the fields that `errors` names; /api/openapi.json describes them.",
            "InvalidRequest",
            found,
        ),
    )


async def _http(request: Request, error: HTTPException) -> JSONResponse:
    phrase = HTTPStatus(error.status_code).phrase
    detail = error.detail if error.detail != phrase else f"{phrase}."
    return _answer(request, problem_with(error.status_code, detail), error.headers)


async def _late(request: Request, _: TimeoutError) -> JSONResponse:
    cure = "Send it faster or in smaller parts, or raise REQUEST_SECONDS."
    return _answer(request, _problem(408, "The request took too long to arrive.", cure, "TooSlow"))


async def _unforeseen(request: Request, error: Exception) -> JSONResponse:
    log.error("%s was not foreseen", type(error).__name__)
    cure = "Try again; if it stays, look for the request's id in the log of the server."
    problem = _problem(500, "Something went wrong that was not foreseen.", cure, "Unforeseen")
    return _answer(request, problem)


def _problem(
    status: int, detail: str, cure: str, code: str, fields: list[FieldProblem] | None = None
) -> Problem:
    return Problem(
        type=f"urn:footnote:{code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        cure=cure,
        code=code,
        request_id=tracing.current() or None if status >= 500 else None,
        errors=fields,
    )


def _answer(
    request: Request, problem: Problem, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    body = problem.model_dump(exclude_none=True)
    if _OPENAI_PATH in request.url.path:  # its clients look for the message in `error`
        kind = "invalid_request_error" if problem.status < 500 else "server_error"
        message = f"{problem.detail} {problem.cure}".strip()
        body["error"] = {"message": message, "type": kind, "param": None, "code": problem.code}
    return JSONResponse(body, problem.status, headers=headers, media_type=MEDIA_TYPE)
