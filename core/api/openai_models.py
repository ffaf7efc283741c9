"""What goes in and out in the protocol of OpenAI's chat completions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.api.answers import CitationOut
from core.api.models import EXAMPLE_SESSION, Scoped
from core.api.replies import NoticeOut, Text


class ChatPart(BaseModel):
    """A piece of a message; only text can be read."""

    model_config = ConfigDict(extra="ignore")
    type: Annotated[str, Field(max_length=40)]
    text: Annotated[str, Field(max_length=100_000)] = ""


class ChatMessage(BaseModel):
    """One message of a chat."""

    model_config = ConfigDict(extra="ignore")
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=100_000)] | list[ChatPart] | None = None

    def words(self) -> str:
        """Its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream shall carry besides the answer."""

    model_config = ConfigDict(extra="ignore")
    include_usage: bool = False


class ChatRequest(Scoped):
    """`POST /v1/chat/completions`: what is not listed here is accepted and has no effect.

    The fields of a scope are beyond the protocol.
    """

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [
                {
                    "model": f"session:{EXAMPLE_SESSION}",
                    "messages": [{"role": "user", "content": "What is reciprocal rank fusion?"}],
                }
            ]
        },
    )
    model: Annotated[str, Field(min_length=1, max_length=200)]
    messages: list[ChatMessage] = Field(min_length=1, max_length=500)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None


# ------------------------------------------------------------------------------ what comes back


class Model(BaseModel):
    """A session as a model."""

    id: str = Field(examples=["session:3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10"])
    object: str = "model"
    created: int
    owned_by: str = "footnote"
    name: Text


class Models(BaseModel):
    """The models that a key opens."""

    object: str = "list"
    data: list[Model]


class Said(BaseModel):
    """The message of a completion."""

    role: str = "assistant"
    content: Text


class Choice(BaseModel):
    """The one choice of a completion."""

    index: int = 0
    message: Said
    finish_reason: str
    logprobs: None = None


class TokenUsage(BaseModel):
    """Tokens of the model that wrote; zeros where sources were quoted."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class Completion(BaseModel):
    """A completion; `citations` and `notices` are beyond the protocol."""

    id: str
    object: str = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: TokenUsage
    citations: list[CitationOut]
    notices: list[NoticeOut]
