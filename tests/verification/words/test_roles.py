"""Who did what to whom, and when: exchanged roles are seen, the same in other words is not one."""

from __future__ import annotations

import pytest

from core.text.sentences import split_sentences
from core.verification.words.differences import difference
from core.verification.words.roles import exchanged_roles, opposite_done, other_time


def lines(source: str) -> list[str]:
    return [piece.text for piece in split_sentences(source)]


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("Beta acquired Acme.", "Acme acquired Beta in 2019."),
        ("Acme was acquired by Beta.", "Acme acquired Beta in 2019."),
        ("Beta acquired Acme.", "Beta, acquired by Acme in 2019, makes pumps."),
        ("Beta acquired Acme.", "Acme's acquisition of Beta was completed in 2019."),
        ("Karl Huber taught Anna Meyer.", "Anna Meyer, who taught Karl Huber, died in 1950."),
        ("Lord Vol was killed by Harry.", "Lord Vol, who killed Harry's parents, fled."),
    ],
)
def test_exchanged_roles(words: str, source: str) -> None:
    assert exchanged_roles(words, lines(source)) is not None


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("Acme acquired Beta.", "Beta, which was acquired by Acme, makes pumps."),
        ("Beta was acquired by Acme.", "Acme's acquisition of Beta was completed."),
        ("Beta acquired Acme.", "Acme acquired Beta in 1990. Beta acquired Acme in 2019."),
        ("Ann married Karl.", "Karl married Ann."),
        ("Gandhi led Congress.", "Congress led India."),
    ],
)
def test_the_same_roles(words: str, source: str) -> None:
    assert exchanged_roles(words, lines(source)) is None


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        ("They rejected the offer.", "They accepted the offer.", ("rejected", "accepted")),
        ("The board declined Delta's offer.", "The board accepted the offer of Delta.",
         ("declined", "accepted")),
        ("The law allows smoking.", "The law forbids smoking.", ("allows", "forbids")),
        ("Kiel lost 3-1 to Bremen.", "Kiel beat Bremen 3-1.", ("lost", "beat")),
        ("Das Amt hat den Antrag bewilligt.", "Das Amt hat den Antrag abgelehnt.",
         ("bewilligt", "abgelehnt")),
    ],
)  # fmt: skip
def test_the_opposite_was_done(words: str, source: str, said: tuple[str, str]) -> None:
    assert opposite_done(words, lines(source), lines(source)) == said


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("Bremen lost 3-1 to Kiel.", "Kiel beat Bremen 3-1."),
        ("The guests bought the house.", "The hosts sold the house."),
        ("Reed bought the house from Hall.", "Hall sold the house to Reed."),
        ("The board rejected the offer.", "The board rejected the offer, Lund accepted the offer."),
        ("They did not reject the offer.", "They accepted the offer."),
        (
            "Es hat den Antrag bewilligt.",
            "Erst hat es den Antrag abgelehnt, dann den Antrag bewilligt.",
        ),
        ("Losses reduce your gains.", "Excess losses reduce income."),
    ],
)
def test_the_opposite_of_another_side(words: str, source: str) -> None:
    there = lines(source)
    assert opposite_done(words, there, there) is None
    assert difference(words, there, there) is None


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        ("It came into force in 1951.", "It was signed in 1951 and came into force in 1954.",
         ("force in 1951", "force in 1954")),
        ("It was signed in 1954.", "It was signed in 1951 and came into force in 1954.",
         ("signed in 1954", "signed in 1951")),
        ("It opens at 17.", "It opens at 9 and closes at 17.", ("opens at 17", "opens at 9")),
    ],
)  # fmt: skip
def test_at_another_time(words: str, source: str, said: tuple[str, str]) -> None:
    assert other_time(words, lines(source)) == said


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("It came into force in 1954.", "It was signed in 1951 and came into force in 1954."),
        ("It was signed in 1951.", "In 1951, the treaty was signed, and it held until 1960."),
        ("It was sold in 2012.", "It was sold in 2010 and again in 2012."),
        ("It was sold in 2012.", "It was sold in the US in 2010 and in 2012."),
        ("It was sold in 2012.", "It was sold in the US in 2010 and in the UK in 2012."),
    ],
)
def test_at_the_same_time(words: str, source: str) -> None:
    assert other_time(words, lines(source)) is None
