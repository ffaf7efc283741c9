"""Figures and logs: the request's id in each line, and nothing of anybody in a label."""

from __future__ import annotations

import json
import logging
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from core.ids import new_id
from core.storage.sql.documents import Documents
from core.telemetry import prometheus, tracing
from tests.api.server import WHO, Person, World

pytestmark = pytest.mark.E10


def labels(text: str) -> set[str]:
    """The values of all labels."""
    families = text_string_to_metric_families(text)
    return {value for f in families for sample in f.samples for value in sample.labels.values()}


def test_figures_in_the_form_of_prometheus(ida: Person) -> None:
    ida.query(WHO)
    answer = ida.client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    found = {f.name: f for f in text_string_to_metric_families(answer.text)}
    assert {"footnote_http_requests", "footnote_answers", "footnote_now"} <= found.keys()
    assert any(s.labels.get("route") == "/query" for s in found["footnote_http_requests"].samples)
    assert "process_resident_memory_bytes" in found


def test_documents_that_wait_are_counted(ida: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def now() -> dict[str, float]:
        families = text_string_to_metric_families(ida.client.get("/metrics").text)
        (gauge,) = (family for family in families if family.name == "footnote_now")
        return {sample.labels["what"]: sample.value for sample in gauge.samples}

    assert (now()["documents waiting"], now()["documents being read"]) == (0, 0)
    monkeypatch.setattr(Documents, "in_queue", lambda _: (7, 2))
    assert (now()["documents waiting"], now()["documents being read"]) == (7, 2)


def test_no_label_names_anybody(ida: Person) -> None:
    for path in (f"/sessions/{ida.session_id}", f"/sessions/{new_id()}", "/nowhere/at/all"):
        ida.client.get(path)
    values = labels(ida.client.get("/metrics").text)
    assert "/sessions/{session_id}" in values
    for value in values:
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{64}|nowhere|lighthouse", value)


def test_who_may_see_them(world: World, ida: Person) -> None:
    with world.client() as client:
        assert client.get("/metrics").status_code == 401
    one = world.service.keys.create(world.service.owners.for_token("ida"), "one", ida.session_id)
    with world.client(headers={"Authorization": f"Bearer {one}"}) as client:
        assert client.get("/metrics").status_code == 403


def test_each_request_has_an_id(ida: Person) -> None:
    ids = {ida.client.get(path).headers["x-request-id"] for path in ("/sessions", "/health", "/x")}
    assert len(ids) == 3
    assert all(re.fullmatch(r"[0-9a-f]{8}", one) for one in ids)


def test_a_failure_names_the_id_that_the_log_has(
    world: World, ida: Person, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.errors import IndexDamaged

    def fails(*_: object, **__: object) -> None:
        raise IndexDamaged("The index is damaged.")

    seen: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(json.loads(tracing.JsonLines().format(record)).get("request", ""))

    monkeypatch.setattr(type(world.service), "search", fails)
    logger, keeper = logging.getLogger("core.api.problems"), Keeper()
    logger.addHandler(keeper)
    try:
        body = {"session_id": ida.session_id, "question": WHO}
        answer = ida.client.post("/search", json=body)
    finally:
        logger.removeHandler(keeper)
    assert answer.status_code == 503
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert seen == [answer.headers["x-request-id"]]


def test_a_line_cannot_be_forged() -> None:
    record = logging.LogRecord(
        "x", logging.INFO, "", 1, "name\n2026 ERROR forged %s", ("\x1b[2J",), None
    )
    line = tracing.JsonLines().format(record)
    assert "\n" not in line
    assert "\x1b" not in line
    assert json.loads(line)["message"].startswith("name\n")


def test_the_id_goes_along_to_other_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    number = tracing.begin()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(tracing.carried(tracing.current)).result() == number
        assert pool.submit(tracing.current).result() == ""
    assert b"footnote_now" in prometheus.exposed({"ready": 1.0})
