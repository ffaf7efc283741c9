"""Which model writes an answer: that of the request, else of the session, else of the settings."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import SecretStr

from core.config import CHAT_PROVIDERS, Settings
from core.errors import InvalidRequest, ModelError
from core.llm.port import is_listed
from core.llm.providers import list_models, provider_class
from core.types import ModelChoice, Verdict


def default_choice(settings: Settings) -> ModelChoice | None:
    """The model that the settings name, None where they name none."""
    if not settings.chat_provider:
        return None
    return ModelChoice(settings.chat_provider, settings.chat_model)


def usual_choice(
    settings: Settings, preferred: object, key: SecretStr | None = None
) -> ModelChoice | None:
    """The session's own choice (`{"provider", "model"}`), else that of the settings.

    None quotes the sources.
    """
    if isinstance(preferred, Mapping) and preferred.get("provider") in ("", *CHAT_PROVIDERS):
        provider = preferred["provider"]
        return ModelChoice(provider, str(preferred.get("model", "")), key) if provider else None
    usual = default_choice(settings)
    return usual and ModelChoice(usual.provider, usual.model, key)


def planning_choice(settings: Settings, answering: ModelChoice | None) -> ModelChoice | None:
    """The model that plans where `answering` answers: that of `PLANNING_MODEL`, else the same.

    None where no model answers. A key of the request serves its own provider alone.
    """
    if answering is None or not answering.provider or not settings.planning_model:
        return answering
    provider, _, model = settings.planning_model.partition("/")
    if provider not in CHAT_PROVIDERS or not model:
        provider, model = answering.provider, settings.planning_model
    key = answering.key if provider == answering.provider else None
    return ModelChoice(provider, model, key)


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
    if provider not in CHAT_PROVIDERS or not provider_class(provider).is_set_up(settings, key):
        cure = provider_class(provider).setup if provider in CHAT_PROVIDERS else ""
        raise InvalidRequest(f"The provider {provider} is not set up here.", cure)
    names = [c.model for c in (usual, default_choice(settings)) if c and c.provider == provider]
    model = model or next((name for name in names if name), "")
    if not model:
        raise InvalidRequest("No model is named.", "Name one, or set CHAT_MODEL.")
    choice = ModelChoice(provider, model, key)
    if model not in names:
        _check_listed(choice, settings)
    return choice


def _check_listed(choice: ModelChoice, settings: Settings) -> None:
    listed = list_models(ModelChoice(choice.provider, "", choice.key), settings)
    if not is_listed(choice.model, listed):
        offered = ", ".join(sorted(info.name for info in listed)[:8])
        raise InvalidRequest(
            f"{choice.provider} offers no model of that name.", f"It offers: {offered or 'none'}."
        )


def check_provider(settings: Settings) -> Verdict:
    """For the Status page: state ("ok", "warning", "error"), detail and cure."""
    choice = default_choice(settings)
    if choice is None:
        return "off", "None is set: answers quote the sources word for word.", ""
    try:
        listed = list_models(choice, settings)
    except ModelError as error:
        return "error", error.message, error.cure
    if is_listed(choice.model, listed):
        return "ok", f"{choice.model} at {choice.provider}", ""
    provider = provider_class(choice.provider)
    if choice.model and not listed and not provider.downloads:  # such servers need not list any
        return "ok", f"{choice.model} at {choice.provider}; the server lists no models", ""
    offered = ", ".join(info.name for info in listed[:8]) or "no model at all"
    missing = f"{choice.model or 'No model'} is not there; the server offers {offered}."
    return "error", missing, provider(choice, settings).missing_cure
