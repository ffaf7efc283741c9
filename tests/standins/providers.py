"""The three stand-ins with the settings and the choice that lead to them: for contract tests."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr

from core.config import Settings
from core.types import ModelChoice
from tests.standins.gemini import GeminiStandin
from tests.standins.ollama import OllamaStandin
from tests.standins.openai_server import OpenAIStandin
from tests.standins.server import Standin

STANDINS: dict[str, type[Standin]] = {
    "ollama": OllamaStandin,
    "openai": OpenAIStandin,
    "gemini": GeminiStandin,
}
KEY = "test-key"
"""The key that the stand-in of Gemini takes."""


def settings_for(standin: Standin, **changes: Any) -> Settings:
    """Settings that lead to a stand-in, with waits that a busy machine keeps."""
    values = {
        f"{standin.provider}_url": standin.url,
        "first_token_seconds": 30.0,
        "between_tokens_seconds": 15.0,
        "answer_tokens": 200,
        **changes,
    }
    return Settings(**values)


def choice_for(standin: Standin, key: str = KEY) -> ModelChoice:
    """The stand-in's first model."""
    return ModelChoice(standin.provider, standin.models[0], SecretStr(key))
