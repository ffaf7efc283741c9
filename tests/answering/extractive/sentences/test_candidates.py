"""Under which heading a sentence stands, and whether it is a whole one."""

from __future__ import annotations

from dataclasses import replace

from core.answering.extractive.sentences.candidates import find_candidates, is_sentence
from tests.support.hits import hit

BOX = (
    "Related articles\n\n- Outline of lamps\n- List of oils\n\n- v\n- t\n\n"
    "A wick lamp is a lamp that draws its oil up a wick of cotton.[1] It burns.[2]\n\n"
    "References\n\nReed, Jo. Of Lamps and Oils. Linz 1840.\nHolm, I. (1841) Wicks.\n"
)


def test_a_box_beside_the_text_ends_before_a_paragraph() -> None:
    found = {one.sentence.text: one for one in find_candidates([hit(BOX, headings=("Wick lamp",))])}
    assert found["Outline of lamps"].under == "Related articles"
    for text in (
        "A wick lamp is a lamp that draws its oil up a wick of cotton.[1]",
        "It burns.[2]",
    ):
        assert found[text].under == "Wick lamp"
        assert is_sentence(found[text])
    assert {one.under for text, one in found.items() if "Reed" in text} == {"References"}


def test_a_passage_that_was_widened_back_over_headings_begins_below_the_highest() -> None:
    text = "Bins are many.\n\nbin.open(path)\n\nOpen the bin."
    page = hit(text, headings=("Bins", "bin.open(path)"))
    back = replace(page, chunk=replace(page.chunk, start=text.index("Open")))
    assert [one.under for one in find_candidates([back])][:1] == ["Bins"]
    assert find_candidates([back])[-1].entry == "bin.open(path)"
    assert find_candidates([page])[0].under == "bin.open(path)"


def test_the_title_of_another_page_is_no_question_that_is_answered() -> None:
    text = "Wicks\n\nWhat is a wick?\n\nA cord.\n\nRelated: What is a lamp?\n\nIt burns."
    found = {one.sentence.text: one.under for one in find_candidates([hit(text)])}
    assert found["A cord."] == found["It burns."] == "What is a wick?"


def test_the_rest_of_a_sentence_that_was_too_long_is_a_fragment() -> None:
    clause = "taxes on drinks that towns may raise to pay for the care of all who drink them; "
    text = f"We fear {clause * 9}and other taxes may reduce what we earn. So it is."
    found = find_candidates([hit(text)])
    assert [one.fragment for one in found] == [False, True, False]
    assert [one.fragment for one in find_candidates([hit("We sell:\n- tea\n- milk.")])] == [
        False
    ] * 3
