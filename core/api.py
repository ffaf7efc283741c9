"""The FastAPI application, mounted under `/api` of the one process."""

from __future__ import annotations

from fastapi import FastAPI, Response

from core.service import default_service

api = FastAPI(title="Footnote", docs_url="/docs", redoc_url=None)


@api.get("/health")
def health() -> dict[str, str]:
    """Whether the process answers at all."""
    return {"status": "ok"}


@api.get("/ready", responses={503: {"description": "Still starting"}})
def ready(response: Response) -> dict[str, bool]:
    """Whether models are loaded and the indexes agree with the catalogue (503 until then)."""
    is_ready = default_service().ready()
    response.status_code = 200 if is_ready else 503
    return {"ready": is_ready}
