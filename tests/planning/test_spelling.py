"""Mistyped words of a question."""

from __future__ import annotations

import pytest

from core.planning.spelling import spelled, with_umlauts, without_whole, written_out
from core.text.glossary.german import is_german

WORDS = {"invented", "packet", "switching", "protocol", "defines"}
LIKE = {"swiching": "switching", "protocl": "protocol", "tcqxx": "tcp"}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("who invented packet swiching?", "who invented packet switching?"),
        ("which protocl defines it", "which protocol defines it"),
        ("who invented velmark", "who invented velmark"),
        ("who invented Swiching", "who invented Swiching"),
        ("is it tcqx", "is it tcqx"),
        ("is it tcq2x", "is it tcq2x"),
        ("what says protocl 3", "what says protocl 3"),
    ],
)
def test_a_word_that_is_none_is_read_as_the_one_that_the_documents_have(
    typed: str, read: str
) -> None:
    found = spelled(typed, WORDS.__contains__, LIKE.get)
    assert found.question == read
    assert bool(found.mended) == (typed != read)


def test_short_forms_are_written_out() -> None:
    assert written_out("Whats the fee, and how many ppl pay?") == (
        "what is the fee, and how many people pay?"
    )
    assert written_out("the pplx of whatsapp") == "the pplx of whatsapp"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("how long does it wait b4 giving up", "how long does it wait before giving up"),
        ("what do they do w the dead ones", "what do they do with the dead ones"),
        ("a phone w/ two lenses", "a phone with two lenses"),
        ("what r these docs about", "what are these docs about"),
        ("can u read it", "can you read it"),
        ("how do u know", "how do you know"),
        ("is it late bc the road was closed", "is it late because the road was closed"),
        ("why less than the yr before", "why less than the year before"),
        ("whats the diff between a and b", "what is the difference between a and b"),
        ("can i stay n what is the fee", "can i stay and what is the fee"),
        ("is n larger than what m is", "is n larger than what m is"),
        ("who pays 4 it", "who pays for it"),
        ("the top 4 towns", "the top 4 towns"),
        ("which age grp shld pay", "which age group should pay"),
        ("what is w", "what is w"),
        ("how does r handle factors", "how does r handle factors"),
        ("what is the u of a window", "what is the u of a window"),
        ("who ruled in 500 bc", "who ruled in 500 bc"),
        ("what does git diff show", "what does git diff show"),
        ("who sings for UR", "who sings for UR"),
    ],
)
def test_short_forms_of_one_letter_are_read_beside_small_words(typed: str, read: str) -> None:
    assert written_out(typed) == read


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("what are the contributions of this paper", "what are the contributions?"),
        ("which datasets are used in the document?", "which datasets are used?"),
        ("welche Fristen stehen im Dokument?", "welche Fristen stehen?"),
        ("what is in this document?", "what is in this document?"),
        ("how do i read a line in a file?", "how do i read a line in a file?"),
        ("how do i read lines from the file?", "how do i read lines from the file?"),
        ("how do i search in documents?", "how do i search in documents?"),
        ("who wrote the paper", "who wrote the paper"),
    ],
)
def test_that_it_is_to_stand_in_the_document_is_not_searched_for(typed: str, asked: str) -> None:
    assert without_whole(typed) == asked


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("hi, how do i grow beans", "how do i grow beans"),
        ("hello there! who is she", "who is she"),
        ("hi", "hi"),
        ("ok random one, when was it", "when was it"),
        ("ok other thing. what is a mast", "what is a mast"),
        ("another question: who is she", "who is she"),
        ("the other thing is late", "the other thing is late"),
        ("was bedeutet dekantieren", "was ist dekantieren"),
        ("hill farms in Graz", "hill farms in Graz"),
    ],
)
def test_a_greeting_is_not_searched_for(typed: str, asked: str) -> None:
    assert written_out(typed) == asked


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("wann krieg ich die zurueck", "wann krieg ich die zurück"),
        ("Kuendigungsfrist fuer Maeuse", "Kündigungsfrist für Mäuse"),
        ("die aktuelle Quelle neuer Steuern zuerst", "die aktuelle Quelle neuer Steuern zuerst"),
        ("wer ist Goethe", "wer ist Goethe"),
    ],
)
def test_umlauts_that_were_typed_as_two_letters(typed: str, read: str) -> None:
    assert with_umlauts(typed, is_german) == read


def test_a_year_is_written_out() -> None:
    assert written_out("why less than the yr before, or 2 yrs") == (
        "why less than the year before, or 2 years"
    )
