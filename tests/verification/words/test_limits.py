"""A statement that goes further than its source is seen, and one that does not is left alone."""

from __future__ import annotations

import pytest

from core.text.sentences import split_sentences
from core.verification.words.limits import overstated


def found(words: str, source: str) -> tuple[str, str] | None:
    lines = [piece.text for piece in split_sentences(source)]
    return overstated(words, lines, lines)


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        ("All members left.", "Some of the members left.", ("All members", "Some of the members")),
        ("All parks shut.", "Two of the five parks shut.", ("All parks", "Two of the five parks")),
        ("It has all cases.", "It has two-thirds of cases.", ("all cases", "thirds of cases")),
        ("All countries began.", "50 countries began.", ("All countries", "50 countries")),
        ("Most members left.", "Few members left.", ("Most members", "Few members")),
        ("Alle Züge halten.", "Einige Züge halten.", ("Alle Züge", "Einige Züge")),
        ("The pump often fails.", "The pump rarely fails.", ("often", "rarely")),
        ("Die Pumpe versagt oft.", "Die Pumpe versagt selten.", ("oft", "selten")),
        ("They pay at least 20 euros.", "They pay up to 20 euros.", ("at least 20", "up to 20")),
        ("Exactly 30 were hurt.", "At least 30 were hurt.", ("Exactly 30", "At least 30")),
        ("At most 30 were hurt.", "More than 30 were hurt.", ("At most 30", "More than 30")),
        ("It is the longest show in London.", "It is the third longest show in London.",
         ("longest show in London", "third longest show in London")),
        ("Kor is the 3rd highest peak.", "Kor is the twelfth highest peak.",
         ("3rd highest peak", "twelfth highest peak")),
        ("It was her second novel.", "It was her debut novel.", ("second novel", "debut novel")),
        ("Members vote only by post.", "Members vote by post.", ("only", "")),
        ("Members always vote by post.", "Members vote by post.", ("always", "")),
        ("Members always vote.", "Members vote. Every guest votes.", ("always", "")),
    ],
)  # fmt: skip
def test_what_goes_too_far(words: str, source: str, said: tuple[str, str]) -> None:
    assert found(words, source) == said


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("All members left.", "All of the members left, some of the guests too."),
        ("Every member left.", "Some members came. All members left."),
        ("All members left.", "In 2019 members left."),
        ("In all, 36 people died.", "Of 97 people on board 36 passengers died."),
        ("Most members left.", "Many members left."),
        ("Some members left.", "All members left."),
        ("It usually fails.", "It often fails."),
        ("It never fails.", "It rarely fails. It never fails."),
        ("They pay at least 20 euros.", "They pay no less than 20 euros."),
        ("They pay at most 20 euros.", "They pay at least 10 and up to 20 euros."),
        ("They pay 20 euros.", "They pay up to 20 euros."),
        ("Kor is the 3rd highest peak.", "Kor is the third-highest peak."),
        ("Kor is the twelfth highest peak.", "Kor is the 12th highest peak."),
        ("Kor is the highest peak.", "Lom is the second highest peak, and Kor is the highest."),
        ("It is the longest show in Paris.", "It is the longest show, third longest in London."),
        ("It was her second novel.", "Her first novel failed. Her second novel sold well."),
        ("Only members may vote.", "Nobody may vote unless he is a member."),
        ("Only 12 members voted.", "12 members voted."),
        ("They only give the wages.", "Wages: 31,275."),
        ("Members vote only by post.", "Members vote by post. Guests may not vote."),
        ("Not only members may vote.", "Guests may vote too."),
        ("Always wash it.", "Wash it."),
        ("They always pay.", "Each of them pays."),
    ],
)  # fmt: skip
def test_what_does_not(words: str, source: str) -> None:
    assert found(words, source) is None
