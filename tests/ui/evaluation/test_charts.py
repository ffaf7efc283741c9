"""The plots of the Evaluation page wear the theme, in light and in dark."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from core.ui.evaluation import charts
from tests.evaluation.made import result

CONFIG = Path(__file__).parents[3] / ".streamlit" / "config.toml"


def test_no_line_is_black() -> None:
    results = [result(at, tags=("a",), contains=float(at % 2)) for at in range(4)]
    rows = [{"name": "x", "mean": 0.1, "low": 0.0, "high": 0.2, "p": 0.04, "verdict": "better"}]
    for chart in (charts.by_tag_bars(results, "contains"), charts.differences(rows)):
        assert chart
        marks = [layer["mark"] for layer in json.loads(chart.to_json())["layer"]]
        rules = [mark for mark in marks if mark["type"] == "rule"]
        assert rules
        assert all(mark["color"] == charts._LINE for mark in rules)


def test_grades_are_stacked_in_their_order() -> None:
    counts = {"a": {"correct": 3, "incorrect": 0}, "b": {"correct": 1, "incorrect": 2}}
    chart = charts.grades(counts)
    assert chart
    drawn = json.loads(chart.to_json())
    assert drawn["encoding"]["color"]["sort"] == ["correct", "incorrect"]
    assert drawn["encoding"]["y"]["sort"] == ["a", "b"]
    assert [row["answers"] for row in drawn["data"]["values"]] == [3, 0, 1, 2]
    assert charts.grades({}) is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_first_colour_of_plots_is_that_of_the_theme(theme: str) -> None:
    found = tomllib.loads(CONFIG.read_text("utf-8"))["theme"][theme]
    assert found["chartCategoricalColors"][0] == found["primaryColor"]
