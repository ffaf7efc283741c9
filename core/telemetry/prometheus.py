"""Figures about the process for Prometheus. No label names a session, a person or a document."""

from __future__ import annotations

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from core.types import Answer

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)

_registry = CollectorRegistry()
ProcessCollector(registry=_registry)
_requests = Counter(
    "footnote_http_requests", "Requests of the API.", ["method", "route", "status"],
    registry=_registry,
)  # fmt: skip
_request_seconds = Histogram(
    "footnote_http_request_seconds", "Time until a request of the API was answered.", ["route"],
    registry=_registry, buckets=_SECONDS,
)  # fmt: skip
_answers = Counter(
    "footnote_answers", "Answers by who wrote them and how they ended.", ["by", "outcome"],
    registry=_registry,
)  # fmt: skip
_answer_seconds = Histogram(
    "footnote_answer_seconds", "Time of an answer, without waiting in the queue.", ["by"],
    registry=_registry, buckets=_SECONDS,
)  # fmt: skip
_documents = Counter(
    "footnote_documents", "Documents that were read, by how that ended.", ["outcome"],
    registry=_registry,
)  # fmt: skip
_now = Gauge("footnote_now", "How many there are at this moment.", ["what"], registry=_registry)


def requested(method: str, route: str, status: int, seconds: float) -> None:
    """A request of the API was answered; `route` is the template, never the address itself."""
    _requests.labels(method, route, str(status)).inc()
    _request_seconds.labels(route).observe(seconds)


def answered(answer: Answer) -> None:
    """An answer was made."""
    by = "quotes" if answer.answerer == "extractive" else "model"
    outcome = "refused" if answer.abstention else "complete" if answer.complete else "incomplete"
    _answers.labels(by, outcome).inc()
    _answer_seconds.labels(by).observe(answer.seconds)


def read(outcome: str) -> None:
    """A document was read: "ready", "failed" or "stopped"."""
    _documents.labels(outcome).inc()


def exposed(now: Mapping[str, float]) -> bytes:
    """All figures in Prometheus' text form, with these of the moment."""
    for what, value in now.items():
        _now.labels(what).set(value)
    return generate_latest(_registry)
