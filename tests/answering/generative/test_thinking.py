"""What a model says to itself before its answer is left out, however the text is split."""

from __future__ import annotations

import pytest

from core.answering.generative.thinking import ThinkingFilter

SAID = [
    ("Let me think about this. It is so.", "It is so."),
    ("Okay, let me look at the sources. It is so.", "It is so."),
    ("Let me think step by step.\n\nIt is so.", "It is so."),
    ("Let’s think… It is so.", "It is so."),
    ("Let me look at the sources.", ""),
    ("Let me look at the sources.{mark}", "{mark}"),
    ("Let me look at the sources.塔は1889年", "塔は1889年"),
    ("Let me think: 1873 it is.", "1873 it is."),
    ("Thinking: the person wants a year.\n\nAnswer: So.", "Answer: So."),
    ("**Thinking:** hm. Hm.\nSo.", "So."),
    ("The user asks when. I need to check the sources.\nIt is so.", "It is so."),
]
KEPT = [
    "The question is hard. So.",
    "Let me check the filter. It is so.",
    "We need to check the sources [1]. So.",
    "I'll look at source 1. So.",
    "Reasoning: it weighs 5 kg.\nSo.",
    "So it is.",
    "Let me think",
    "Letters are so.",
    "1873.",
    "  x",
    "",
]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("said", "shown"), [*SAID, *((text, text) for text in KEPT)])
def test_texts_however_they_are_split(said: str, shown: str, size: int) -> None:
    thinking = ThinkingFilter()
    parts = [thinking.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join(parts) + thinking.finish() == shown


@pytest.mark.parametrize("text", ["The ", "It", "1873", "The pump", "In 1873"])
def test_other_text_is_not_held_back(text: str) -> None:
    thinking = ThinkingFilter()
    assert thinking.feed(text) + thinking.feed(" is") in (f"{text} is", text)
