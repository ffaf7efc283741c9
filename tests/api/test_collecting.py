"""Runs of collecting by REST: seen, and refreshed on a schedule."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.collecting import run as work
from core.ingestion.worker import Ingester
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
    assert [one["run_id"] for one in job["results"]] == [runs[0]["id"], ""]
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


def test_a_job_is_done_when_what_it_collects_is_read(
    world: World, ida: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the run has ended, and then until its pages are ready."""
    collecting, reading = threading.Event(), threading.Event()
    gather, ingest = work.gather, Ingester.ingest

    def gathers(*given: Any, **named: Any) -> Any:
        assert collecting.wait(60)
        return gather(*given, **named)

    def ingests(*given: Any, **named: Any) -> Any:
        assert reading.wait(60)
        return ingest(*given, **named)

    monkeypatch.setattr(work, "gather", gathers)
    monkeypatch.setattr(Ingester, "ingest", ingests)
    pages = {
        name: {"text": f"All about {name}.", "url": f"https://e.example/slow/{name}.html"}
        for name in ("one", "two")
    }
    files = [("files", ("slow.json", json.dumps({"Guide": pages})))]
    job = ida.client.post("/ingest-files/", files=files, data={"session_id": ida.session_id}).json()
    where = f"/jobs/{job['job_id']}"

    def state() -> tuple[str, bool]:
        runs = ida.client.get(f"/sessions/{ida.session_id}/collecting-runs").json()["runs"]
        (mine,) = (one for one in runs if one["id"] == job["results"][0]["run_id"])
        return mine["state"], ida.client.get(where).json()["done"]

    try:
        assert not job["done"]
        assert job["progress"] < 1
        assert eventually(lambda: state()[0] == "running", 30)
        assert not state()[1]
        collecting.set()
        assert eventually(lambda: state()[0] == "done", 30)
        assert not state()[1], "its pages are not read yet"
        assert ida.client.get(where).json()["progress"] < 1
    finally:
        collecting.set()
        reading.set()
    assert eventually(lambda: state() == ("done", True), 60)
    assert ida.client.get(where).json()["progress"] == 1
    documents = ida.client.get(f"/sessions/{ida.session_id}/documents").json()["documents"]
    assert {d["state"] for d in documents if "/slow/" in d["url"]} == {"ready"}


def test_stopping_a_job_stops_what_it_collects(
    world: World, ida: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting = threading.Event()
    gather = work.gather

    def gathers(*given: Any, **named: Any) -> Any:
        assert collecting.wait(60)
        return gather(*given, **named)

    monkeypatch.setattr(work, "gather", gathers)
    page = {"text": "Never read.", "url": "https://e.example/stopped.html"}
    files = [("files", ("stopped.json", json.dumps({"Guide": {"One": page}})))]
    job = ida.client.post("/ingest-files/", files=files, data={"session_id": ida.session_id}).json()
    try:
        stopped = ida.client.delete(f"/jobs/{job['job_id']}").json()
    finally:
        collecting.set()
    assert stopped["done"]
    runs = f"/sessions/{ida.session_id}/collecting-runs/{job['results'][0]['run_id']}"
    assert ida.client.get(runs).json()["state"] == "stopped"
    assert eventually(lambda: not world.service.collecting._at_work)
    documents = ida.client.get(f"/sessions/{ida.session_id}/documents").json()["documents"]
    assert all("stopped.html" not in d["url"] for d in documents)
