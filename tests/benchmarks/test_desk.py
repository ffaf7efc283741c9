"""The table of fluency, and the app that ours is compared with."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from benchmarks.desk.fluency import BARE, LIMITS, Measured, beyond, table


def measured(times: float, moved: float = 0.0) -> Measured:
    """Everything takes so many times what it takes in the bare app."""
    found = Measured(shift={"evidence opens": [0.0, moved]}, greyed={"evidence opens": [0.1]})
    for name in LIMITS:
        found.bare[name] = [0.1, 0.2, 9.0]
        found.ours[name] = [9.0, 0.2 * times, 0.1]
    return found


def test_the_table_has_medians_and_the_worst_of_what_moves() -> None:
    lines = table(measured(1.25, 0.013)).splitlines()
    assert lines[2] == "| page switch | 250 ms | 200 ms | 1.2 | 2.0 |"
    assert lines[-2] == "| layout shift, evidence opens | 0.0130 | | | 0.02 |"
    assert lines[-1] == "| greyed, evidence opens | 100 ms | | | |"


def test_what_is_over_its_limit_is_named() -> None:
    assert beyond(measured(1.4)) == []
    assert beyond(measured(1.9)) == ["chip to evidence"]
    assert beyond(measured(1, 0.021)) == ["layout shift, evidence opens"]


def test_the_bare_app_shows_images_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(3):
        Image.new("RGB", (8, 8)).save(tmp_path / f"{at}.png")
    monkeypatch.setenv("BARE_IMAGES", str(tmp_path))
    tab = AppTest.from_file(str(BARE)).run()
    tab.chat_input[0].set_value("Why?").run()
    assert "You asked: Why?" in [text.value for text in tab.markdown]
    for label, page in (("Open", "Page 2"), ("Next page", "Page 3"), ("Next page", "Page 1")):
        next(one for one in tab.button if one.label == label).click().run()
        assert [caption.value for caption in tab.caption] == [page]
    next(one for one in tab.button if one.label == "Close").click().run()
    assert not tab.caption
    assert not tab.exception
