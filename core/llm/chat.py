"""Language models behind one port: Ollama, Gemini, and any OpenAI-compatible server.

An adapter is a subclass of `LangChainChat` in a module of its own; `_ADAPTERS` is the registry.
Importing this module loads no LangChain: the adapter of the chosen provider does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from core.config import Settings
from core.errors import InvalidRequest, ModelError
from core.llm.choice import ChatMessage, ModelChoice, ModelInfo, PullProgress, Restart
from core.llm.stream import ChatStream
from core.types import Verdict


class ChatModel(Protocol):
    """The port. Every method raises only `ModelError`."""

    name: str
    provider: str

    @property
    def context_length(self) -> int:
        """The tokens that prompt and answer may take together; asked of the server once."""
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        """The answer, piece by piece; `.end` says how it ended. Nothing is sent before `next()`."""
        ...

    def models(self) -> list[ModelInfo]:
        """The models that the server offers."""
        ...

    def preload(self) -> None:
        """Import what the first answer would otherwise wait for."""
        ...


_ADAPTERS = {
    "ollama": ("core.llm.ollama", "OllamaChat"),
    "gemini": ("core.llm.gemini", "GeminiChat"),
    "openai": ("core.llm.openai", "OpenAIChat"),
}


def default_choice(settings: Settings) -> ModelChoice | None:
    """The model that the settings name, None where they name none."""
    if not settings.chat_provider:
        return None
    return ModelChoice(settings.chat_provider, settings.chat_model)


def make_chat_model(choice: ModelChoice, settings: Settings) -> ChatModel:
    """The model of a choice; a key in the choice wins over the settings'. Contacts nobody.

    A name that is empty or can be no model's is `ModelMissing` once it is used. Raises
    `InvalidRequest` for an unknown provider.
    """
    return _adapter(choice, settings)


def list_models(choice: ModelChoice, settings: Settings) -> list[ModelInfo]:
    """The models that the provider of a choice offers; its model's name may be empty."""
    return _adapter(choice, settings).models()


def pull_model(name: str, settings: Settings) -> Iterator[PullProgress]:
    """Download a model to the Ollama server; `close()` stops it. Raises `ModelError`."""
    from core.llm.ollama import pull

    return pull(name, settings)


def complete(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    json_schema: Mapping[str, Any] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> str:
    """A whole answer at once, for planning and judging."""
    with model.stream(
        messages, max_tokens=max_tokens, json_schema=json_schema, cancelled=cancelled
    ) as stream:
        return joined(stream)


def joined(pieces: Iterable[str]) -> str:
    """The text of pieces, without what a `Restart` took back."""
    said: list[str] = []
    for piece in pieces:
        if isinstance(piece, Restart):
            said.clear()
        said.append(piece)
    return "".join(said)


def check_provider(settings: Settings) -> Verdict:
    """For the Status page: state ("ok", "warning", "error"), detail and cure."""
    choice = default_choice(settings)
    if choice is None:
        return "off", "None is set: answers quote the sources word for word.", ""
    try:
        names = [info.name for info in list_models(choice, settings)]
    except ModelError as error:
        return "error", error.message, error.cure
    if choice.model in names or f"{choice.model}:latest" in names:
        return "ok", f"{choice.model} at {choice.provider}", ""
    cure = f"Run `ollama pull {choice.model}`." if choice.provider == "ollama" else ""
    offered = ", ".join(names[:8]) or "no model at all"
    missing = f"{choice.model or 'No model'} is not there; the server offers {offered}."
    return "error", missing, cure or "Set CHAT_MODEL to one of these."


def _adapter(choice: ModelChoice, settings: Settings) -> ChatModel:
    if choice.provider not in _ADAPTERS:
        raise InvalidRequest(
            "There is no such provider of models.", f"Choose one of: {', '.join(_ADAPTERS)}."
        )
    module, name = _ADAPTERS[choice.provider]
    model: ChatModel = getattr(import_module(module), name)(choice, settings)
    return model
