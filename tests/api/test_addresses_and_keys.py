"""A request sets no address, and a key for a model is passed on and said to nobody else."""

from __future__ import annotations

import logging

import pytest

from tests.api.server import WHO, Person, World
from tests.standins.scripts import Reply

pytestmark = pytest.mark.E10

SECRET = "sk-very-secret-0123456789"


@pytest.mark.parametrize(
    "more",
    [
        {"ollama_url": "http://127.0.0.1:9"},
        {"openai_url": "http://127.0.0.1:9"},
        {"searxng_url": "http://127.0.0.1:9"},
        {"base_url": "http://127.0.0.1:9"},
        {"options": {"where": {"$or": [{"session": {"$ne": "x"}}]}}},
        {"options": {"session_id": "x"}},
        {"provider": "http://127.0.0.1:9"},
        {"provider": "openai", "model": "../x"},
        {"provider": "openai", "model": "a\nb"},
        {"api_key": SECRET},
    ],
)
def test_what_is_not_for_requests_is_refused(ida: Person, more: dict[str, object]) -> None:
    body = {"session_id": ida.session_id, "question": WHO}
    for path in ("/query", "/search"):
        refused = ida.client.post(path, json=body | more)
        assert refused.status_code == 422
        assert SECRET not in refused.text


def test_a_model_must_be_one_that_the_server_lists(ida: Person) -> None:
    body = {"session_id": ida.session_id, "question": WHO, "provider": "openai"}
    for name in ("other", "a/../b", "..", "standin/../x"):
        assert ida.client.post("/query", json=body | {"model": name}).status_code in (400, 422)


def test_a_key_is_passed_on_and_never_said(
    world: World, ida: Person, caplog: pytest.LogCaptureFixture
) -> None:
    world.model.requests.clear()
    world.model.queue(Reply("bad-key"), Reply("quote", times=None))
    body = {"session_id": ida.session_id, "question": WHO, "provider": "openai"}
    chat = {
        "model": f"session:{ida.session_id}",
        "messages": [{"role": "user", "content": WHO}],
    }
    headers = {"X-Model-Key": SECRET}
    with caplog.at_level(logging.DEBUG, logger="core"):
        answers = [
            ida.client.post("/query", json=body | more, headers=headers)
            for more in ({"model": "standin"}, {"stream": True, "model": "standin"}, {"level": 1})
        ]
        answers.append(ida.client.post("/v1/chat/completions", json=chat, headers=headers))
        answers.append(ida.client.post("/query", json=body, headers={"X-Model-Key": SECRET * 50}))
    passed_on = [request.headers.get("authorization") for request in world.model.requests]
    assert f"Bearer {SECRET}" in passed_on
    assert not any(SECRET in answer.text for answer in answers)
    assert SECRET not in caplog.text
    for file in world.service.settings.data_dir.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes()
