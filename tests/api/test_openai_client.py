"""The package `openai` as a client: a session is a model."""

from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest

from tests.api.server import WHO, Person, World

Client = openai.OpenAI


@pytest.fixture
def client(world: World, ida: Person) -> Iterator[Client]:
    """As anybody would set it up."""
    with Client(base_url=f"{world.url}/api/v1", api_key=ida.key, max_retries=0) as client:
        yield client


def test_sessions_are_models(client: Client, ida: Person) -> None:
    model = f"session:{ida.session_id}"
    assert model in [found.id for found in client.models.list()]
    assert client.models.retrieve(model).id == model


def test_a_completion_cites_its_sources(client: Client, ida: Person) -> None:
    done = client.chat.completions.create(
        model=f"session:{ida.session_id}",
        messages=[
            {"role": "system", "content": "Answer in the manner of a pirate."},
            {"role": "user", "content": [{"type": "text", "text": WHO}]},
        ],
        temperature=0.2,
        max_tokens=500,
    )
    content = done.choices[0].message.content or ""
    answer = ida.query(WHO)
    assert content.startswith(answer["answer"])
    assert "Sources:\n- [1] lighthouse.txt: “The lighthouse of Port Amber" in content
    assert done.choices[0].finish_reason == "stop"
    assert done.model_extra is not None
    assert done.model_extra["citations"] == answer["citations"]


def test_a_stream_is_the_same_text(client: Client, ida: Person) -> None:
    chunks = list(
        client.chat.completions.create(
            model=f"session:{ida.session_id}",
            messages=[{"role": "user", "content": WHO}],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text.startswith(ida.query(WHO)["answer"])
    assert "Sources:\n- [1] lighthouse.txt" in text
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage is not None
    last = next(c for c in chunks if c.choices and c.choices[0].finish_reason)
    assert (last.model_extra or {})["citations"][0]["number"] == 1


def test_what_was_said_before_is_the_history(client: Client, ida: Person) -> None:
    done = client.chat.completions.create(
        model=f"session:{ida.session_id}",
        messages=[
            {"role": "user", "content": "Tell me about the lighthouse of Port Amber."},
            {"role": "assistant", "content": "It was built in 1874."},
            {"role": "user", "content": "Who built it?"},
        ],
    )
    assert "Ida Holm" in (done.choices[0].message.content or "")
    assert any(n["code"] == "words-carried-over" for n in (done.model_extra or {})["notices"])


def test_a_refusal_is_an_answer(client: Client, ida: Person) -> None:
    done = client.chat.completions.create(
        model=f"session:{ida.session_id}",
        messages=[{"role": "user", "content": "Which enzyme unwinds the DNA double helix?"}],
    )
    assert "No document has “DNA”" in (done.choices[0].message.content or "")


def test_the_default_of_a_key_for_one_session(world: World, ida: Person) -> None:
    owner = world.service.owners.for_token("ida")
    key = world.service.keys.create(owner, "one", ida.session_id)
    with Client(base_url=f"{world.url}/api/v1", api_key=key, max_retries=0) as client:
        assert [m.id for m in client.models.list()] == ["default", f"session:{ida.session_id}"]
        done = client.chat.completions.create(
            model="default", messages=[{"role": "user", "content": WHO}]
        )
        assert "Ida Holm" in (done.choices[0].message.content or "")


def test_failures_are_those_of_the_protocol(client: Client, world: World, ida: Person) -> None:
    ask = client.chat.completions.create
    mine = f"session:{ida.session_id}"
    for model in ("session:3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10", "default", "gpt-9", "session:x"):
        with pytest.raises(openai.NotFoundError, match="no such model"):
            ask(model=model, messages=[{"role": "user", "content": WHO}])
    with pytest.raises(openai.BadRequestError, match="no question"):
        ask(model=mine, messages=[{"role": "assistant", "content": "Hello."}])
    with pytest.raises(openai.BadRequestError, match="4000"):
        ask(model=mine, messages=[{"role": "user", "content": "x" * 5000}])
    with pytest.raises(openai.UnprocessableEntityError):
        ask(model=mine, messages=[])
    with (
        Client(base_url=f"{world.url}/api/v1", api_key="fn_wrong", max_retries=0) as stranger,
        pytest.raises(openai.AuthenticationError, match="key"),
    ):
        stranger.models.list()


def test_a_scope_beyond_the_protocol(client: Client, ida: Person) -> None:
    done = client.chat.completions.create(
        model=f"session:{ida.session_id}",
        messages=[{"role": "user", "content": WHO}],
        extra_body={"documents": [ida.documents["bread.md"]]},
    )
    assert not (done.model_extra or {})["citations"]
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(
            model=f"session:{ida.session_id}",
            messages=[{"role": "user", "content": WHO}],
            extra_body={"documents": ["0" * 64]},
        )
