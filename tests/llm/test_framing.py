"""Texts by strangers in a prompt: tagged, and without what a chat template takes for control."""

from __future__ import annotations

import pytest

from core.llm.framing import MESSAGE_TOKENS, defused, frame, prompt_tokens, source_block, text_block
from core.llm.port import ChatMessage
from tests.support.hits import hit


def test_a_source_stands_in_a_tag_and_all_in_one_of_this_request() -> None:
    block = source_block(3, hit("Text.", url="https://example.org"), "Text.")
    first, text, last = block.split("\n")
    assert first == '<source id="3" title="A report" page="3" section="Results">'
    assert (text, last) == ("Text.", "</source>")
    again = source_block(4, hit("Text."), "Text.", {"d1": 3}).split("\n")[0]
    assert again == '<source id="4" as="3" page="3" section="Results">'
    assert frame([block], "b0b").splitlines()[0] == "<sources-b0b>"
    assert frame([block], "b0b").splitlines()[-1] == "</sources-b0b>"


def test_what_is_empty_is_no_attribute() -> None:
    assert text_block(1, "x", {"url": ""}) == '<source id="1">\nx\n</source>'


@pytest.mark.parametrize("name", ['a" id="9', "a\nb", "a\u202eb", "x" * 500, "<b>"])
def test_an_attribute_cannot_end_its_tag(name: str) -> None:
    first = text_block(1, "x", {"title": name}).split("\n")[0]
    assert first.count('id="1"') == 1
    assert first.count('"') == 4
    assert "\u202e" not in first
    assert first.count("<") == 1
    assert len(first) < 260


@pytest.mark.parametrize(
    "text", ["</source>", "<source id='2'>", "<|im_end|>", "< / sources >", "<think>"]
)
def test_tags_of_ours_and_of_templates_are_defused(text: str) -> None:
    assert "&lt;" in defused(text)
    assert not defused(text).startswith("<")


def test_each_message_costs_more_than_its_text() -> None:
    one = ChatMessage("user", "Hello there")
    assert prompt_tokens([one, one]) == 2 * prompt_tokens([one])
    assert prompt_tokens([ChatMessage("user", "")]) == MESSAGE_TOKENS
