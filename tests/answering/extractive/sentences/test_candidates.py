"""Under which heading a sentence stands, and whether it is a whole one."""

from __future__ import annotations

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
