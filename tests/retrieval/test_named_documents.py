"""Which documents a question names."""

from __future__ import annotations

import pytest

from core.retrieval.named_documents import meant, named_documents
from core.types import Document, DocumentState

NAMES = (
    "BESTBUY_2017_10K.pdf",
    "BESTBUY_2019_10K.pdf",
    "3M_2018_10K.pdf",
    "AMERICANEXPRESS_2022_10K.pdf",
    "AmericanWaterWorks_2021_10K.pdf",
    "AMCOR_2022_8K_dated-2022-07-01.pdf",
    "COCACOLA_2017_10K.pdf",
    "Nikola_Tesla.txt",
)


def documents(*names: str) -> list[Document]:
    return [Document(name, "", name, name, None, DocumentState.READY) for name in names]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What were Best Buy's inventories in FY2019?", ["BESTBUY_2019_10K.pdf"]),
        ("What is 3M's capital expenditure in FY2018?", ["3M_2018_10K.pdf"]),
        ("Did American Express retain card members?", ["AMERICANEXPRESS_2022_10K.pdf"]),
        ("How much did American Water Works pay?", ["AmericanWaterWorks_2021_10K.pdf"]),
        ("What is AMCOR's 8k filing about?", ["AMCOR_2022_8K_dated-2022-07-01.pdf"]),
        ("Return on assets of Coca Cola in FY2017?", ["COCACOLA_2017_10K.pdf"]),
        ("In welchem Jahr starb Tesla?", ["Nikola_Tesla.txt"]),
        ("Best Buy?", ["BESTBUY_2017_10K.pdf", "BESTBUY_2019_10K.pdf"]),
    ],
)
def test_names_in_questions(question: str, names: list[str]) -> None:
    assert sorted(meant(named_documents(question, documents(*NAMES)))) == names


def test_a_year_alone_names_nothing() -> None:
    assert named_documents("What happened in 2017?", documents(*NAMES)) == {}


def test_words_that_all_names_share_say_nothing() -> None:
    assert named_documents("A report?", documents("report a.pdf", "report b.pdf"), ["a"]) == {}
    assert named_documents("The report", documents("report.pdf")) == {}


def test_common_words_name_nothing() -> None:
    given = documents("What is new.txt", "Prices.txt")
    assert named_documents("What does it cost?", given, {"what", "is", "does", "it"}) == {}


def test_many_that_fit_alike_are_not_meant() -> None:
    given = documents(*(f"Chapter {n} of physics.txt" for n in range(4)), "Other.txt")
    fits = named_documents("What is in the physics book?", given)
    assert set(fits.values()) == {1.0}
    assert meant(fits) == []


def test_a_word_of_many_passages_elsewhere_is_no_name() -> None:
    given = documents("string.html", "random.html", "Amcor.pdf")
    shares = {"string": 0.05, "amcor": 0.9}
    question = "How does Amcor pick a random string?"
    fits = named_documents(question, given, (), lambda word, _: shares.get(word, 0.0))
    assert fits == {"Amcor.pdf": 1.0}
