"""Lists that stand below a heading which names what is asked for are quoted whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.extractive.structures.lists import MOST_ITEMS
from core.answering.extractive.structures.sections.quotes import asks_for_section, section_quotes
from core.answering.extractive.structures.sections.widening import section_around
from core.answering.extractive.structures.tables import MOST_ROWS
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


GUIDE = (
    "## How to trim a lamp: by hand\n\n### Tools first\n\n### 1. Gather wicks\n\nAny will do.\n\n"
    "### 2. Cut them (optional)\n\n#### A note\n\nMind your hand.\n\n### Step 3: Light the lamp\n\n"
    "It burns.\n\n## How to trim a lamp: by machine\n\n### 1. Start it\n\n### 2. Wait\n\nLong.\n\n"
    "## Questions\n\n### 1. Does it smoke?\n\n### 2. Does it smell?\n\nNo.\n"
)


def guide(text: str = GUIDE, title: str = "Lamps") -> Hit:
    return hit(text, headings=(title,), title=title, start=5)


def test_steps_that_are_headings_are_the_items_of_a_list() -> None:
    quotes = section_quotes("how do i trim a lamp", [guide()])
    assert [[part.text for part in quote.parts] for quote in quotes] == [
        ["Tools first", "Gather wicks", "Cut them (optional)", "Light the lamp"],
        ["How to trim a lamp: by machine", "Start it", "Wait"],
    ]
    assert all(quote.steps for quote in quotes)
    for quote in quotes:
        for part in quote.parts:
            assert GUIDE[part.start - 5 : part.end - 5] == part.text
    assert told("what are the steps", guide()) == told("how do i trim a lamp", guide())


def test_a_heading_above_two_runs_of_steps_is_said_once() -> None:
    twice = "## How to trim a lamp\n\n### 1. Cut\n\n### 2. Light\n\n### 1. Clean\n\n### 2. Fill\n"
    assert told("how do i trim a lamp", guide(twice)) == [
        ["How to trim a lamp", "Cut", "Light"], ["Clean", "Fill"],
    ]  # fmt: skip


def test_a_line_without_hashes_is_not_what_headings_stand_below() -> None:
    page = guide(
        "## How to trim a lamp\n\nDay 14\n\n### 1. Cut it\n\nNow.\n\n### 2. Light it\n\nA.\n"
    )
    assert told("how do i trim a lamp", page) == [["How to trim a lamp", "Cut it", "Light it"]]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how do i trim a candle", GUIDE),
        ("how do i trim a lamp", GUIDE.replace("How to trim", "On trimming")),
        ("how do i trim a lamp", "## How to trim a lamp\n\n### 1. Cut\n\nIt.\n\n### 3. Light\n"),
        ("how do i trim a lamp", "## How to trim a lamp\n\n### 1. Cut\n\n## Two\n\n### 2. Light\n"),
        ("how do i trim a lamp", "## How to trim a lamp\n\n### 1. Why?\n\n### 2. Where?\n\nA.\n"),
    ],
)
def test_headings_that_tell_no_steps_of_it(question: str, text: str) -> None:
    assert told(question, guide(text)) == []


def test_headings_that_count_below_one_that_names_them() -> None:
    page = guide(
        "## Ways to save oil\n\n### 1. Trim the wick\n\nOften.\n\n### 2. Dim it\n\nMore.\n"
    )
    assert told("what ways to save oil are there", page) == [
        ["Ways to save oil", "Trim the wick", "Dim it"]
    ]
    assert told("what ways to save gas are there", page) == []
    german = guide("## Fünf Trends 2023\n\n### 1. Weniger Öl\n\nJa.\n\n### 2. Licht\n\nGut.\n")
    assert told("welche trends gibt es 2023", german) == [
        ["Fünf Trends 2023", "Weniger Öl", "Licht"]
    ]
    assert told("what tips are there", page) == []


FLAGS = (
    "The lamp module defines the following lamp flags for its users.\n\nFLAG_DIM\n"
    "It burns low.\n\nFLAG_BRIGHT\nIt burns high. Mind the oil.\n\n"
    "The module has the following constants too.\n\nOIL_MAX\nIt is full.\n"
)


def test_what_a_sentence_leads_in_and_headings_name() -> None:
    assert told("what flags are there", guide(FLAGS)) == [
        [
            "The lamp module defines the following lamp flags for its users.",
            "FLAG_DIM\nIt burns low.",
            "FLAG_BRIGHT\nIt burns high.",
        ]
    ]
    assert told("which constants are there", guide(FLAGS)) == []
    assert told("what does it mean", guide(FLAGS)) == []
    assert told("which oils are there", guide(FLAGS)) == []


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        (GUIDE, "Any will do.", "### Tools first ... Light the lamp"),
        (GUIDE, "Start it", "## How to trim a lamp: by machine ... Wait"),
        (GUIDE, "Long.", "Long. ... Long."),
        (FLAGS, "The lamp module", "The lamp module ... It burns high."),
        (FLAGS, "It is full.", "It is full. ... It is full."),
    ],
)
def test_a_passage_is_widened_to_what_it_has_a_part_of(text: str, part: str, whole: str) -> None:
    at = text.index(part)
    start, end = section_around(text, at, at + len(part))
    first, last = whole.split(" ... ")
    assert text[start:end].startswith(first.removeprefix("### ").removeprefix("## "))
    assert text[start:end].endswith(last)


PLAIN = (
    "Ways to save oil\n\n1. Trim the wick of the lamp\n\nIt is best done often, with a knife.\n\n"
    "2. Dim it - but only in the evening\n\nNobody sees it, and it saves a lot of oil too.\n"
)


def test_titles_that_count_in_plain_text_are_items_too() -> None:
    page = hit(PLAIN, headings=("Ways to save oil",), title="Oil")
    assert told("what ways to save oil are there", page) == [
        ["Ways to save oil", "Trim the wick of the lamp", "Dim it - but only in the evening"]
    ]
    for text in (PLAIN.replace("2. Dim", "3. Dim"), PLAIN.replace("lamp\n", "lamp.\n")):
        assert told("what ways to save oil are there", hit(text, title="Oil")) == []


def test_lines_of_a_list_are_no_titles_some_of_which_might_be_left_out() -> None:
    text = "Ways to save oil\n\n1. Trim the wick\n2. Dim it\n3. Sell it and buy a smaller lamp.\n"
    assert told("what ways to save oil are there", hit(text, title="Oil")) == []


def test_titles_that_count_in_a_document_that_names_what_they_are() -> None:
    page = hit(PLAIN.replace("Ways to save oil", "Photo: A"), title="Two ways to save oil")
    assert told("which ways to save oil are there", page) == [
        ["Trim the wick of the lamp", "Dim it - but only in the evening"]
    ]
    start, end = section_around(PLAIN, 0, 5)
    last = PLAIN[start:end]
    assert last.endswith("Dim it - but only in the evening")
    assert told("which ways to save oil are there", hit(last, title="Ways to save oil")) == [
        ["Ways to save oil", "Trim the wick of the lamp", "Dim it - but only in the evening"]
    ]


METHODS = "Of the lamps.\n\nMethod | Oil\nDIM | little\nBRIGHT | much\n\nThere is more.\n"


def test_a_table_whose_first_column_is_asked_for_is_quoted_whole() -> None:
    page = hit(METHODS, headings=("Lamps",), title="Lamps")
    assert told("what lamp methods are there", page) == [
        ["Method | Oil", "DIM | little", "BRIGHT | much"]
    ]
    assert told("what boat methods are there", page) == []
    assert told("what oils are there", page) == []
    rows = "".join(f"LAMP{at} | {at}\n" for at in range(MOST_ROWS + 3))
    (quote,) = section_quotes("what methods are there", [hit(f"Method | Oil\n{rows}")])
    assert (quote.form, len(quote.parts), quote.more) == ("table", 1 + MOST_ROWS, 3)


ACTIONS = (
    "## Actions\n\n| No. | What | Who |\n|---|---|---|\n"
    "| 1 | Light it | Jo |\n| 2 | Dim it | Al |\n"
)


def test_a_table_below_the_heading_that_is_asked_for_is_quoted_whole() -> None:
    page = hit(ACTIONS, headings=("Actions",), title="Minutes")
    rows = ["| No. | What | Who |", "| 1 | Light it | Jo |", "| 2 | Dim it | Al |"]
    assert told("what are the action items", page) == [rows]
    assert told("list the actions", page) == [rows]
    assert told("list the lamps", page) == []
    present = hit("| Present | For |\n|---|---|\n| Jo | Pier |\n| Al | Boats |\n", title="Minutes")
    assert told("who was present", present) == [
        ["| Present | For |", "| Jo | Pier |", "| Al | Boats |"]
    ]


def test_a_passage_is_widened_to_its_table() -> None:
    at = METHODS.index("DIM")
    start, end = section_around(METHODS, at, at + 5)
    assert METHODS[start:end] == "Method | Oil\nDIM | little\nBRIGHT | much"


def test_what_is_in_something_is_the_list_below_that_heading() -> None:
    page = hit("## What is in the box\n\n- a lamp\n- oil\n\n## 2. Guests\n\n1. Jo\n2. Ann\n")
    assert told("what is in the box", page) == [["What is in the box", "a lamp", "oil"]]
    assert told("who is on the guests", page) == [["2. Guests", "Jo", "Ann"]]
    assert told("what is a box", page) == []
    assert told("what is in the red box", page) == []


SHEARS = (
    "# Scheren im Test\n\n## Darauf sollten Sie beim Kauf achten\n\n- Der Griff ist aus Gummi.\n"
    "- Die Feder ist aus Stahl.\n\n## Checkliste Werkzeug\n\n- Hammer\n- Zange\n\n"
    "## Was uns auffiel\n\n- Eine Feder brach.\n- Eine Klinge rostete.\n"
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        (
            "worauf soll ich beim kauf achten",
            ["Der Griff ist aus Gummi.", "Die Feder ist aus Stahl."],
        ),
        (
            "was muss ich beim kauf beachten",
            ["Der Griff ist aus Gummi.", "Die Feder ist aus Stahl."],
        ),
        ("welches werkzeug brauche ich", ["Hammer", "Zange"]),
        ("was brauche ich an werkzeug für scheren", ["Hammer", "Zange"]),
    ],
)
def test_german_lists_below_the_heading_that_is_asked_for(question: str, items: list[str]) -> None:
    (quote,) = section_quotes(question, [hit(SHEARS, headings=(), title="Scheren")])
    assert [part.text for part in quote.parts[quote.leads :]] == items


@pytest.mark.parametrize(
    "question",
    ["worauf soll ich beim schärfen achten", "was soll ich beachten", "welche farbe gibt es"],
)
def test_german_lists_of_something_else(question: str) -> None:
    assert section_quotes(question, [hit(SHEARS, headings=(), title="Scheren")]) == []


def test_steps_below_a_heading_that_says_so_of_what_the_document_is_called_after() -> None:
    wine = "Wein dekantieren: Anleitung und Tipps\n\n- Flasche öffnen.\n- Wein gießen.\n"
    piece = hit(wine, headings=("Wein dekantieren: Anleitung und Tipps",), title="Wein dekantieren")
    (quote,) = section_quotes("wie dekantiere ich richtig", [piece])
    assert [part.text for part in quote.parts[1:]] == ["Flasche öffnen.", "Wein gießen."]
    other = hit(wine.replace("Wein d", "Obst d"), headings=("Obst dekantieren: Anleitung",))
    assert section_quotes("wie dekantiere ich richtig", [other]) == []


def test_a_heading_of_unknown_depth_between_those_that_count_ends_nothing() -> None:
    text = PLAIN.replace(
        "2. Dim", "Summary\n\nTrim it and see that it burns as it should.\n\n2. Dim"
    )
    page = hit(text, headings=("Ways to save oil",), title="Oil")
    assert told("ways to save oil, list all", page) == [
        ["Ways to save oil", "Trim the wick of the lamp", "Dim it - but only in the evening"]
    ]


CONSTANTS = (
    "The bin module defines the following constants:\n\nbin.LID_OPEN\nThe lid is open.\n\n"
    "bin.LID_SHUT\nThe lid is shut.\n\nMore on bins\nThere are many sorts of bins.\n"
)


def test_which_of_their_kind_names_are_may_stand_in_the_names() -> None:
    page = hit(CONSTANTS, title="bin")
    lead = "The bin module defines the following constants:"
    both = [lead, "bin.LID_OPEN\nThe lid is open.", "bin.LID_SHUT\nThe lid is shut."]
    assert told("which lid constants are there", page) == [both]
    assert told("which constants are there", page) == [both]
    assert told("which label constants are there", page) == []
    at = CONSTANTS.index("bin.LID_SHUT")
    start, end = section_around(CONSTANTS, at, at + 5)
    assert CONSTANTS[start:end].startswith("The bin module")
    assert CONSTANTS[start:end].endswith("The lid is shut.")


PROS = (
    "### Oak lamp\n\n#### What We Like\n\n- Bright\n- Small\n\n"
    "#### What We Don't Like\n\n- Dear\n- Hot\n\n"
    "### Oak lamp Pro\n\n#### Pros\n\n- Brighter\n- Smaller\n\n#### Cons\n\n- Dearer\n- Hotter\n"
)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("what are the drawbacks of the oak lamp pro", ["Cons", "Dearer", "Hotter"]),
        ("benefits of the oak lamp pro", ["Pros", "Brighter", "Smaller"]),
        ("cons of the oak lamp", ["What We Don't Like", "Dear", "Hot"]),
    ],
)
def test_what_speaks_for_it_and_against_it_has_many_names(question: str, items: list[str]) -> None:
    page = hit(PROS, headings=("Lamps",), title="Lamps")
    assert told(question, page) == [items]


def test_what_speaks_for_it_and_against_it_are_both_told() -> None:
    page = hit(PROS, headings=("Lamps",), title="Lamps")
    both = [["Pros", "Brighter", "Smaller"], ["Cons", "Dearer", "Hotter"]]
    assert told("pros and cons of the oak lamp pro", page) == both
    assert told("what are the advantages and disadvantages of the oak lamp pro", page) == both


def test_what_is_needed_stands_below_a_heading_of_it_or_below_ingredients() -> None:
    [mix] = told(
        "what do i need for the oil mix?", recipe(RECIPE.replace("Oil Mix", "Warm Oil Mix"))
    )
    assert mix == ["Warm Oil Mix", "120 ml olive oil", "black pepper"]
    assert len(told("what do i need for the focaccia", recipe())) == 2
    assert told("what do i need for the okra", recipe()) == []


def test_a_passage_that_was_widened_back_stands_below_the_first_of_its_headings() -> None:
    page = hit("- Red\n- Blue\n\n### Cons\n\n- Dear\n- Hot\n", headings=("Lamps", "Cons"))
    back = replace(page, chunk=replace(page.chunk, start=20))
    assert told("what are the cons of the lamps", back) == [["Cons", "Dear", "Hot"]]


def test_what_something_does_asks_for_no_section() -> None:
    assert not asks_for_section("what does Path.stat return")
    assert not asks_for_section("which lamp does it burn in")
    assert asks_for_section("which lamps does it burn in")
