"""Which of several definitions opens the answer to "what is X"."""

from __future__ import annotations

import pytest

from core.answering.extractive.question.answer_types import asks_for_more
from tests.support.choosing import chosen
from tests.support.hits import hit
from tests.support.quoting import ask


def test_a_thing_is_defined_in_its_own_section() -> None:
    """Another section may say more of it, and as well."""
    own = hit("## BLV\n\nBLV is a valve that bleeds lamps.", headings=("BLV",), document="d1")
    other = hit(
        "BLV is the usual part of a lamp, because it is cheap. BLV is a strong rival of the tap.",
        headings=("Parts",), document="d2", ordinal=1, score=0.9,
    )  # fmt: skip
    assert ask("what is BLV?", [other, own]).text.startswith("BLV is a valve")


def test_the_first_definition_of_a_document_opens() -> None:
    text = (
        "Lampism, also known as wickism (Latin: lucerna), is a movement of keepers in the north. "
        "It began in 1901. Lampism is a matter of dispute, as many keepers doubt that it is one."
    )
    first = text.partition(". It")[0] + "."
    assert chosen("what is lampism?", [8.0, 0.0, 9.0], text)[0] == first
    assert chosen("what is lampism?", [4.0, 0.0, 9.0], text)[0] != first


def test_a_part_of_it_and_a_kind_of_it_is_something_else() -> None:
    text = (
        "Lamp optics is the science of lenses in lamps. A hand lamp is a lamp to be carried. "
        "It is small. A lamp gives light to those at sea."
    )
    scores = [9.0, 8.0, 0.0, 7.0]
    assert chosen("what is a lamp", scores, text)[0] == "A lamp gives light to those at sea."
    assert chosen("what is lamp optics", scores, text)[0].startswith("Lamp optics")


def test_who_sees_somebody_is_not_who_that_is() -> None:
    text = (
        "President Holm sees Jo Reed as a keeper to learn from. Boats pass. "
        "Jo Reed is regarded as one of the best keepers."
    )
    assert chosen("who was jo reed", [9.0, 0.0, 8.0], text)[0].startswith("Jo Reed is regarded")


def test_to_tell_of_a_thing_takes_more_than_its_definition() -> None:
    text = "A wick is a cord that draws oil. A wick is a strong part. Wicks are cut at dusk."
    scores = [9.0, 8.2, 8.0]
    assert len(chosen("what is a wick", scores, text)) == 1
    assert len(chosen("tell me about wicks", scores, text)) > 1
    assert not asks_for_more("tell me how wicks are cut")


def test_what_looks_back_at_others_is_no_definition() -> None:
    text = (
        "The first method counts wicks. Wick level fusion (WLF) is the other method on offer. "
        "Wick level fusion, WLF for short, adds the wicks of all lamps."
    )
    assert ask("what is WLF?", [hit(text, headings=("Methods",))]).text.startswith(
        "Wick level fusion, WLF for short"
    )


@pytest.mark.parametrize("asked", ["what is a trimmer", "explain trimmer", "define trimmer"])
def test_what_a_thing_does_says_what_it_is(asked: str) -> None:
    text = (
        "An empty TRIMMER_NAME turns trimming off. A trimmer reads the wick and the oil together "
        "and scores how well they burn. The trimmer of the tower was built in 1901."
    )
    answer = ask(asked, [hit(text, headings=("Trimmer",))])
    assert answer.text.startswith("A trimmer reads")
    (said, *_) = [answer.text[start:end] for start, end in answer.highlights]
    assert said == "reads the wick and the oil together and scores how well they burn"


def test_what_only_says_it_of_something_else_is_not_added_to_a_definition() -> None:
    own = hit("## Wicks\n\nA wick is a cord that draws oil.", document="d1")
    other = hit(
        "## Rushes\n\nA rush burns at both ends. It is the older relative of the wick.",
        document="d2", ordinal=1, score=0.78,
    )  # fmt: skip
    answer = ask("tell me about the wick", [own, other])
    assert answer.text.startswith("A wick is a cord")
    assert "older relative" not in answer.text


def test_a_heading_may_ask_with_the_verb_behind() -> None:
    hits = [
        hit(
            "## 1 What Wickset is\n\nWickset answers letters of keepers. It is new.",
            headings=("1 What Wickset is",),
        ),
        hit(
            "Wickset runs on every lamp that is lit, and Wickset needs no oil.",
            document="d2",
            ordinal=1,
            score=0.9,
            headings=("Wickset",),
        ),
    ]
    assert ask("what is wickset", hits).text.startswith("Wickset answers letters")


def test_a_name_typed_small_is_a_name_where_documents_write_it_so() -> None:
    text = (
        "After the storm Reedham met two keepers, Bell and Finn, who paid for his lamp. "
        "Ida Reedham (10 July 1856 – 7 January 1943) was a builder of lamps. "
        "Reedham was a good friend of the keepers. In town they called Reedham a wizard."
    )
    assert ask("who is reedham", [hit(text, headings=())]).text.startswith("Ida Reedham (10")


def test_of_two_questions_the_first_is_not_answered_by_what_a_thing_does_elsewhere() -> None:
    text = (
        "A deep cut removes all of the wick at once. The difference between deep and flat cuts is "
        "only that a deep cut is made with shears, and a flat cut with a knife."
    )
    answer = ask("what is a deep cut and how is it different from a flat one", [hit(text)])
    assert "The difference between" in answer.text
