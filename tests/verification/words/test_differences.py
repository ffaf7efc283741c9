"""A word or two that the source has otherwise of the same thing is seen."""

from __future__ import annotations

import pytest

from core.verification.words.differences import difference


@pytest.mark.parametrize(
    ("words", "source", "found"),
    [
        ("A higher number comes first.", "A lower number comes first.", ("higher", "lower")),
        ("It was due to lower interest and higher debt.", "Higher interest, lower debt.",
         ("lower", "higher")),
        ("It is high in acid.", "It is low-acid.", ("high", "low")),
        ("Lower rates helped.", "Higher rates hurt, lower rates helped.", None),
        ("Lower prices helped.", "Higher rates hurt.", None),
        ("He scored 49 goals.", "He scored 19 goals in 49 games.", ("49 goals", "19 goals")),
        ("He scored 19 goals.", "He scored 19 goals in 49 games.", None),
        ("He scored 49 goals.", "Of 19 goals and 49 goals in 49 games he told.", None),
        ("There were 49 matches.", "He scored 19 goals in 49 games.", None),
        ("It made 7 million cars.", "It made 2 million cars and 7 million tyres.",
         ("7 million cars", "2 million cars")),
        ("It made 2 million cars.", "It made 2 million cars and 7 million tyres.", None),
        ("Like the original, it is red.", "Unlike the original, it is red.", ("like", "unlike")),
        ("It weighs 5 kg.", "It weighs 5 tons and costs 7 kg of gold.", None),
        ("It is emptied once a week.", "It is emptied on a daily basis.", ("a week", "daily")),
        ("It is emptied every day.", "It is emptied on a daily basis.", None),
        ("It is emptied every week.", "It is emptied daily, and washed every week.", None),
        ("It is emptied every week.", "It is emptied.", None),
        ("Before, weekly tasks were lost.", "After a weekly task it ends.", None),
        ("Before weekly tasks it ends.", "After a weekly task it ends.", ("before", "after")),
        ("In all, 36 people died.", "Of 97 people on board 36 passengers died.", None),
        ("There were more passengers than crew.", "36 passengers and 61 crew were on board.",
         ("more passengers than crew", "36 passengers, 61 crew")),
        ("There were fewer passengers than crew.", "36 passengers, 61 crew.", None),
        ("There were more passengers than crew.", "36 passengers, 61 crew; 9 passengers, 4 crew.",
         None),
        ("There were more passengers than seats.", "36 passengers and 61 crew.", None),
        ("Max Ober produced it.", "Produced by Ada Lund and Jo Ek, it was directed by Max Ober.",
         ("Max Ober", "Ada Lund and Jo Ek")),
        ("It was produced by Max Ober.", "It was produced by Ada Lund, and directed by Max Ober.",
         ("Max Ober", "Ada Lund")),
        ("Max Ober wrote it.", "It was written by Ada Lund and directed by Max Ober.",
         ("Max Ober", "Ada Lund")),
        ("Jo Ek produced it.", "Produced by Ada Lund and Jo Ek, directed by Max Ober.", None),
        ("Ada Lund and Max Ober made it.", "Produced by Ada Lund, it was directed by Max Ober.",
         None),
        ("Ober directed it.", "It was produced by Ada Lund and directed by Max Ober.", None),
    ],
)  # fmt: skip
def test_differences(words: str, source: str, found: tuple[str, str] | None) -> None:
    assert difference(words, [source], [source]) == found
