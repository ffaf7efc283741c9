"""Gemini, by langchain-google-genai; its names change within the year, so they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic import SecretStr

from core.config import Settings
from core.errors import (
    AnswerBlocked,
    BadKey,
    ContextTooLong,
    ModelBusy,
    ModelError,
    ModelMissing,
    QuotaExceeded,
)
from core.llm.langchain_adapter import LangChainChat
from core.llm.port import Embedded, ModelInfo, token_count
from core.llm.stream import Delta
from core.llm.transport import Wire, certificates

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_core.runnables import Runnable

_GOOGLE = "https://generativelanguage.googleapis.com"
_PROPER = {"": "", "STOP": "stop", "MAX_TOKENS": "length"}
_BLOCKED = {"SAFETY": "its safety rules", "RECITATION": "its rules on quoting others",
            "BLOCKLIST": "a list of words", "PROHIBITED_CONTENT": "its rules on content",
            "SPII": "its rules on personal data", "LANGUAGE": "its list of languages"}  # fmt: skip


class GeminiChat(LangChainChat):
    """One model of the Gemini API."""

    provider = "gemini"
    library = "langchain_google_genai"
    title = label = "Gemini"
    setup = "Set GEMINI_API_KEY, or send a key with the request."
    takes_key = True

    @classmethod
    def is_set_up(cls, settings: Settings, key: SecretStr | None) -> bool:
        return bool(key or settings.gemini_api_key.get_secret_value())

    @property
    def address(self) -> str:
        return self.settings.gemini_url.rstrip("/") or _GOOGLE

    def models(self) -> list[ModelInfo]:
        """The models that answer, those that only embed left out."""
        data = self._ask("/v1beta/models?pageSize=1000")
        listed = data.get("models") if isinstance(data, dict) else None
        return [
            ModelInfo(_short(model), _limit(model))
            for model in listed or []
            if isinstance(model, dict)
            and "generateContent" in (model.get("supportedGenerationMethods") or [])
        ]

    def vectors(self, texts: Sequence[str], *, query: bool, seconds: float) -> Embedded:
        """See `LangChainChat.vectors`. A request for each text: a list in one gives one vector."""
        name = self.checked_name().removeprefix("models/")
        task = "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT"
        requests = [
            {"model": f"models/{name}", "content": {"parts": [{"text": text}]}, "taskType": task}
            for text in texts
        ]
        path = f"/v1beta/models/{quote(name)}:batchEmbedContents"
        found = self._ask(path, {"requests": requests}, seconds)
        listed = found.get("embeddings") if isinstance(found, dict) else None
        vectors = [record.get("values") for record in listed or [] if isinstance(record, dict)]
        usage = found.get("usageMetadata") if isinstance(found, dict) else None
        tokens = usage.get("promptTokenCount") if isinstance(usage, dict) else None
        return Embedded(vectors, token_count(tokens))

    def _longest_context(self) -> int:
        return _limit(self._ask(f"/v1beta/models/{quote(self.name.removeprefix('models/'))}"))

    @property
    def _key(self) -> str:
        key = (self._choice.key or self.settings.gemini_api_key).get_secret_value()
        if not key:
            raise BadKey(
                "No key for Gemini is set.",
                "Enter one in the model settings of the side bar, or set GEMINI_API_KEY.",
            )
        return key

    def _headers(self) -> dict[str, str]:
        return {"x-goog-api-key": self._key}

    def _client(
        self, wire: Wire, max_tokens: int, json_schema: Mapping[str, Any] | None
    ) -> Runnable[Any, Any]:
        from langchain.chat_models import init_chat_model

        options: dict[str, Any] = {}
        if json_schema:
            options = {"response_mime_type": "application/json", "response_schema": json_schema}
        client: Runnable[Any, Any] = init_chat_model(
            self.name,
            model_provider="google_genai",
            api_key=self._key,
            base_url=self.address,
            max_tokens=max_tokens,
            max_retries=1,  # of attempts, not of further ones: this is none
            include_thoughts=False,
            client_args={"transport": wire, "verify": certificates(), "follow_redirects": False},
            **options,
        )
        return client

    def _delta(self, chunk: AIMessageChunk) -> Delta:
        metadata = chunk.response_metadata
        feedback = metadata.get("prompt_feedback") or {}
        if feedback.get("block_reason"):
            raise AnswerBlocked("Gemini's safety rules blocked the question or its sources.")
        finish = str(metadata.get("finish_reason") or "").upper()
        if rule := _BLOCKED.get(finish):
            raise AnswerBlocked(f"Gemini blocked the answer by {rule}.")
        usage = chunk.usage_metadata
        return Delta(
            str(chunk.text),
            _PROPER.get(finish, "stop"),
            usage["input_tokens"] if usage else None,
            usage["output_tokens"] if usage else None,
        )

    def _foreign(self) -> tuple[type[Exception], ...]:
        from google.genai.errors import APIError
        from langchain_core.exceptions import LangChainException
        from langchain_google_genai.chat_models import ChatGoogleGenerativeAIError

        return (APIError, LangChainException, ChatGoogleGenerativeAIError)

    def _refused(self, status: int, error: Mapping[str, Any]) -> ModelError | None:
        said = str(error.get("message", "")).lower()
        kind = str(error.get("status", ""))
        if status in (401, 403) or "api key" in said or "API_KEY_INVALID" in str(error):
            return BadKey("Gemini refused the key.")
        if status == 429 or kind == "RESOURCE_EXHAUSTED":
            return _quota(error)
        if status == 404:
            return ModelMissing(
                f"Gemini does not have the model {self.name} (any more).",
                "Choose one from the list in the side bar.",
            )
        if status == 400 and "token" in said and "exceed" in said:
            return ContextTooLong("The prompt is longer than the model's context.")
        if status == 503:
            return ModelBusy("Gemini is overloaded.")
        return None


def _quota(error: Mapping[str, Any]) -> QuotaExceeded:
    """With the wait of google.rpc.RetryInfo ("34s"), where it is given."""
    found = QuotaExceeded("The quota of this key is used up.")
    for detail in error.get("details") or []:
        delay = str(detail.get("retryDelay", "")) if isinstance(detail, dict) else ""
        if delay.removesuffix("s").replace(".", "", 1).isdigit():
            found.retry_after = float(delay.removesuffix("s"))
            found.cure = f"Wait {found.retry_after:g} seconds, or choose another model."
    return found


def _short(model: Mapping[str, Any]) -> str:
    return str(model.get("name", "")).removeprefix("models/")


def _limit(model: Any) -> int:
    limit = model.get("inputTokenLimit") if isinstance(model, dict) else None
    return limit if isinstance(limit, int) else 0
