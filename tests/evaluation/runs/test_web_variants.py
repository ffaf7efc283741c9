"""The ways to ask: presets of the search, and the web with and without its filter."""

from __future__ import annotations

import pytest

from core.evaluation.runs.ask import query_options, search_options
from core.evaluation.runs.presets import MATRIX, WAYS
from core.evaluation.runs.results import RunSettings
from core.evaluation.runs.web_variants import asker_of
from core.retrieval.presets import PRESETS
from core.service import Service
from core.types import Level


def test_the_filter_is_on_or_off_as_the_way_says(service: Service) -> None:
    asker, settings = service.pipeline, service.settings
    assert asker_of(asker, "documents", settings) is asker
    filtered = asker_of(asker, "web filtered", settings)
    assert filtered.web.settings.web_quality == "rules"
    always = settings.model_copy(update={"web_quality": "model"})
    assert asker_of(asker, "web", always).web.settings.web_quality == "off"
    assert asker.web.settings.web_quality == settings.web_quality


@pytest.mark.parametrize("name", MATRIX)
def test_every_column_has_query_options(name: str) -> None:
    settings = MATRIX[name].of(RunSettings(options={"top_k": 3, "unknown": 1}))
    assert settings.way in WAYS
    options = query_options(settings)
    assert options.level in Level
    assert options.web is settings.way.startswith("web")
    preset = PRESETS.get(settings.preset)
    assert options.search == (preset.search if preset else search_options(settings))
    assert search_options(settings).top_k == 3
