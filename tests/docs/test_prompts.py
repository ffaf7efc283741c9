"""docs/prompts.md shows every prompt as it is sent, and tags take a small part of it."""

from __future__ import annotations

import re

import pytest

from core.answering.generative import prompts as answering
from core.evaluation.golden import generating
from core.evaluation.measures import judge
from core.planning import prompts as planning
from core.verification import prompts as verification
from core.web_search import prompts as web
from docs.handbook import prompts

_SHORTEST = 60  # characters: shorter constants are names, not prompts


def test_the_page_is_that_of_the_program() -> None:
    assert prompts.PAGE.read_text("utf-8") == prompts.page()


def test_tags_take_at_most_eight_percent() -> None:
    share = re.search(r"Tags and boundaries are ([\d.]+)%", prompts.page())
    assert share
    assert 0 < float(share[1]) <= 8


@pytest.mark.parametrize("module", [answering, planning, verification, web, judge, generating])
def test_no_prompt_is_left_out(module: object) -> None:
    page = prompts.PAGE.read_text("utf-8")
    texts = {
        name: text
        for name, text in vars(module).items()
        if name.isupper() and isinstance(text, str) and len(text) >= _SHORTEST
        and not name.startswith("_")
    }  # fmt: skip
    assert texts
    assert [name for name, text in texts.items() if text not in page] == []


def test_every_task_has_a_worked_example() -> None:
    page = prompts.PAGE.read_text("utf-8")
    examples = page[page.index("## Worked examples") :]
    assert examples.count("```text") >= 12
    assert "{" not in "".join(re.findall(r"(?s)```text\n\[system\].*?```", examples))
