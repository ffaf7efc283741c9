"""The live web with and without its quality filter, regardless of the settings."""

from __future__ import annotations

import copy
from dataclasses import replace

from core.config import Settings
from core.evaluation.runs.ask import Asks
from core.pipeline import Pipeline


def asker_of(asker: Asks, way: str, settings: Settings) -> Asks:
    """Return the asker for one of `presets.WAYS`: "web" without, "web filtered" with the filter."""
    if not way.startswith("web") or not isinstance(asker, Pipeline):
        return asker
    from core.web_search.quality import QualityFilter

    usual = settings.web_quality if settings.web_quality != "off" else "rules"
    quality = usual if way == "web filtered" else "off"
    changed = settings.model_copy(update={"web_quality": quality})
    web = copy.copy(asker.web)
    web.settings, web.quality = changed, QualityFilter(changed)
    return replace(asker, web=web)
