"""The answer that is computed from a table says of how many rows, and cites each that it quotes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answering.routes.table_rows import of_last, read_tables
from core.answering.routes.tables import MOST_ADDED, MOST_ROWS, table_answer
from core.parsing.csv import load_csv
from core.planning.table_questions import table_question
from core.types import Answer, Chunk, Document, DocumentKind, DocumentState
from tests.answering.routes.test_table_rows import GOODS

FLEET = "name,day_rate,built,berths\nAmsel,185,1998,6\nBora,410,2016,8\nFalke,165,2018,6\n"


def asked(question: str, *texts: str) -> Answer | None:
    tables, pages = [], {}
    for at, text in enumerate(texts or (GOODS,)):
        document = Document(
            f"d{at}", "s", f"goods{at}.csv", f"goods{at}.csv", DocumentKind.CSV, DocumentState.READY
        )
        pages[document.id] = load_csv(text.encode()).pages
        tables += read_tables(document, pages[document.id])

    def chunks(document: Document, page: int) -> Sequence[Chunk]:
        text = pages[document.id][page].text
        return [Chunk(f"{document.id}:{page}", document.id, 0, page, None, 0, len(text), text)]

    wanted = table_question(question)
    assert wanted is not None
    return table_answer(question, wanted, tables, chunks, alone=True)


def said(question: str, *texts: str) -> Answer:
    found = asked(question, *texts)
    assert found is not None
    return found


def marked(answer: Answer) -> list[str]:
    return [answer.text[start:end] for start, end in answer.highlights]


@pytest.mark.parametrize(
    ("question", "opening", "rows", "words"),
    [
        ("the cheapest lamp",
         "The lowest “price_eur” of 2 rows of **goods0.csv** with “lamp”:", 1, ["39.90"]),
        ("the most expensive",
         "The highest “price_eur” of 4 rows of **goods0.csv** (1 without a number):", 1,
         ["249.00"]),
        ("total stock", "The sum of “stock” over 4 rows of **goods0.csv** is 137:", 4, ["137"]),
        ("average stock of lighting",
         "The mean of “stock” over 2 rows of **goods0.csv** with “lighting” is 67:", 2, ["67"]),
        ("how many lamps", "2 of 4 rows of **goods0.csv** with “lamp”:", 2, ["2"]),
        ("how many rows", "4 rows in **goods0.csv**:", 4, ["4"]),
        ("what is out of stock", "1 of 4 rows of **goods0.csv** with “stock” of 0:", 1, ["0"]),
        ("which lamps cost less than 50 euros",
         "1 of 4 rows of **goods0.csv** with “lamp” and “price_eur” under 50:", 1, ["39.90"]),
        ("which cost less than 5 euros",
         "0 of 4 rows of **goods0.csv** with “price_eur” under 5.", 0, []),
        ("how many categories",
         "2 different values of “category” in 4 rows of **goods0.csv**:", 2, ["2"]),
    ],
)  # fmt: skip
def test_what_is_said(question: str, opening: str, rows: int, words: list[str]) -> None:
    answer = said(question)
    assert answer.text.split("\n")[0] == opening
    assert len(answer.citations) == len(answer.claims) == answer.text.count("\n- ") == rows
    assert marked(answer) == words
    assert answer.route == "table"


def on(question: str, last: Answer, text: str = FLEET) -> Answer | None:
    """The answer to a question that follows on what the last one quoted."""
    document = Document(
        "d0", "s", "goods0.csv", "goods0.csv", DocumentKind.CSV, DocumentState.READY
    )
    page = load_csv(text.encode()).pages[0]
    (table,) = read_tables(document, [page])
    assert table is not None
    found = of_last(question, [table], last)
    if found is None:
        return None
    chunk = Chunk("d0:0", "d0", 0, 0, None, 0, len(page.text), page.text)
    wanted, rows, told = found
    return table_answer(question, wanted, [rows], lambda *_: [chunk], alone=True, told=told)


def test_a_question_that_follows_on_asks_of_the_rows_that_were_quoted() -> None:
    dearest = said("the most expensive", FLEET)
    for question, words in (
        ("when was it built?", ["2016"]),
        ("how many berths does it have", ["8"]),
        ("and the oldest?", ["1998"]),
    ):
        answer = on(question, dearest)
        assert answer is not None
        assert marked(answer) == words
    assert on("who sells it?", dearest) is None
    assert on("where does Jo Reed live?", dearest) is None


def test_the_longest_may_be_told_in_minutes() -> None:
    answer = said("the longest class", "class,minutes\nYoga,75\nHIIT,30\n")
    assert marked(answer) == ["75"]


def test_of_several_rows_that_were_quoted_each_tells() -> None:
    old = said("which were built before 2018", FLEET)
    assert old.text.startswith("2 of 3 rows of **goods0.csv** with “built” before 2018:")
    berths, cheapest = on("how many berths do they have", old), on("which of them is cheapest", old)
    assert berths is not None
    assert cheapest is not None
    assert (marked(berths), marked(cheapest)) == (["6", "8"], ["185"])


def test_rows_that_are_equal_are_all_quoted() -> None:
    answer = said("the cheapest", "name,price\nA,3\nB,3\nC,4\n")
    assert [citation.quote for citation in answer.citations] == [
        "name: A | price: 3", "name: B | price: 3",
    ]  # fmt: skip
    assert marked(answer) == ["3", "3"]


def test_each_value_of_a_column_is_quoted_from_its_first_row() -> None:
    answer = said("which categories are there")
    assert [citation.quote for citation in answer.citations] == ["lighting", "furniture"]
    text = load_csv(GOODS.encode()).pages[0].text
    assert [citation.start for citation in answer.citations] == [
        text.index("lighting"), text.index("furniture"),
    ]  # fmt: skip


def test_values_come_with_how_many_rows_have_them_the_most_frequent_first() -> None:
    answer = said("which colours are there", "name,colour\nA,red\nB,blue\nC,blue\n")
    assert answer.text.endswith("- blue [1] (2 rows)\n- red [2] (1 row)")


def test_of_many_rows_that_are_added_up_few_are_quoted() -> None:
    text = "name,price\n" + "".join(f"N{at},1\n" for at in range(MOST_ROWS + 1))
    answer = said("total price", text)
    assert len(answer.citations) == MOST_ADDED
    assert answer.text.endswith(f"and {MOST_ROWS + 1 - MOST_ADDED} more rows.")


def test_of_many_rows_the_first_are_quoted_and_the_others_counted() -> None:
    text = "name,price\n" + "".join(f"N{at},{at}\n" for at in range(MOST_ROWS + 3))
    answer = said("which cost at least 0 euros", text)
    assert len(answer.citations) == MOST_ROWS
    assert answer.text.endswith("and 3 more rows.")


def test_two_tables_that_fit_are_left_to_the_search() -> None:
    assert asked("the cheapest lamp", GOODS, GOODS) is None
    assert asked("the cheapest lamp", GOODS, "name,price\nA,3\nB,3\n") is not None


def test_what_a_row_is_called_need_not_be_written_where_nothing_else_is_searched() -> None:
    assert "price_eur" in said("the cheapest gadget").text


STAFF = (
    "name,role,town,started,salary EUR\nAna Ruiz,Engineer,Lisbon,2019-03-01,61000\n"
    "Ben Okafor,Accountant,Leeds,2021-09-15,48500\nFarid Nasser,Engineer,Leeds,2023-02-20,54500\n"
)


@pytest.mark.parametrize(
    ("question", "opening", "words"),
    [
        ("who works in leeds", "2 of 3 rows of **goods0.csv** with “Leeds”:",
         ["Ben Okafor", "Farid Nasser"]),
        ("who earns the most",
         "The highest “salary EUR” of 3 rows of **goods0.csv**:", ["Ana Ruiz"]),
        ("who is the best paid engineer in leeds",
         "The highest “salary EUR” of 1 row of **goods0.csv** with “Engineer” and “Leeds”:",
         ["Farid Nasser"]),
        ("who earns less than 50000",
         "1 of 3 rows of **goods0.csv** with “salary EUR” under 50,000:",
         ["Ben Okafor"]),
        ("who joined last", "The latest “started” of 3 rows of **goods0.csv**:", ["Farid Nasser"]),
        ("who joined first", "The earliest “started” of 3 rows of **goods0.csv**:", ["Ana Ruiz"]),
        ("how much does ben earn", "1 of 3 rows of **goods0.csv** with “Ben”:", ["48500"]),
        ("where does ana work", "1 of 3 rows of **goods0.csv** with “Ana”:", ["Lisbon"]),
        ("how many people are in leeds", "2 of 3 rows of **goods0.csv** with “Leeds”:", ["2"]),
    ],
)  # fmt: skip
def test_a_table_of_people(question: str, opening: str, words: list[str]) -> None:
    answer = said(question, STAFF)
    assert answer.text.split("\n")[0] == opening
    assert marked(answer) == words


def test_who_is_asked_of_a_table_only_where_it_has_such_a_row() -> None:
    assert asked("who is it", STAFF) is None
    assert asked("who is the mayor", STAFF) is None


DUCKS = "Year,Freshwater Ducks,Saltwater Ducks\n2021,150,100\n2022,170,110\n"


def test_where_a_column_says_how_many_no_rows_are_counted() -> None:
    answer = said("how many freshwater ducks were there in 2022", DUCKS)
    assert answer.text == "- Year: 2022 | Freshwater Ducks: 170 | Saltwater Ducks: 110 [1]"
    assert marked(answer) == ["170"]
