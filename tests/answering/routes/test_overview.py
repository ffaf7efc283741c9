"""What documents are about: their names, what each says of itself, outlines, pages, dates."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC

import pytest

from core.answering.routes.names import shown_name
from core.answering.routes.overview import (
    MOST,
    MOST_OUTLINED,
    matching_documents,
    overview,
)
from core.planning.routes import FINDINGS, PARTS
from core.types import Chunk, Document, DocumentKind, DocumentState, Heading, Page


def document(label: str, title: str = "") -> Document:
    return Document("a" * 64, "s", label, label, DocumentKind.TEXT, DocumentState.READY, title)


def test_a_document_is_found_by_its_name() -> None:
    whales, ferries = document("grey_whale.txt"), document("NORTHSTARLINES_2020.pdf", "00-12")
    assert matching_documents("whale", [whales, ferries]) == [whales]
    assert matching_documents("north star lines", [whales, ferries]) == [ferries]
    assert matching_documents("bread", [whales, ferries]) == []
    retrieval = document("p1.pdf", "Dense Passage Retrieval for Questions")
    assert matching_documents("dpr", [whales, retrieval]) == [retrieval]
    assert shown_name(ferries) == "NORTHSTARLINES_2020.pdf"


class Stored:
    """The pages of documents, as the catalogue gives them."""

    def __init__(self, pages: list[Page]) -> None:
        self._pages = pages

    def pages(self, session_id: str, document_id: str) -> list[Page]:
        return self._pages

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        text = self._pages[page_ordinal].text
        return [Chunk("c:0", document_id, 0, page_ordinal, None, 0, len(text), text)]


def test_a_pdf_of_one_page_says_so() -> None:
    text = "A lamp is a glass with a flame in it."
    one = replace(document("lamps"), kind=DocumentKind.PDF, pages=1)
    answer = overview("how many pages does it have", [one], Stored([Page(0, text)]), "s", UTC)
    assert "(1 page" in answer.text


@pytest.mark.parametrize(("kind", "said"), [(DocumentKind.PDF, True), (DocumentKind.CSV, False)])
def test_the_parts_of_a_table_are_no_pages(kind: DocumentKind, said: bool) -> None:
    pages = [Page(at, "name | price\nname: Oak | price: 3") for at in range(4)]
    one = replace(document("goods"), kind=kind, pages=4)
    answer = overview("what is this about", [one], Stored(pages), "s", UTC)
    assert ("4 pages" in answer.text) is said


@pytest.mark.parametrize("kind", [DocumentKind.CSV, DocumentKind.DATA])
def test_data_is_told_by_a_row_and_not_by_a_remark_in_it(kind: DocumentKind) -> None:
    text = "Lamps are a kind of glass with a flame in it.\n\nname | price\nname: Oak | price: 3"
    one = replace(document("lamps"), kind=kind)
    answer = overview("what is this about", [one], Stored([Page(0, text)]), "s", UTC)
    assert answer is not None
    assert "name: Oak | price: 3" in answer.text
    assert "flame" not in answer.text


PAPER = """# On lamps

## Abstract

Ships are seen at night in every town. In this work, we show that light saves boats. When fog comes,
light saves more boats.

## 1 Introduction

However, the harbour has no lamp of its own.

## 2 Background

The problem of lamps studied in this paper can be described as follows.

## 3 Conclusion

In this work, we demonstrated that lamps save boats in fog. They cost very little in all of this.
"""


def told(text: str, aspect: str) -> str:
    found = re.finditer(r"#+ (.+)", text)
    page = Page(0, text, headings=tuple(Heading(one.start(), 2, one[1]) for one in found))
    answer = overview(
        "q", [document("lamps", "Lamps, piers, nets and ferries")], Stored([page]), "s", UTC, aspect
    )
    return "" if answer is None else answer.text


def test_a_paper_is_told_by_its_abstract_and_by_sentences_that_stand_alone() -> None:
    assert "we show that light saves boats. [1] When fog comes, light saves more boats." in told(
        PAPER, ""
    )
    leaning = PAPER.replace("When fog comes,\nlight", "However,\nno light")
    assert "However" not in told(leaning, "")
    short = PAPER.replace(" When fog comes,\nlight saves more boats.", "")
    elsewhere = short.replace("However, the harbour", "The harbour")
    assert "of its own" not in told(elsewhere, "")
    assert "described as follows" not in told(short, "")


def test_what_a_work_found_stands_under_its_conclusion() -> None:
    text = told(PAPER, FINDINGS)
    assert "we demonstrated that lamps save boats in fog. [1] They cost very little" in text
    assert "Outline" not in text
    assert told("Lamps are sold here and on every other pier.", FINDINGS) == ""


def test_a_table_of_contents_has_every_heading_and_nothing_else() -> None:
    text = told(PAPER, PARTS)
    assert "- 1 Introduction\n- 2 Background\n- 3 Conclusion" in text
    assert "boats" not in text
    many = "".join(f"## Part {chr(65 + n)} of it\n\nText of it.\n\n" for n in range(20))
    assert "Part T of it" in told(many, PARTS)
    bare = told("The grey lamp is a lamp of the harbour. Rain fell on it.", PARTS)
    assert "No headings were found in it." in bare
    assert "lamp of the harbour. [1]" in bare


@pytest.mark.parametrize("count", [MOST_OUTLINED, MOST_OUTLINED + 1])
def test_of_more_than_a_few_documents_a_sentence_of_each_is_told(count: int) -> None:
    several = [document(f"file {n}.txt") for n in range(count)]
    headings = tuple(Heading(one.start(), 2, one[1]) for one in re.finditer(r"#+ (.+)", PAPER))
    stored = Stored([Page(0, PAPER, headings=headings)])
    answer = overview("what are these about", several, stored, "s", UTC)
    assert answer is not None
    assert answer.text.count("light saves boats. [1]") == count
    assert ("Outline:" in answer.text) is (count == MOST_OUTLINED)


def test_of_many_documents_the_names_are_given_and_what_to_do_next() -> None:
    many = [document(f"file {n}.txt") for n in range(MOST + 1)]
    answer = overview("which documents do I have", many, Stored([]), "s", UTC)
    assert answer.text.startswith("There are 9 documents. Name one to hear what it is about.\n\n- ")
