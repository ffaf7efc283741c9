"""docs/prompts.md shows every prompt as it is sent, and tags take a small part of it."""

from __future__ import annotations

import re

from docs.handbook import prompts


def test_the_page_is_that_of_the_program() -> None:
    assert prompts.PAGE.read_text("utf-8") == prompts.page()


def test_tags_take_at_most_eight_percent() -> None:
    share = re.search(r"Tags and boundaries are ([\d.]+)%", prompts.page())
    assert share
    assert 0 < float(share[1]) <= 8
