"""What was collected from sites and documentations, and how often it is refreshed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from core.api.auth import ServiceDep, SessionDep
from core.api.models import UUID, Request
from core.api.replies import Reply, Text
from core.types import CollectKind, CollectRun, CollectState, RefreshEvery

router = APIRouter(tags=["Collecting"])
RunId = Annotated[str, Path(pattern=UUID, description="The id of a run of collecting.")]


class RunChange(Request):
    """How often what a run collected is to be refreshed by itself."""

    refresh_every: RefreshEvery = Field(description="A month is 30 days.")


class RunOut(Reply):
    """A run of collecting; the schedule is of what it collected, the same for each run of that."""

    id: str
    kind: CollectKind
    urls: list[Text] = Field(description="The first pages; empty for a dump.")
    state: CollectState
    reason: Text
    cure: Text
    created_at: datetime
    ended_at: datetime | None
    refresh_every: RefreshEvery
    next_refresh_at: datetime | None = Field(description="Null where it is never refreshed.")

    @classmethod
    def of(cls, run: CollectRun) -> RunOut:
        """Of the program's value."""
        return cls(
            id=run.id,
            kind=run.request.kind,
            urls=list(run.request.urls),
            state=run.state,
            reason=run.reason,
            cure=run.cure,
            created_at=run.created_at,
            ended_at=run.ended_at,
            refresh_every=run.refresh_every,
            next_refresh_at=run.next_refresh_at,
        )


class RunsOut(Reply):
    """Runs of collecting, the newest first."""

    runs: list[RunOut]


@router.get("/sessions/{session_id}/collecting-runs")
def list_runs(session: SessionDep, service: ServiceDep) -> RunsOut:
    """The runs of collecting of a session, the newest first."""
    return RunsOut(runs=[RunOut.of(run) for run in service.collecting.runs(session)])


@router.get("/sessions/{session_id}/collecting-runs/{run_id}")
def read_run(run_id: RunId, session: SessionDep, service: ServiceDep) -> RunOut:
    """One run of collecting."""
    return RunOut.of(service.collecting.run(session, run_id))


@router.patch("/sessions/{session_id}/collecting-runs/{run_id}")
def change_run(body: RunChange, run_id: RunId, session: SessionDep, service: ServiceDep) -> RunOut:
    """Have what the run collected refreshed on a schedule, or never; dumps are not."""
    return RunOut.of(service.collecting.schedule(session, run_id, body.refresh_every))
