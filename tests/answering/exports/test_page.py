"""A conversation as one HTML file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from core.answering.exports import page
from core.answering.exports.port import Exported
from tests.answering.exports.material import MESSAGES, PDF, TALK, evidence, exported


def written() -> str:
    return page.write(exported()).decode()


def test_marks_lead_to_their_sources_in_the_file() -> None:
    made = written()
    assert '<a href="#m1-1">[1]</a>' in made
    assert '<section id="m1-1">' in made
    assert '<a href="#m3-1">[1]</a>' in made, "each answer has its own numbers"
    assert "[2] is no mark, [9] neither." in made


def test_the_page_of_a_source_is_shown_with_its_passage_marked() -> None:
    made = written()
    assert made.count('<div class="page">') == 2
    assert made.count('href="data:image/png;base64,cG5n"') == 1, "an image is in the file once"
    assert made.count('<use href="#page-1"/>') == 1
    assert 'style="left:10.00%;top:20.00%;width:40.00%;height:5.00%"' in made
    assert "A. Bee, CC BY 4.0" in made


def test_tables_lists_and_code_keep_their_form() -> None:
    made = written()
    assert '<ol start="3" dir="auto">' in made
    assert '<td dir="auto">Eiffel</td>' in made
    assert "<pre><code>code &lt;b&gt;\n</code></pre>" in made


def test_the_day_is_that_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    days = [
        page.write(replace(exported(), zone=timezone(timedelta(hours=hours)))).decode()
        for hours in (-12, 14)
    ]
    first, last = (made.partition('<p class="about">')[2].partition("<")[0] for made in days)
    assert first != last, "between these two clocks there always is a midnight"


def test_a_file_has_only_so_many_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MOST_IMAGES", 1)
    made = written()
    assert made.count("data:image/png") == 1
    assert "The image of the page is left out" in made


def test_what_cannot_be_opened_says_why() -> None:
    gone = Exported(
        TALK, MESSAGES, lambda citation: replace(evidence(PDF), image=b"", missing="Deleted.")
    )
    assert page.write(gone).decode().count('<p class="about">Deleted.</p>') == 3
