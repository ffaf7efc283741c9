"""By default everything listens on this machine alone; anything else is warned of."""

from __future__ import annotations

import pytest

from core.config import Settings, load_settings
from serve import openness

pytestmark = pytest.mark.K03


def test_the_defaults_are_of_this_machine() -> None:
    settings = load_settings({}, env_file=None)
    assert settings.bind_address == "127.0.0.1"
    assert settings.ollama_url.startswith("http://127.0.0.1")
    assert settings.searxng_url == ""
    assert settings.chroma_url == ""
    assert openness(settings) == []


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"bind_address": "0.0.0.0"}, "BIND_ADDRESS"),
        ({"bind_address": "192.168.1.7"}, "BIND_ADDRESS"),
        ({"chroma_url": "http://10.0.0.9:8000"}, "CHROMA_URL"),
        ({"chroma_url": "http://vectors.example.org"}, "CHROMA_URL"),
    ],
)
def test_anything_else_is_warned_of(settings: Settings, changed: dict[str, str], word: str) -> None:
    (warning,) = openness(settings.model_copy(update=changed))
    assert word in warning
    assert "docs/operations.md" in warning


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:1"]
)
def test_a_server_of_chroma_on_this_machine_is_fine(settings: Settings, url: str) -> None:
    assert openness(settings.model_copy(update={"chroma_url": url})) == []
