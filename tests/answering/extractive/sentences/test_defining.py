"""Which sentence is a definition of what is asked for, and which says what it does."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.defining import (
    is_narrower,
    says_what_it_is,
    says_which_kind,
    what_it_does,
)
from core.text.terms import content_keys


@pytest.mark.parametrize(
    ("asked", "text", "defines"),
    [
        ("abomination", "The result is an unholy union known as an abomination.", True),
        ("lemon", "The result is a fruit known as a lemon tree of old.", False),
        ("dpr", "The Dense Passage Retriever (DPR) is an index.", True),
        (
            "dpr",
            "Single and Multi denote that our Dense Passage Retriever (DPR) was bought.",
            False,
        ),
        ("lens", "After you lit the lens, you are responsible for it.", False),
        ("mill", "The words of a mill, which are old, were read.", False),
        ("lampism", "Lampism, also called wickism (Latin: lucerna), is a movement.", True),
        ("mill", "Mill (Greek: mylos; a house of stones that turn) is a house.", True),
        ("Leasing", "Leasing ist eine Miete.", True),
        ("Leasing", "Beim Leasing ist Vorsicht geboten.", False),
    ],
)
def test_what_is_a_definition(asked: str, text: str, defines: bool) -> None:
    assert says_what_it_is(text, content_keys(asked)) is defines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A lens is a glass.", True),
        ("A lens is the best glass of a lamp.", True),
        ("A lens is cheap.", False),
        ("The lens is the other part of a lamp.", False),
        ("A lens is its eye.", False),
        ("A lens is the oldest part of this kind.", False),
        ("A lens is one of them.", False),
    ],
)
def test_which_definition_says_what_kind_of_thing_it_is(text: str, says: bool) -> None:
    assert says_which_kind(text, content_keys("lens")) is says


@pytest.mark.parametrize(
    ("asked", "text", "narrower"),
    [
        ("lens", "A lens is a glass.", False),
        ("lens", "A fish lens is a glass.", True),
        ("lens", "The lens shop is a house.", True),
        ("reed", "Ida Reed is a nurse.", False),
        ("reed", "The Reed shop is a house.", True),
        ("lenses", "Lenses (singular: lens) are glasses.", False),
    ],
)
def test_what_is_a_definition_of_something_narrower(asked: str, text: str, narrower: bool) -> None:
    assert is_narrower(text, content_keys(asked)) is narrower


@pytest.mark.parametrize(
    ("asked", "text", "does"),
    [
        ("lens", "A lens bends light.", "bends light."),
        ("lens", "The lens (or glass) slowly bends light.", "slowly bends light."),
        ("lfg", "Lens from glass, LFG for short, bends light.", "bends light."),
        ("lfg", "LFG, short for lens from glass, bends light.", "bends light."),
        ("lens", "A lens is a glass.", None),
        ("lens", "A lens as good as this one bends light.", None),
        ("lens", "A lens shop sells light.", None),
        ("lens", "By day a lens bends light.", None),
        ("lens", "With a lens comes light.", None),
        ("lens", "", None),
    ],
)
def test_what_a_thing_does(asked: str, text: str, does: str | None) -> None:
    at = what_it_does(text, content_keys(asked), asked)
    assert (None if at is None else text[at:]) == does
