"""Which model writes an answer: what a request names, else what the session or the settings say."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import SecretStr

from core.config import Settings
from core.errors import InvalidRequest
from core.llm.chat import default_choice, list_models
from core.llm.choice import ModelChoice, provider_named

_SETUP = {
    "ollama": "Set OLLAMA_URL to the address where Ollama listens.",
    "gemini": "Set GEMINI_API_KEY, or send a key with the request.",
    "openai": "Set OPENAI_URL to the address of an OpenAI-compatible server.",
}


def usual_choice(
    settings: Settings, preferred: object, key: SecretStr | None = None
) -> ModelChoice | None:
    """The session's own choice (`{"provider", "model"}`), else that of the settings.

    None quotes the sources.
    """
    if isinstance(preferred, Mapping) and preferred.get("provider") in ("", *_SETUP):
        provider = preferred["provider"]
        return ModelChoice(provider, str(preferred.get("model", "")), key) if provider else None
    usual = default_choice(settings)
    return usual and ModelChoice(usual.provider, usual.model, key)


def choose(
    settings: Settings,
    preferred: object,
    provider: str | None = None,
    model: str | None = None,
    key: SecretStr | None = None,
) -> ModelChoice | None:
    """The choice for one request; None quotes the sources.

    A provider must be set up here, and a model be the usual one or one that the provider lists:
    a request can name neither addresses nor anything else. Raises `InvalidRequest`, and a
    `ModelError` where the provider does not answer.
    """
    usual = usual_choice(settings, preferred, key)
    if provider is None:
        provider = usual.provider if usual else ""
    if not provider:
        if model:
            raise InvalidRequest("A model is named, but no provider.", "Name its provider too.")
        return None
    if not _is_set_up(provider, settings, key):
        raise InvalidRequest(
            f"The provider {provider} is not set up here.", _SETUP.get(provider, "")
        )
    names = [c.model for c in (usual, default_choice(settings)) if c and c.provider == provider]
    model = model or next((name for name in names if name), "")
    if not model:
        raise InvalidRequest("No model is named.", "Name one, or set CHAT_MODEL.")
    choice = ModelChoice(provider_named(provider), model, key)
    if model not in names:
        _check_listed(choice, settings)
    return choice


def _is_set_up(provider: str, settings: Settings, key: SecretStr | None) -> bool:
    return {
        "ollama": bool(settings.ollama_url),
        "openai": bool(settings.openai_url),
        "gemini": bool(key or settings.gemini_api_key.get_secret_value()),
    }.get(provider, False)


def _check_listed(choice: ModelChoice, settings: Settings) -> None:
    nameless = ModelChoice(choice.provider, "", choice.key)
    listed = {info.name for info in list_models(nameless, settings)}
    if not {choice.model, f"{choice.model}:latest"} & listed:
        raise InvalidRequest(
            f"{choice.provider} offers no model of that name.",
            f"It offers: {', '.join(sorted(listed)[:8]) or 'none'}.",
        )
