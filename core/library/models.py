"""The room of language models: which there are, and which answers in a session."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import SecretStr

from core.access.roles import guarded
from core.config import Settings
from core.llm.choice import choose
from core.llm.offers import Offer, Offers
from core.llm.port import ModelInfo, PullProgress
from core.llm.providers import list_models, pull_model
from core.storage.catalogue import Catalogue
from core.types import ModelChoice, Session


@guarded("models")
@dataclass(frozen=True)
class Models:
    """The chat models of the providers that are set up. Methods raise `ModelError`."""

    settings: Settings
    catalogue: Catalogue
    found: Offers

    def offers(self) -> tuple[Offer, ...] | None:
        """Return what could answer here, None while it is looked for. It is not used by itself."""
        return self.found.get()

    def choose(
        self,
        session: Session,
        provider: str | None = None,
        model: str | None = None,
        key: SecretStr | None = None,
    ) -> ModelChoice | None:
        """Return the model that answers in this session.

        That is the one asked for if it is set up here, otherwise the session's or the default
        one; None where there is none. Raises `InvalidRequest` as well.
        """
        preferred = self.catalogue.sessions.preferences(session.id).get("model")
        return choose(self.settings, preferred, provider, model, key)

    def pull(self, name: str) -> Iterator[PullProgress]:
        """Download a model to the Ollama server, with its progress."""
        return pull_model(name, self.settings)

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, choice: ModelChoice) -> list[ModelInfo]:
        """Return the models that the provider of a choice offers."""
        return list_models(choice, self.settings)
