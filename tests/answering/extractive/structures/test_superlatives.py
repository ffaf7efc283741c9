"""The row with the most or the least of a column is computed, or nothing is said."""

from __future__ import annotations

import pytest

from core.answering.extractive.marking.writing import highlighted, written
from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.structures.superlatives import not_by_chance, superlative_quotes
from core.types import Hit
from tests.support.hits import hit

PRINTED = (
    "Table 3: lamps lit by the harbours\n\nHarbour Share (%) Total (n)\n"
    "Amber 12.5 1,204\nBasel 80.0 9\nLinz 7.5 998\nAll harbours 100.0 2,211\n\n"
    "Most of them burn oil."
)
BARS = "Lamps\n\n| Harbour | Lamps 2019 | Lamps 2020 |\n|---|---|---|\n" + "".join(
    f"| {row} |\n" for row in ("Amber | 12 | 30", "Basel | 40 | 20", "Linz | (5) | 25")
)


def best(question: str, *texts: str) -> list[str]:
    hits = [hit(text, ordinal=at) for at, text in enumerate(texts)]
    return [quote.parts[-1].text for quote in superlative_quotes(question, hits)]


def marked(question: str, piece: Hit) -> str:
    (quote,) = superlative_quotes(question, [piece])
    text, spans = written(quote)
    ((start, end),) = highlighted(question, quote, text, spans)
    return text[start:end]


def test_the_row_with_the_most_and_with_the_least_of_the_one_column_that_counts() -> None:
    piece = hit(PRINTED)
    assert marked("which harbour lit the most lamps", piece) == "Amber"
    assert marked("which harbour lit the fewest lamps", piece) == "Basel"
    assert best("which harbour has the highest share of lamps", PRINTED) == ["9"]


def test_the_column_that_is_named_is_compared() -> None:
    assert best("which harbour had the most lamps in 2019", BARS) == ["| Basel | 40 | 20 |"]
    assert best("which harbour had the most lamps in 2020", BARS) == ["| Amber | 12 | 30 |"]
    assert best("which harbour had the fewest lamps in 2019", BARS) == ["| Linz | (5) | 25 |"]
    assert marked("which harbour had the most lamps in 2019", hit(BARS)) == "Basel"


def test_titles_over_some_rows_are_no_rows_of_figures() -> None:
    groups = BARS.replace("| Amber", "| In the north | | |\n| Amber").replace(
        "| Linz", "| In the south | | |\n| Linz"
    )
    assert best("which harbour had the most lamps in 2019", groups) == ["| Basel | 40 | 20 |"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("which harbour had the most lamps", BARS),
        ("which harbour had the most sheep in 2019", BARS),
        ("which harbour had the most lamps in 2018", BARS),
        ("how many lamps had Basel in 2019", BARS),
        ("which harbour had the most lamps in 2019", BARS.replace("12 |", "40 |")),
        ("which harbour had the most lamps in 2019", BARS.replace("12 |", "few |")),
        ("which harbour lit the most lamps", PRINTED.replace("(%)", "(n)")),
        ("which harbour lit the most lamps", PRINTED.replace("9\n", "1.205\n").replace(",", ".")),
        ("which harbour lit the most lamps", PRINTED.replace("Linz 7.5 998\nAll", "All")),
    ],
)
def test_nothing_is_said_where_it_is_not_clear(question: str, text: str) -> None:
    assert best(question, text) == []


def test_what_is_said_above_a_table_may_be_asked_for_and_only_totals_are_left_out() -> None:
    text = (
        "Table 4: bad moods of keepers\n\nHow often is it so?\n\nNever Rarely Often\n"
        "Left out 27.9% 52.2% 19.9%\nTired of all the oil 6.2% 27.7% 66.1%\n"
        "Tense 3.1% 31.4% 65.5%\nEvery mood total 7.1% 2.4% 99.5%\n"
    )
    assert best("which bad mood do keepers have most often", text) == ["66.1%"]
    assert best("which good mood do keepers have most often", text) == []


def test_of_two_tables_with_the_same_columns_none_is_the_whole() -> None:
    question = "which harbour lit the most lamps"
    other = "x" * 400 + "\n\n" + PRINTED.replace("Amber", "Graz")
    page = hit(PRINTED)
    assert len(superlative_quotes(question, [page, page])) == 1
    assert best(question, PRINTED, other) == []


def test_no_row_stands_for_the_most_by_chance() -> None:
    page = hit(PRINTED + "\n\nMost lamps lit in a night 40 50\n")
    found = [one for one in find_candidates([page]) if "Lin" in one.sentence.text]
    most = [one for one in find_candidates([page]) if "Most lamps" in one.sentence.text]
    said = [one for one in find_candidates([page]) if "oil" in one.sentence.text]
    assert not_by_chance("which harbour has the most", [*found, *most, *said]) == [*most, *said]
    assert not_by_chance("how many lamps has Linz", found) == found


TESTED = (
    "Scheren im Test\n\n| Modell | Preis | Note |\n|---|---|---|\n"
    "| Amber | 19 € | 1,5 |\n| Basel | 9 € | 2,5 |\n| Linz | 29 € | 3,5 |\n"
)


def test_the_best_of_a_test_has_the_lowest_mark_or_the_highest_rating() -> None:
    assert best("welche schere ist die beste", TESTED) == ["| Amber | 19 € | 1,5 |"]
    assert best("welche schere ist die schlechteste", TESTED) == ["| Linz | 29 € | 3,5 |"]
    points = TESTED.replace("Note", "Punkte")
    assert best("welche schere ist die beste", points) == ["| Linz | 29 € | 3,5 |"]
