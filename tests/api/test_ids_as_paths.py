"""Ids that try to be something else, and ids that are guessed."""

from __future__ import annotations

import pytest

from core.ids import new_id
from tests.api.server import Person

pytestmark = [pytest.mark.E01, pytest.mark.E02]

ODD = [
    "../x", "..%2f", "..%5cx", "%2e%2e", "g" * 36, "A" * 36, "x" * 10_000, "%00", "' OR 1=1 --",
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8",  # version 1
    "3F6C1F9E-6A4B-4C1D-9B1A-5D8F0C2E7A10",  # upper case
    "3f6c1f9e6a4b4c1d9b1a5d8f0c2e7a10",
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_id_is_refused_before_anything_is_looked_up(odd: str, ida: Person) -> None:
    for path in (f"/sessions/{odd}", f"/sessions/{odd}/documents", f"/jobs/{odd}"):
        answer = ida.client.get(path)
        assert answer.status_code in (400, 404), path
        assert answer.json()["cure"]
        assert "Traceback" not in answer.text


def test_a_body_takes_no_odd_id_either(ida: Person) -> None:
    for odd in (*ODD, ""):
        for path in ("/search", "/query"):
            body = {"session_id": odd, "question": "Anything?"}
            assert ida.client.post(path, json=body).status_code == 422


def test_guesses_all_get_the_same_answer(ida: Person) -> None:
    answers = [ida.client.get(f"/sessions/{new_id()}") for _ in range(100)]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1


@pytest.mark.parametrize("model", ["a%0Ab", "a%0A", "%0D%0Asession:x", "a%00b", "a%E2%80%A8b"])
def test_a_line_break_in_a_model_is_answered_by_the_api(ida: Person, model: str) -> None:
    answer = ida.client.get(f"/v1/models/{model}")
    assert answer.status_code in (400, 404)
    assert answer.json()["error"]["message"]
