"""Whatever the OpenAPI document allows or forbids: no 5xx, and no answer that it does not name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from core.api import create_api
from core.api.models import SHA256, UUID
from tests.api.server import Person, World, person

DOCUMENT = schemathesis.openapi.from_dict(create_api().openapi())
OPERATIONS = {found.ok().label: found.ok() for found in DOCUMENT.get_all_operations()}
EXAMPLES = 3
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
WITHOUT_INPUT = ("GET /health", "GET /ready")  # nothing about them can be wrong
DEPENDS_ON_SETTINGS = (
    "POST /query",
    "POST /search",
    "POST /sessions",
    "PUT /sessions/{session_id}/preset",
)
"""They name a model or the live web: not set up here."""

STRICTER = ("PATCH /sessions/{session_id}/documents",)
"""A tag of characters that cannot be seen is refused with 400: no pattern says which they are."""


@pytest.fixture(scope="module")
def fuzzed(world: World) -> Iterator[Person]:
    """Somebody whose documents may be changed."""
    with person(world, "fuzzed") as somebody:
        yield somebody


@pytest.fixture(scope="module")
def connection() -> Iterator[requests.Session]:
    """One connection for all."""
    with requests.Session() as connection:
        yield connection


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        (label, mode)
        for label in sorted(OPERATIONS)
        for mode in (MODES[:1] if label in WITHOUT_INPUT else MODES)
    ],
)
def test_every_answer_is_a_documented_one(
    label: str, mode: GenerationMode, world: World, fuzzed: Person, connection: requests.Session
) -> None:
    operation = OPERATIONS[label]
    passed_over = [positive_data_acceptance] if label in (*DEPENDS_ON_SETTINGS, *STRICTER) else []

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def each(case: Any) -> None:
        _make_real(case, fuzzed)
        case.call_and_validate(
            base_url=f"{world.url}/api",
            session=connection,
            headers={"Authorization": f"Bearer {fuzzed.key}"},
            excluded_checks=passed_over,
        )

    each()


def _make_real(case: Any, somebody: Person) -> None:
    """Ids lead to something that is there, where nothing is deleted by that."""
    if case.method == "DELETE":
        return
    real = {"session_id": somebody.session_id, "document_id": somebody.documents["bread.md"]}
    for place in (case.path_parameters, case.body):
        if not isinstance(place, dict):
            continue
        for name, value in real.items():
            if isinstance(place.get(name), str) and re.fullmatch(f"{UUID}|{SHA256}", place[name]):
                place[name] = value
