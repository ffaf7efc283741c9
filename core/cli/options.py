"""The options of the shell that say how questions are asked and judged."""

from __future__ import annotations

import argparse

from core.config import CHAT_PROVIDERS
from core.errors import InvalidRequest
from core.evaluation.runs.presets import WAYS
from core.evaluation.runs.results import RunSettings
from core.retrieval.presets import PRESETS
from core.types import Level


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How to ask: way, level, preset, model; how to judge."""
    parser.add_argument("--way", choices=WAYS, default="documents", help="where answers come from")
    parser.add_argument(
        "--level", choices=[str(level) for level in Level], default=str(Level.AS_TYPED),
        help="the effort for understanding a question; all but the first need a model",
    )  # fmt: skip
    parser.add_argument("--preset", choices=PRESETS, default="balanced", help="a preset of search")
    parser.add_argument("--model", default="", help="PROVIDER/MODEL that answers; none quotes")
    parser.add_argument("--judge", default="", help="PROVIDER/MODEL that judges")
    parser.add_argument("--k", type=int, default=5, help="the cut-off of the ranking measures")
    parser.add_argument("--no-bertscore", action="store_true", help="leave BERTScore out")


def run_settings(arguments: argparse.Namespace) -> RunSettings:
    """The settings of a run. Raises `InvalidRequest` for a model without a provider."""
    provider, model = provider_and_model(arguments.model)
    judge_provider, judge_model = provider_and_model(arguments.judge)
    return RunSettings(
        way=arguments.way,
        preset=arguments.preset,
        level=arguments.level,
        provider=provider,
        model=model,
        judge_provider=judge_provider,
        judge_model=judge_model,
        k=max(1, arguments.k),
        bertscore=not arguments.no_bertscore,
    )


def provider_and_model(text: str) -> tuple[str, str]:
    """`ollama/llama3.2:3b` as a pair, two empty words for none. Raises `InvalidRequest`.

    >>> provider_and_model("openai/org/model")
    ('openai', 'org/model')
    """
    if not text:
        return "", ""
    provider, _, model = text.partition("/")
    if provider not in CHAT_PROVIDERS or not model:
        raise InvalidRequest(
            f"{text} names no model.",
            f"Write PROVIDER/MODEL; providers: {', '.join(CHAT_PROVIDERS)}.",
        )
    return provider, model
