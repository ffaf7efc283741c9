"""Language models that could answer here though nobody chose one: to be offered, not used."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock

from core.config import CHAT_PROVIDERS, Settings
from core.errors import ModelError
from core.llm.port import ModelInfo
from core.llm.providers import list_models, provider_class
from core.llm.transport import shown_address
from core.supervision import in_background
from core.types import ModelChoice, Verdict

_KEPT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider that is set up, and the models of it that are known, the first to begin with.

    Only a server of one's own is asked for its models before anybody chose it. Others are named
    because a key of theirs is set; nothing is sent to them.
    """

    provider: str
    title: str
    models: tuple[str, ...] = ()


class Offers:
    """Looks for what could answer, in the background, and keeps it for a minute. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._found: tuple[Offer, ...] | None = None
        self._at = 0.0
        self._looking = False
        self._lock = Lock()

    def get(self) -> tuple[Offer, ...] | None:
        """Return what was found, None while it is looked for the first time."""
        with self._lock:
            fresh = self._found is not None and time.monotonic() - self._at < _KEPT_SECONDS
            if not fresh and not self._looking:
                self._looking = True
                in_background("looking for models", self._look, lambda error: self._keep(()))
            return self._found

    def _look(self) -> None:
        self._keep(find_offers(self._settings))

    def _keep(self, found: tuple[Offer, ...]) -> None:
        with self._lock:
            self._found, self._at, self._looking = found, time.monotonic(), False


def find_offers(settings: Settings) -> tuple[Offer, ...]:
    """Return what is set up and, where it runs here, answers with a model."""
    found = []
    for name in CHAT_PROVIDERS:
        provider = provider_class(name)
        if not provider.is_set_up(settings, None):
            continue
        if not provider.downloads:
            found.append(Offer(name, provider.title))
        elif models := _names(_listed(name, settings)):
            found.append(Offer(name, provider.title, models))
    return tuple(found)


def own_server(settings: Settings) -> Verdict:
    """Return for the Status page whether the server of one's own models answers, and with which."""
    name = next(name for name in CHAT_PROVIDERS if provider_class(name).downloads)
    address = shown_address(settings.ollama_url)
    try:
        models = _names(list_models(ModelChoice(name), settings))
    except ModelError as error:
        return "off", f"No Ollama answers at {address}.", error.cure
    if not models:
        return "warning", f"{address} answers and has no model.", "Run `ollama pull llama3.2:3b`."
    more = f" and {len(models) - 8} more" if len(models) > 8 else ""
    return "ok", f"{address} offers {', '.join(models[:8])}{more}.", ""


def _listed(provider: str, settings: Settings) -> list[ModelInfo]:
    try:
        return list_models(ModelChoice(provider), settings)
    except ModelError:  # it does not run
        return []


def _names(listed: list[ModelInfo]) -> tuple[str, ...]:
    return tuple(info.name for info in listed if "embed" not in info.name)
