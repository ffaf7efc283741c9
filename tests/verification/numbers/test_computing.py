"""A number that follows from those of the source is no invention; one by chance is."""

from __future__ import annotations

import pytest

from core.text.terms import terms
from core.verification.comparison import compare, read_passage
from core.verification.numbers.computing import computed
from core.verification.numbers.tables import tables

ROW = "Operating income $ 1,900 $ 1,843"
GOALS = "Ann scored 23 goals and Ben 19."


def there(*texts: str) -> set[str]:
    return {term.key for text in texts for term in terms(text) if term.kind == "number"}


@pytest.mark.parametrize(
    ("words", "line", "before", "found"),
    [
        ("It rose by 57.", ROW, "", {"57"}),
        ("It rose by $57 million from $1,843 million.", ROW, "", {"57"}),
        ("It rose by 58 from 1,843.", ROW, "", set()),
        ("That is an increase of 3.1 %.", ROW, "", {"3.1"}),
        ("That is an increase of 3.4 %.", ROW, "", set()),
        ("Together they scored 42 goals.", "", "Ann scored 23 goals and Ben 19.", {"42"}),
        ("They scored 42 goals.", GOALS, "", set()),
        ("24 shows at $150 each make $3,600.", "24 shows, $150 a show", "", {"3600"}),
        ("41 million shares cost $431 million, about $10.50 per share.",
         "It bought 41 million shares for $431 million.", "", {"10.5"}),
        ("She played it for about 15 years.", "From 1988 until it ended in 2003.", "", {"15"}),
        ("She played it for about 16 years.", "From 1988 until it ended in 2003.", "", set()),
        ("He lived from 973 to 1050, so he was 77 years old.", "Al-Biruni (973-1050)", "", {"77"}),
        ("It grew to 5 from 1,843.", ROW, "", set()),
        ("The tower of 1471 was designed by Pugin.", "3 towers of 1474 by Pugin", "", set()),
        ("Slopes of 40 % are fine.", "25 or 70 mm, 35 % and 600 square metres", "", set()),
        ("Revenue of 200 has a margin of 25 %.", "Revenue 200, profit 50", "", {"25"}),
        ("The difference of 1,250 is 10% of the gross.", "12,500 gross, 11,250 net", "",
         {"1250", "10"}),
        ("The gap is 43.", "3 8 51 17 29 64 7 88", "", set()),
    ],
)  # fmt: skip
def test_what_follows(words: str, line: str, before: str, found: set[str]) -> None:
    assert computed(words, [line], there(line, before), before) == found


@pytest.mark.parametrize(
    ("words", "line", "found"),
    [
        ("It is 12.4 miles long.", "It is 20 km long.", {"12.4"}),
        ("It is 13 miles long.", "It is 20 km long.", set()),
        ("It runs for 2 hours and 22 minutes.", "It runs for 142 minutes.", {"2", "22"}),
        ("It runs for 2 hours and 32 minutes.", "It runs for 142 minutes.", {"2"}),
        ("In the 1955s it was new.", "It was new for 32.58 minutes in the 1950s.", set()),
    ],
)
def test_another_unit(words: str, line: str, found: set[str]) -> None:
    assert computed(words, [line], there(line)) == found


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("KA-50 is 110 stronger than KA-20.", {"110"}),
        ("KA-50 is 130 stronger than KA-20.", set()),
        ("KA-50 is 110 better.", set()),
        ("Altogether they make 1035.", {"1035"}),
        ("They make 1035.", set()),
    ],
)
def test_of_a_column_of_a_table(words: str, found: set[str]) -> None:
    table = "| Grade | Strength |\n|---|---|\n| KA-20 | 310 |\n| KA-50 | 420 |\n| KB-1 | 305 |"
    assert computed(words, [], there(table), "", tables(table)) == found


@pytest.mark.parametrize(("said", "holds"), [("57", True), ("75", False)])
def test_a_computed_number_is_not_missing(said: str, holds: bool) -> None:
    found = compare(f"Operating income rose by {said}.", [read_passage(1, ROW)])
    assert (found.figures_hold, not found.missing_numbers) == (holds, holds)


def test_a_page_of_figures_is_not_taken_two_by_two() -> None:
    """The pairs of hundreds of numbers would hold up the answer."""
    for count, found in ((10, {"1989995"}), (400, set())):
        line = " ".join(str(number) for number in range(10_000, 10_000 + count))
        assert computed("It fell by 1,989,995.", [f"{line} 2,000,000"], set()) == found
