"""Any server with OpenAI's chat API (vLLM, llama.cpp, LM Studio, OpenAI), by langchain-openai."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import SecretStr

from core.config import Settings
from core.errors import (
    AnswerBlocked,
    BadKey,
    ContextTooLong,
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelUnreachable,
    QuotaExceeded,
)
from core.llm.langchain_adapter import TEMPERATURE, LangChainChat
from core.llm.port import Embedded, ModelInfo, token_count
from core.llm.stream import Delta
from core.llm.transport import Wire

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_core.runnables import Runnable

_OVERFLOW = ("context_length_exceeded", "maximum context length", "context length", "context size",
             "exceeds the context", "too many tokens", "exceed_context_size_error")  # fmt: skip


class OpenAIChat(LangChainChat):
    """One model of an OpenAI-compatible server."""

    provider = "openai"
    library = "langchain_openai"
    title = "OpenAI-compatible server"
    label = "the OpenAI-compatible server"
    setup = "Set OPENAI_URL to the address of an OpenAI-compatible server."
    takes_key = True
    # vLLM calls a model by the folder that it was loaded from. Here a name stands in the body of
    # a request alone, never in an address.
    names = re.compile(r"(?!.*\.\.)[\w@/][\w.:/@+-]{0,199}")

    @classmethod
    def is_set_up(cls, settings: Settings, key: SecretStr | None) -> bool:
        return bool(settings.openai_url)

    @property
    def address(self) -> str:
        if not self.settings.openai_url:
            raise ModelUnreachable(
                "No OpenAI-compatible server is set.",
                "Set OPENAI_URL to its address, up to and including /v1.",
            )
        return self.settings.openai_url.rstrip("/")

    def models(self) -> list[ModelInfo]:
        """The models that the server lists."""
        return [
            ModelInfo(str(model["id"]), _length(model)) for model in self._listed() if "id" in model
        ]

    def _listed(self) -> list[dict[str, Any]]:
        data = self._ask("/models")
        listed = data.get("data") if isinstance(data, dict) else None
        return [model for model in listed or [] if isinstance(model, dict)]

    def vectors(self, texts: Sequence[str], *, query: bool, seconds: float) -> Embedded:
        """See `LangChainChat.vectors`."""
        body = {"model": self.checked_name(), "input": list(texts), "encoding_format": "float"}
        found = self._ask("/embeddings", body, seconds)
        listed = found.get("data") if isinstance(found, dict) else None
        records = [record for record in listed or [] if isinstance(record, dict)]
        # They come in any order: each names the place of its text.
        vectors = [record.get("embedding") for record in sorted(records, key=_place)]
        usage = found.get("usage") if isinstance(found, dict) else None
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        return Embedded(vectors, token_count(tokens))

    def _longest_context(self) -> int:
        lengths = [_length(model) for model in self._listed() if model.get("id") == self.name]
        return max(lengths, default=0)

    @property
    def _key(self) -> str:
        key = self._choice.key or self.settings.openai_api_key
        return key.get_secret_value()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def _client(
        self, wire: Wire, max_tokens: int, json_schema: Mapping[str, Any] | None
    ) -> Runnable[Any, Any]:
        from langchain.chat_models import init_chat_model

        # Sent as they are: LangChain renames the one and wraps the other in a parser of its own,
        # which takes an answer cut at the limit for an error.
        extra: dict[str, Any] = {}
        options: dict[str, Any] = {"max_tokens": max_tokens}
        if not self.address.startswith("https://api.openai.com"):
            # OpenAI's own newer models refuse both; other servers know no other name for the limit.
            extra["max_tokens"] = max_tokens
            options["temperature"] = TEMPERATURE
        if json_schema:
            schema = {"name": "answer", "schema": dict(json_schema), "strict": True}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        client: Runnable[Any, Any] = init_chat_model(
            self.name,
            model_provider="openai",
            base_url=self.address,
            api_key=self._key or "none",
            max_retries=0,
            timeout=None,
            stream_usage=True,
            http_client=httpx.Client(transport=wire, follow_redirects=False),
            extra_body=extra,
            **options,
        )
        return client

    def _delta(self, chunk: AIMessageChunk) -> Delta:
        finish = str(chunk.response_metadata.get("finish_reason") or "")
        if finish == "content_filter":
            raise AnswerBlocked("The server's content filter blocked the answer.")
        usage = chunk.usage_metadata
        if usage is None:
            return Delta(str(chunk.text), finish)
        return Delta(str(chunk.text), finish, usage["input_tokens"], usage["output_tokens"])

    def _foreign(self) -> tuple[type[Exception], ...]:
        from openai import OpenAIError

        return (OpenAIError,)

    def _refused(self, status: int, error: Mapping[str, Any]) -> ModelError | None:
        said = " ".join(str(error.get(key) or "") for key in ("message", "type", "code")).lower()
        if status in (400, 413, 422, 500) and any(words in said for words in _OVERFLOW):
            return ContextTooLong("The prompt is longer than the model's context.")
        if status == 404 and "model" in said:
            return ModelMissing(
                f"The server does not have the model {self.name}.",
                "Choose one from the list in the side bar.",
            )
        if status == 402 or (status == 429 and "quota" in said):
            return QuotaExceeded("The account's quota is used up.")
        if status in (401, 403) and not self._key:
            return BadKey("The server wants a key.")
        if status == 404:
            return ModelFailed(
                "There is no chat API at this address.",
                "Set OPENAI_URL to the server's address, up to and including /v1.",
            )
        return None


def _length(model: Mapping[str, Any]) -> int:
    """vLLM says `max_model_len`, llama.cpp `meta.n_ctx`, others nothing."""
    meta = model.get("meta")
    length = model.get("max_model_len") or (meta.get("n_ctx") if isinstance(meta, dict) else 0)
    return length if isinstance(length, int) else 0


def _place(record: Mapping[str, Any]) -> int:
    place = record.get("index")
    return place if isinstance(place, int) else 0
