"""Makes the answerer of a model choice: a language model, or quotes from the sources."""

from __future__ import annotations

import logging
from collections.abc import Callable

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.generative.prompts import PRESETS, Prompt
from core.answering.port import Answerer
from core.config import Settings
from core.errors import ModelUnavailable
from core.llm.metering import Meter
from core.models.port import Embedder
from core.models.reader import Reader, load_reader
from core.types import ModelChoice

log = logging.getLogger(__name__)


def make_answerer(
    choice: ModelChoice | None,
    settings: Settings,
    embedder: Embedder,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    prompt: Prompt = PRESETS["balanced"],
    meter: Meter | None = None,
) -> Answerer:
    """The answerer for a choice of model; None, or no provider, quotes.

    `prompt` holds the instructions that a model gets; `meter` counts what it takes.
    """
    quoting = ExtractiveAnswerer(embedder, _reader(settings))
    if choice is None or not choice.provider:
        return quoting
    from core.answering.generative.answerer import (
        GenerativeAnswerer,  # brings LangChain: only when asked
    )
    from core.llm.providers import make_chat_model

    model = make_chat_model(choice, settings)
    if meter is not None:
        model = meter.of(model, "answering")
    return GenerativeAnswerer(model, embedder, quoting, settings, cancelled, prompt=prompt)


def _reader(settings: Settings) -> Reader | None:
    """The reader, without which answers are quoted too; the Status page says why it is not here."""
    try:
        return load_reader(settings)
    except ModelUnavailable as error:
        log.warning("%s Answers are quoted without it.", error.message)
        return None
