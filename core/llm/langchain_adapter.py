"""What the adapters share: LangChain's client over a monitored connection, and our errors.

LangChain speaks the three protocols. Its own retries, time limits and errors are not used: the
first wait half a minute, the second do not exist, and the third carry text of the server.
"""

from __future__ import annotations

import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import httpx
from pydantic import SecretStr

from core.config import Settings
from core.errors import (
    BadKey,
    ContextTooLong,
    EmptyAnswer,
    InvalidRequest,
    ModelBusy,
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelTimeout,
    ModelUnreachable,
    StreamInterrupted,
)
from core.llm.port import ChatMessage, ChatStream, Embedded, ModelInfo, PullProgress
from core.llm.proxy import proxy_for
from core.llm.stream import Delta, Limits, guarded
from core.llm.transport import Wire, shown_address
from core.types import ModelChoice

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_core.runnables import Runnable

_ASK_SECONDS = 8.0
TEMPERATURE = 0.2
"""Low: the answer is to be what the sources say."""


class LangChainChat(ABC):
    """One model at one provider; see `core.llm.port.ChatModel`."""

    provider: ClassVar[str]
    """Its name in settings, requests and `CHAT_PROVIDERS`."""
    library: ClassVar[str]
    """The package of its LangChain client."""
    title: ClassVar[str]
    """Its name in a list."""
    label: ClassVar[str]
    """Its name within a sentence."""
    setup: ClassVar[str]
    """What to do where it is not set up."""
    takes_key: ClassVar[bool] = False
    """Whether a person may enter a key for it."""
    downloads: ClassVar[bool] = False
    """Whether `pull` downloads models to its server."""
    names: ClassVar[re.Pattern[str]] = re.compile(r"(?!.*\.\.)[\w@][\w.:/@+-]{0,199}")
    """The names that its models may have: they become a part of addresses."""

    def __init__(self, choice: ModelChoice, settings: Settings) -> None:
        self.name = choice.model
        self.settings = settings
        self._choice = choice
        self._context_length: int | None = None

    def checked_name(self) -> str:
        """The name, if it can be a model's. Raises `ModelMissing`."""
        if self.names.fullmatch(self.name):
            return self.name
        raise ModelMissing(
            "That is not the name of a model." if self.name else "No model is chosen.",
            "Choose one from the list in the side bar, or set CHAT_MODEL.",
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        """The answer, piece by piece; nothing is sent before the first `next()`."""
        self.checked_name()
        limits = Limits(
            self.settings.first_token_seconds, self.settings.between_tokens_seconds, max_tokens
        )
        self.preload()  # seconds at the first time, which are not the model's
        read = partial(self._read, list(messages), max_tokens, json_schema)
        return ChatStream(guarded(read, limits, cancelled, self.wire))

    def preload(self) -> None:
        """Import the client's libraries: one to two seconds, once a process."""
        import_module("langchain.chat_models")
        import_module(self.library)

    @property
    def context_length(self) -> int:
        """The tokens of prompt and answer together: the setting, or less where the model has."""
        self.checked_name()
        # No `cached_property`: in Python 3.11 all instances share its lock, so a server that hangs
        # would hold up every other model.
        if self._context_length is None:
            longest = self._longest_context() or 10**9
            self._context_length = min(self.settings.context_tokens, longest)
        return self._context_length

    # ---------------------------------------------------------------- what a provider adds

    @property
    @abstractmethod
    def address(self) -> str:
        """Where its API is, without a slash at the end."""

    @classmethod
    @abstractmethod
    def is_set_up(cls, settings: Settings, key: SecretStr | None) -> bool:
        """Whether the settings, with a key of the person, are enough to ask it."""

    @abstractmethod
    def models(self) -> list[ModelInfo]:
        """The models that the server offers."""

    @abstractmethod
    def _longest_context(self) -> int:
        """What the server says of this model's context, 0 where it says nothing."""

    @abstractmethod
    def _client(
        self, wire: Wire, max_tokens: int, json_schema: Mapping[str, Any] | None
    ) -> Runnable[Any, Any]:
        """LangChain's client for one request over `wire`."""

    @abstractmethod
    def _delta(self, chunk: AIMessageChunk) -> Delta:
        """Text, finish and usage of a chunk; raises `AnswerBlocked`."""

    @abstractmethod
    def _foreign(self) -> tuple[type[Exception], ...]:
        """What this provider's client raises on its own account."""

    def _refused(self, status: int, error: Mapping[str, Any]) -> ModelError | None:
        """What an answer with an error status means here; None takes the common reading."""
        return None

    def _headers(self) -> dict[str, str]:
        """What a plain request must carry."""
        return {}

    def vectors(self, texts: Sequence[str], *, query: bool, seconds: float) -> Embedded:
        """The server's vectors of texts, in their order, as it lists them; for an embedding model.

        LangChain's clients are not used: their requests can neither be ended nor told apart by
        status. Raises `ModelError`.
        """
        raise InvalidRequest(f"{_capital(self.label)} has no embedding models.")

    def pull(self) -> Iterator[PullProgress]:
        """Download this model to the server; ends with status "success"."""
        raise InvalidRequest(f"Models cannot be downloaded to {self.label}.")

    @property
    def unreachable_cure(self) -> str:
        """What to do when nothing answers at `address`."""
        return "Check the address in the settings and that the server runs."

    @property
    def missing_cure(self) -> str:
        """What to do when the server does not list this model."""
        return "Set CHAT_MODEL to one of these."

    # ----------------------------------------------------------------------------- reading

    def wire(self, read_seconds: float) -> Wire:
        """A connection for one request; through the proxy, if the server is behind one."""
        settings = self.settings
        proxy = settings.https_proxy.get_secret_value()
        return Wire(read_seconds, proxy_for(self.address, proxy, settings.no_proxy))

    def _read(
        self,
        messages: list[ChatMessage],
        max_tokens: int,
        json_schema: Mapping[str, Any] | None,
        wire: Wire,
    ) -> Iterator[Delta]:
        foreign: tuple[type[Exception], ...] = (*_CLIENT_ERRORS, *self._foreign())
        try:
            client = self._client(wire, max_tokens, json_schema)
            for chunk in client.stream([(m.role, m.text) for m in messages]):
                yield self._delta(chunk)
        except foreign as error:
            raise self._explained(wire, error) from None

    def _ask(
        self, path: str, body: Mapping[str, Any] | None = None, seconds: float = _ASK_SECONDS
    ) -> Any:
        """A plain request for JSON: lists and facts, which LangChain does not offer.

        It is silent for `seconds` at most, and takes twice as many in all.
        """
        wire = self.wire(seconds)
        method, address = "GET" if body is None else "POST", f"{self.address}{path}"
        end = threading.Timer(2 * seconds, wire.cut)
        end.start()
        try:
            with httpx.Client(transport=wire, headers=self._headers()) as client:
                response = client.request(method, address, json=body)
            if response.status_code >= 300:
                raise ValueError
            return response.json()
        except httpx.ReadTimeout:
            who = _capital(self.label)
            raise ModelTimeout(f"{who} said nothing for {seconds:g} seconds.") from None
        except (httpx.HTTPError, ValueError) as error:
            raise self._explained(wire, error) from None
        finally:
            end.cancel()

    def _explained(self, wire: Wire, error: Exception) -> ModelError:
        """Map an exception of a client to our error, by the status and headers of the response."""
        shown, who = shown_address(self.address), _capital(self.label)
        if wire.status is None:
            if wire.proxied and isinstance(wire.failure, _NOT_REACHED):
                message = f"{who} is not reachable at {shown} through the proxy."
                return ModelUnreachable(message, _PROXY_CURE)
            if isinstance(wire.failure, _NOT_REACHED):
                message = f"{who} is not reachable at {shown}."
                return ModelUnreachable(message, self.unreachable_cure)
            if wire.failure is None:
                return ModelFailed(f"The request to {self.label} could not be made.")
            return StreamInterrupted(f"{who} closed the connection without an answer.")
        if wire.status >= 300:
            return self._status_error(wire, shown)
        if wire.failure is not None:
            return StreamInterrupted(f"The connection to {self.label} broke.")
        if type(error) is ValueError and "event-stream" in wire.headers.get("content-type", ""):
            # LangChain for a stream without one event: so one server says "too long a prompt"
            return EmptyAnswer(
                f"{who} sent an empty answer.",
                "The prompt may be longer than its context: set CONTEXT_TOKENS to that.",
            )
        if isinstance(error, self._foreign()):
            return ModelFailed(f"{who} reported an error of its own while it answered.")
        return ModelFailed(
            f"What answers at {shown} does not speak as {self.label} should.",
            "Press Retry; if it stays, check the address in the settings.",
        )

    def _status_error(self, wire: Wire, shown: str) -> ModelError:
        status = wire.status or 0
        body = _json_object(wire.error_body)
        found = self._refused(status, body) or _common(status, _capital(self.label), shown)
        if found.retry_after is None:
            found.retry_after = _seconds(wire.headers.get("retry-after", ""))
        if found.retry_after and isinstance(found, ModelBusy):
            found.cure = f"Wait {found.retry_after:g} seconds and press Retry."
        return found


_NOT_REACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
_PROXY_CURE = "Check HTTPS_PROXY; servers named in NO_PROXY are reached without it."
_CLIENT_ERRORS: tuple[type[Exception], ...] = (
    httpx.HTTPError,
    httpx.StreamError,
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
)
"""What clients raise on a broken connection or on JSON of an unexpected shape."""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _common(status: int, label: str, shown: str) -> ModelError:
    """The common reading of a status, https://www.rfc-editor.org/rfc/rfc9110#section-15."""
    if status in (401, 403):
        return BadKey(f"{label} refused the key.")
    if status in (429, 503):
        return ModelBusy(f"{label} is at its limit.")
    if status == 413:
        return ContextTooLong("The prompt is longer than the server takes.")
    if status >= 500 or status == 408:
        return ModelFailed(f"{label} answered with an error of its own ({status}).")
    failed = ModelFailed(
        f"{label} at {shown} refused the request ({status}).",
        "Check the address and the model in the settings, and the server's own log.",
    )
    failed.retry = False
    return failed


def _json_object(body: bytes) -> dict[str, Any]:
    """The `error` of an answer in JSON, {} where it is something else; a text as its message."""
    try:
        data = json.loads(body)
    except ValueError:
        return {}
    if isinstance(data, list) and data:
        data = data[0]
    error = data.get("error", data) if isinstance(data, dict) else {}
    return error if isinstance(error, dict) else {"message": str(error)}


def _seconds(retry_after: str) -> float | None:
    """`Retry-After` in seconds; a date is not read (no server of models sends one)."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        return None
