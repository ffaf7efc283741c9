"""Runs of collecting by REST: seen, and refreshed on a schedule."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from core.types import CollectKind, CollectRequest, CollectRun, CollectState
from tests.api.server import Person, World
from tests.conftest import eventually

URL = "https://docs.example.org/"


def done(world: World, person: Person, request: CollectRequest, source: str) -> CollectRun:
    """A run of the person's session that has ended."""
    runs = world.service.catalogue.collect_runs
    run = runs.add(person.session_id, source, request)
    runs.move(run.id, list(CollectState), CollectState.DONE)
    return run


def test_a_schedule_is_set_seen_and_taken_away(world: World, ida: Person) -> None:
    run = done(world, ida, CollectRequest(CollectKind.SITE, (URL,)), "site-1")
    path = f"/sessions/{ida.session_id}/collecting-runs"
    (listed,) = ida.client.get(path).json()["runs"]
    assert (listed["id"], listed["kind"], listed["urls"]) == (run.id, "site", [URL])
    assert (listed["state"], listed["refresh_every"]) == ("done", "never")
    assert listed["next_refresh_at"] is None
    changed = ida.client.patch(f"{path}/{run.id}", json={"refresh_every": "month"}).json()
    then = datetime.fromisoformat(changed["next_refresh_at"])
    assert timedelta(days=29) < then - datetime.now(UTC) <= timedelta(days=30)
    assert ida.client.get(f"{path}/{run.id}").json() == changed
    never = ida.client.patch(f"{path}/{run.id}", json={"refresh_every": "never"}).json()
    assert never == listed
    for body in ({"refresh_every": "hour"}, {}, {"refresh_every": None}, {"state": "done"}):
        assert ida.client.patch(f"{path}/{run.id}", json=body).status_code == 422


def test_a_whole_documentation_in_one_file_is_collected(world: World, ida: Person) -> None:
    page = {"text": "Fusion adds up reciprocal ranks.", "url": "https://e.example/fusion.html"}
    files = [
        ("files", ("docs.json", json.dumps({"Guide": {"Fusion": page}}))),
        ("files", ("other.json", json.dumps({"text": "No address."}))),
    ]
    job = ida.client.post("/ingest-files/", files=files, data={"session_id": ida.session_id}).json()
    assert [(one["name"], one["outcome"]) for one in job["results"]] == [
        ("docs.json", "collected"),
        ("other.json", "accepted"),
    ]
    assert job["results"][0]["document"] is None
    runs = ida.client.get(f"/sessions/{ida.session_id}/collecting-runs").json()["runs"]
    assert sum(run["kind"] == "documentation-file" for run in runs) == 1

    def urls() -> set[str]:
        return {one["url"] for one in world.settled(ida.client, ida.session_id)}

    assert eventually(lambda: urls() >= {"https://e.example/fusion.html", ""}, 60)


def test_a_dump_is_refused(world: World, nils: Person) -> None:
    dump = CollectRequest(CollectKind.STACK_EXCHANGE, files=("no.xml",))
    run = done(world, nils, dump, "dump-1")
    path = f"/sessions/{nils.session_id}/collecting-runs/{run.id}"
    refused = nils.client.patch(path, json={"refresh_every": "day"})
    assert (refused.status_code, refused.json()["code"]) == (400, "InvalidRequest")
    assert "file" in refused.json()["detail"]
    assert nils.client.get(path).json()["refresh_every"] == "never"
