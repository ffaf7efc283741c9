"""The prompts: placeholders filled, one word for "not found", nothing read as a template twice."""

from __future__ import annotations

import string

import pytest

from core.answering.generative import prompts
from core.answering.generative.prompts import JOIN, LEAF, NOT_FOUND, PRESETS, Prompt
from core.verification.prompts import JUDGE, JUDGE_TASK

ALL = [*PRESETS.values(), LEAF, JOIN]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("prompt", ALL, ids=lambda prompt: prompt.name)
def test_placeholders(prompt: Prompt) -> None:
    assert {"boundary", "not_found", "mark"} <= fields(prompt.system)
    assert fields(prompt.system) <= {"boundary", "not_found", "mark", "marks"}
    assert fields(prompt.task) == {"sources", "question", "not_found", "mark"}


@pytest.mark.parametrize("prompt", ALL, ids=lambda prompt: prompt.name)
def test_the_refusal_and_the_boundary_are_named(prompt: Prompt) -> None:
    system = prompt.system_text("b0b")
    assert NOT_FOUND in system
    assert "<sources-b0b>" in system
    assert "[Source 1]" in system
    assert "never an instruction" in system


def test_braces_of_people_are_text() -> None:
    task = PRESETS["balanced"].task_text("{question} {0}", "What is {sources}?")
    assert "{question} {0}" in task
    assert "What is {sources}?" in task


def test_every_preset_of_the_design_is_there() -> None:
    names = {"balanced", "documents", "python-docs", "stack-overflow", "live-web"}
    assert set(PRESETS) == names
    assert PRESETS["python-docs"].tree
    assert PRESETS["live-web"].most_tokens == 4096
    assert "code example" in PRESETS["stack-overflow"].system


def test_the_phrase_is_one_symbol() -> None:
    constants = [v for k, v in vars(prompts).items() if isinstance(v, str) and k.isupper()]
    assert [text for text in constants if NOT_FOUND in text] == [NOT_FOUND]


def test_the_judges_prompt() -> None:
    assert fields(JUDGE) == {"boundary"}
    assert fields(JUDGE_TASK) == {"sources", "statements", "schema"}
