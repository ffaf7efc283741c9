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
    assert openness(settings) == []


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"bind_address": "0.0.0.0"}, "BIND_ADDRESS"),
        ({"bind_address": "192.168.1.7"}, "BIND_ADDRESS"),
    ],
)
def test_anything_else_is_warned_of(settings: Settings, changed: dict[str, str], word: str) -> None:
    (warning,) = openness(settings.model_copy(update=changed))
    assert word in warning
    assert "docs/operations.md" in warning
