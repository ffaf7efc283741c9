"""The providers of chat models: Ollama, Gemini, and any OpenAI-compatible server.

A provider is a subclass of `LangChainChat` in a module of its own, and one line in
`core.config.CHAT_PROVIDERS`. All lists of providers are made from that registry. Importing a
provider's module loads no LangChain; its first request does.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from core.config import CHAT_PROVIDERS, Settings
from core.errors import InvalidRequest
from core.llm.langchain_adapter import LangChainChat
from core.llm.port import ChatModel, ModelInfo, PullProgress
from core.types import ModelChoice


def provider_class(name: str) -> type[LangChainChat]:
    """The class of the provider of that name. Raises `InvalidRequest` where there is none."""
    if name not in CHAT_PROVIDERS:
        raise InvalidRequest(
            "There is no such provider of models.", f"Choose one of: {', '.join(CHAT_PROVIDERS)}."
        )
    module, _, attribute = CHAT_PROVIDERS[name].rpartition(".")
    found: type[LangChainChat] = getattr(import_module(module), attribute)
    return found


def make_chat_model(choice: ModelChoice, settings: Settings) -> ChatModel:
    """The model of a choice; a key in the choice wins over the settings'. Contacts no server.

    A name that is empty or cannot be a model's raises `ModelMissing` at the first request. Raises
    `InvalidRequest` for an unknown provider.
    """
    return provider_class(choice.provider)(choice, settings)


def list_models(choice: ModelChoice, settings: Settings) -> list[ModelInfo]:
    """The models that the provider of a choice offers; the choice may have no model's name."""
    return make_chat_model(choice, settings).models()


def pull_model(name: str, settings: Settings) -> Iterator[PullProgress]:
    """Download a model to the server of the provider that can; `close()` stops the download.

    Ends with status "success". Raises `ModelError`.
    """
    provider = next(name for name in CHAT_PROVIDERS if provider_class(name).downloads)
    return provider_class(provider)(ModelChoice(provider, name), settings).pull()
