"""Ollama, by langchain-ollama; lists, facts and downloads by its plain API.

Always sent: `num_ctx`, because the server's default cuts prompts in silence, and `think` false,
because a thought costs time and says nothing about the sources.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import SecretStr

from core.config import Settings
from core.errors import ContextTooLong, ModelBusy, ModelError, ModelFailed, ModelMissing
from core.llm.langchain_adapter import TEMPERATURE, LangChainChat
from core.llm.port import (
    ChatEnd,
    ChatMessage,
    ChatStream,
    Embedded,
    ModelInfo,
    PullProgress,
    token_count,
)
from core.llm.stream import Delta
from core.llm.transport import Wire, certificates

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_core.runnables import Runnable

_PULL_SILENCE_SECONDS = 120.0
_PS_SECONDS = 1.0


class OllamaChat(LangChainChat):
    """One model of an Ollama server."""

    provider = "ollama"
    library = "langchain_ollama"
    title = label = "Ollama"
    setup = "Set OLLAMA_URL to the address where Ollama listens."
    downloads = True

    @classmethod
    def is_set_up(cls, settings: Settings, key: SecretStr | None) -> bool:
        return bool(settings.ollama_url)

    @property
    def address(self) -> str:
        return self.settings.ollama_url.rstrip("/")

    @property
    def unreachable_cure(self) -> str:
        return "Start it with `ollama serve`, or set OLLAMA_URL to where it runs."

    @property
    def missing_cure(self) -> str:
        return f"Run `ollama pull {self.name}`."

    def models(self) -> list[ModelInfo]:
        """The models that are downloaded, those that only embed left out."""
        listed = _records(self._ask("/api/tags"), "models")
        return [_info(model) for model in listed if "bert" not in _family(model)]

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        """As every adapter's; its end also says what context the server allocated."""
        inner = super().stream(
            messages, max_tokens=max_tokens, json_schema=json_schema, cancelled=cancelled
        )
        return ChatStream(self._with_allocated(inner))

    def _with_allocated(self, inner: ChatStream) -> Generator[str, None, ChatEnd]:
        with inner:
            yield from inner
        end = inner.end or ChatEnd()
        if end.finish == "cancelled":
            return end
        try:
            return replace(end, context_length=self.allocated_context())
        except ModelError:
            return end  # the answer is whole: not to know this harms nothing

    def pull(self) -> Iterator[PullProgress]:
        """Download this model: what Ollama reports, as it comes. Ends with status "success".

        Raises `ModelMissing` where Ollama's library has no such model.
        """
        name = self.checked_name()
        wire = self.wire(_PULL_SILENCE_SECONDS)
        body = {"model": name, "stream": True}
        status = ""
        try:
            with (
                httpx.Client(transport=wire) as client,
                client.stream("POST", f"{self.address}/api/pull", json=body) as response,
            ):
                if response.status_code >= 300:
                    raise ValueError
                for line in response.iter_lines():
                    progress = _progress(name, json.loads(line))
                    status = progress.status
                    yield progress
        except (httpx.HTTPError, ValueError) as error:
            raise self._explained(wire, error) from None
        if status != "success":
            raise ModelFailed(f"The download of {name} ended early.", "Start it again: it goes on.")

    def vectors(self, texts: Sequence[str], *, query: bool, seconds: float) -> Embedded:
        """See `LangChainChat.vectors`. A text beyond the model's context is cut by the server."""
        body = {"model": self.checked_name(), "input": list(texts)}
        found = self._ask("/api/embed", body, seconds)
        reply = found if isinstance(found, dict) else {}
        vectors = list(reply.get("embeddings") or [])
        return Embedded(vectors, token_count(reply.get("prompt_eval_count")))

    def allocated_context(self) -> int | None:
        """The context that the server really gave this model, None where it does not say."""
        for model in _records(self._ask("/api/ps", seconds=_PS_SECONDS), "models"):
            if model.get("model") in (self.name, f"{self.name}:latest"):
                length = model.get("context_length")
                return length if isinstance(length, int) and length > 0 else None
        return None

    def _longest_context(self) -> int:
        shown = self._ask("/api/show", {"model": self.name})
        info = shown.get("model_info") if isinstance(shown, dict) else None
        lengths = [
            value
            for key, value in (info or {}).items()
            if key.endswith(".context_length") and isinstance(value, int)
        ]
        return max(lengths, default=0)

    def _client(
        self, wire: Wire, max_tokens: int, json_schema: Mapping[str, Any] | None
    ) -> Runnable[Any, Any]:
        from langchain.chat_models import init_chat_model

        client: Runnable[Any, Any] = init_chat_model(
            self.name,
            model_provider="ollama",
            base_url=self.address,
            num_ctx=self.context_length,
            num_predict=max_tokens,
            temperature=TEMPERATURE,
            reasoning=False,
            format=dict(json_schema) if json_schema else None,
            sync_client_kwargs={"transport": wire, "follow_redirects": False},
            async_client_kwargs={"verify": certificates()},  # never used, but always made
        )
        return client

    def _delta(self, chunk: AIMessageChunk) -> Delta:
        metadata = chunk.response_metadata
        return Delta(
            str(chunk.text),
            str(metadata.get("done_reason") or ""),
            metadata.get("prompt_eval_count"),
            metadata.get("eval_count"),
        )

    def _foreign(self) -> tuple[type[Exception], ...]:
        from ollama import ResponseError

        return (ResponseError,)

    def _refused(self, status: int, error: Mapping[str, Any]) -> ModelError | None:
        message = str(error.get("message", "")).lower()
        if status == 404 and "not found" in message and "model" in message:
            return ModelMissing(f"Ollama does not have the model {self.name}.", self.missing_cure)
        if status == 503 or "server busy" in message:
            return ModelBusy("Ollama is busy: its queue is full.")
        if "system memory" in message:
            failed = ModelFailed(
                f"{self.name} needs more memory than the Ollama server has.",
                "Choose a smaller model, or lower CONTEXT_TOKENS.",
            )
            failed.retry = False
            return failed
        if status == 400 and "context" in message:
            return ContextTooLong("The prompt is longer than the model's context.")
        return None


def _progress(name: str, report: Any) -> PullProgress:
    if not isinstance(report, dict):
        raise ValueError
    if "error" in report:
        raise ModelMissing(
            f"Ollama could not download {name}.",
            "Check the name at ollama.com/library, and the server's connection and disk.",
        )
    completed, total = report.get("completed"), report.get("total")
    return PullProgress(str(report.get("status", "")), int(completed or 0), int(total or 0))


def _info(model: Mapping[str, Any]) -> ModelInfo:
    details = model.get("details") or {}
    parts = (details.get("parameter_size"), details.get("quantization_level"))
    detail = ", ".join(str(part) for part in parts if part)
    return ModelInfo(str(model.get("model")), 0, int(model.get("size") or 0), detail)


def _family(model: Mapping[str, Any]) -> str:
    return str((model.get("details") or {}).get("family", "")).lower()


def _records(data: Any, key: str) -> list[dict[str, Any]]:
    """The objects listed under `key`, [] for JSON of another shape."""
    listed = data.get(key) if isinstance(data, dict) else None
    return [record for record in listed or [] if isinstance(record, dict)]
