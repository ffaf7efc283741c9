"""Lists that stand below a heading which names what is asked for are quoted whole."""

from __future__ import annotations

import pytest

from core.answering.extractive.lists import MOST_ITEMS
from core.answering.extractive.sections import section_quotes
from core.types import Hit
from tests.support.hits import hit

RECIPE = (
    "### Ingredients\n\n#### Oil Mix\n\n- 120 ml olive oil\n- black pepper\n\n"
    "#### Bread Mix\n\n- 300 g flour\n- 2 tsp yeast\n- salt\n\n"
    "### Instructions\n\n- Stir the yeast into the water.\n- Knead it. Let it rise.\n- Bake it.\n\n"
    "### Nutrition\n\n- 216 calories\n"
)


def recipe(text: str = RECIPE, title: str = "Olive focaccia bread") -> Hit:
    return hit(text, headings=(title,), title=title, start=11)


def told(question: str, *hits: Hit) -> list[list[str]]:
    return [[part.text for part in quote.parts] for quote in section_quotes(question, hits)]


def test_what_is_listed_below_the_heading_that_is_asked_for() -> None:
    assert told("what ingredients do i need for the focaccia?", recipe()) == [
        ["Oil Mix", "120 ml olive oil", "black pepper"],
        ["Bread Mix", "300 g flour", "2 tsp yeast", "salt"],
    ]


def test_of_several_lists_the_one_that_is_named() -> None:
    [only] = told("which ingredients for the bread mix", recipe())
    assert only[0] == "Bread Mix"


def test_the_document_that_is_named() -> None:
    other = hit(
        "### Ingredients\n\n- 200 g okra\n- salt\n", headings=("Okra",), title="Okra stir fry",
        document="d2",
    )  # fmt: skip
    [only] = told("what ingredients do i need for okra", recipe(), other)
    assert only == ["Ingredients", "200 g okra", "salt"]
    assert told("what ingredients are in pancakes", recipe(), other) == []
    assert told("what ingredients do blue pancakes with okra have", recipe(), other) == []


def test_steps_below_instructions_of_what_is_named() -> None:
    [quote] = section_quotes("how do i make the focaccia", [recipe()])
    assert quote.steps
    assert quote.leads == 1
    assert [part.text for part in quote.parts] == [
        "Instructions", "Stir the yeast into the water.", "Knead it. Let it rise.", "Bake it.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "how do i store the focaccia",  # the instructions are not about that
        "how do i make pancakes",
        "how do i make it",  # of what?
        "what is in the bread",
        "who wrote the instructions",
    ],
)
def test_what_no_heading_answers(question: str) -> None:
    assert told(question, recipe()) == []


def test_the_numbers_below_bullets_are_another_list() -> None:
    text = "### Ingredients\n\n- flour\n- salt\n\n1. Stir it.\n2. Bake it.\n"
    lists = told("what ingredients do i need", recipe(text))
    assert lists == [["Ingredients", "flour", "salt"]]


def test_what_is_left_out_of_a_long_list_is_counted() -> None:
    text = "## Ingredients\n\n" + "".join(f"- spice {n}\n" for n in range(MOST_ITEMS + 2))
    [quote] = section_quotes("list the ingredients", [recipe(text)])
    assert quote.more == 2
    assert len(quote.parts) == MOST_ITEMS + 1


def test_a_long_section_is_quoted_of_all_its_passages() -> None:
    first = "## Zubereitung\n\neinfach\n\n- 1.\n- Den Zucker glatt rühren.\n- Die Butter mischen.\n"
    last = "- Die Butter mischen.\n- Den Kuchen backen.\n"
    title = "Schneewittchen-Kuchen"
    begun = hit(first, headings=(title,), title=title)
    at = first.index("- Die Butter")
    goes_on = hit(last, headings=(title, "Zubereitung"), title=title, start=at)
    assert told("wie backe ich den schneewittchen-kuchen", goes_on, begun) == [
        ["Den Zucker glatt rühren.", "Die Butter mischen."], ["Den Kuchen backen."],
    ]  # fmt: skip


def test_headings_of_a_web_page_have_no_hashes() -> None:
    text = "Steps\n\nHide Images\n\n- 1Heat the oven.\n- 2Bake the cake.\n"
    page = hit(text, headings=("Pineapple cake", "Steps"), title="Pineapple cake")
    [steps] = told("how do i make the pineapple cake", page)
    assert steps[-2:] == ["1Heat the oven.", "2Bake the cake."]


def test_what_a_thing_is_asks_for_no_list_below_its_name() -> None:
    talos = hit("## Talos\n\nTalos is a framework.\n\n- tp\n- svg\n", title="Tests")
    assert told("what is talos", talos) == []


def test_the_document_in_which_to_look_is_no_part_of_the_heading() -> None:
    text = "## Actions\n\n- Paul: letter to the town\n- Ann: list of stalls\n\nMore is told."
    [only] = told("list the actions from the minutes", hit(text, title="minutes"))
    assert only == ["Actions", "Paul: letter to the town", "Ann: list of stalls"]


def test_the_heading_of_several_words_that_is_named_whole() -> None:
    text = "## Talos\n\n- tp: pages\n- s: drawings\n\n## Mobile only\n\n- dh: heap\n- w: wear\n"
    assert told("list the mobile only talos tests", hit(text, title="Talos tests")) == [
        ["Mobile only", "dh: heap", "w: wear"]
    ]
