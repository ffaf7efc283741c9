"""One of a list is quoted by its number, and nothing where no list has it."""

from __future__ import annotations

import pytest

from core.answering.extractive.structures.numbered import numbered_quotes
from tests.support.hits import hit

QUEUE = "## 5. Waiting list\n\n1. Ola Brandt\n2. The Hill family\n3. Dev Patel\n\nPlot 9 is free."
RULES = "House rules\n\n1. No fires.\n2. Lock the gate.\n3. Water at night. Close the tap.\n"
BULLETS = "## Order of work\n\n- dig\n- sow\n- water\n"
TITLES = "2. Float (underwater)\n\nYou are weighed in water.\n\n3. X-ray scan\n\nYou lie still.\n"


def quoted(question: str, *texts: str, said: str = "") -> list[str]:
    called = {TITLES: "Ways to measure a diver"}
    hits = [
        hit(text, ordinal=at, headings=(), title=called.get(text, "A report"))
        for at, text in enumerate(texts)
    ]
    return [part.text for quote in numbered_quotes(question, hits, said) for part in quote.parts]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("who is number 2 on the waiting list", ["The Hill family"]),
        ("what is rule 3 of the house", ["Water at night. Close the tap."]),
        ("was steht in Nummer 1 der house rules", ["No fires."]),
        ("who is the last one on the waiting list", ["Dev Patel"]),
        ("what is the second step of the work", ["sow"]),
        ("number 3? (ways measure)", ["X-ray scan", "You lie still."]),
    ],
)
def test_the_item_with_the_number_is_quoted(question: str, said: list[str]) -> None:
    assert quoted(question, RULES, QUEUE, BULLETS, TITLES) == said


def test_the_second_one_is_that_of_the_list_that_was_quoted() -> None:
    for said, quote in (("The waiting list: Ola Brandt", "The Hill family"), ("- dig", "sow")):
        assert quoted("and the second one (work)", QUEUE, BULLETS, said=said) == [quote]
    assert quoted("what is the second step of the work", QUEUE, BULLETS, said="Ola") == ["sow"]


@pytest.mark.parametrize(
    "question",
    [
        "who is number 8 on the waiting list",
        "what is number 2 of the order of work",  # bullets have a place, and no number
        "number 2?",
        "number 2? (lamps)",
        "who is number 2 in the royal navy",
        "how many are on the waiting list",
    ],
)
def test_nothing_is_quoted_where_no_list_has_it(question: str) -> None:
    assert quoted(question, RULES, QUEUE, BULLETS, TITLES) == []
