"""The reading of a question that its answer bears out."""

from __future__ import annotations

from dataclasses import replace

from core.answering.routes.evidence import (
    better,
    is_settled,
    not_of,
    quotes_again,
    repeats,
    said_again,
)
from core.types import Abstention, Answer, QueryPlan, SearchResult
from tests.answering.routes.test_comparison import quoting

LINZ = quoting("Linz has a harbour.")
REFUSED = replace(LINZ, abstention=Abstention("nothing", 1, 1))


def test_the_words_that_were_typed_decide() -> None:
    likely = quoting("Graz lies in Styria.")
    assert better(likely, LINZ, "and the harbour of Linz?") is LINZ
    assert better(LINZ, likely, "and the harbour of Linz?") is LINZ
    assert better(likely, LINZ, "and then?") is likely


def test_an_answer_with_all_typed_words_needs_no_other() -> None:
    other = quoting("The harbour of Linz opened in 1840.")
    for typed, settled in (
        ("the harbour of Linz", True),
        ("harbour tolls", False),
        ("and then?", True),  # nothing was typed that another reading could bear out
    ):
        assert is_settled(LINZ, typed) is settled
        assert better(LINZ, other, typed) is LINZ
    assert not is_settled(LINZ, "the harbour of Linz", last=LINZ)
    assert not is_settled(REFUSED, "harbour")


def test_an_answer_without_the_typed_words_is_no_better_than_a_refusal() -> None:
    assert better(REFUSED, LINZ, "is my data sent anywhere") is REFUSED
    assert better(REFUSED, LINZ, "are the data of the harbour sent anywhere") is REFUSED
    assert better(REFUSED, LINZ, "and the harbour of Linz?") is LINZ


def test_what_is_found_directly_is_better_than_a_refusal() -> None:
    direct = replace(LINZ, direct=True)
    assert better(REFUSED, direct, "are the data of the harbour sent anywhere") is direct
    assert better(REFUSED, direct, "is my data sent anywhere") is REFUSED
    assert better(REFUSED, direct, "are the data of the harbour sent", last=LINZ) is REFUSED


def test_what_was_typed_is_completed_only_for_what_is_found_directly() -> None:
    plan = QueryPlan("open a csv file", "open a csv file", ("open a csv file",))
    alone = replace(quoting("csv.reader(rows)"), search=SearchResult(plan, ()))
    other = quoting("It can open a csv file.")
    direct = replace(other, direct=True)
    assert better(alone, other, "open a csv file") is alone
    assert better(alone, direct, "open a csv file") is direct
    assert better(replace(alone, direct=True), direct, "open a csv file").text == alone.text
    refused = replace(alone, abstention=REFUSED.abstention)
    assert better(refused, other, "open a csv file") is other
    half = quoting("It can open a file.")
    assert better(refused, half, "open a csv file") is refused


def test_a_refusal_and_the_last_answer_bear_out_nothing() -> None:
    assert better(REFUSED, LINZ, "harbour") is LINZ
    assert better(LINZ, quoting("A harbour is at Linz."), "harbour", last=LINZ) is not LINZ
    assert repeats(LINZ, LINZ)
    assert not repeats(LINZ, quoting("Graz has none."))
    place, thing = replace(LINZ, highlights=((0, 4),)), replace(LINZ, highlights=((9, 18),))
    assert repeats(place, place)
    assert not repeats(place, thing)  # one sentence may answer two questions


def test_an_answer_that_is_given_again_says_so() -> None:
    asked = replace(LINZ, question="Which town has a harbour?")
    again = said_again(replace(asked, highlights=((0, 4),)), LINZ)
    (claim,), ((start, end),) = again.claims, again.highlights
    assert again.text[claim.start : claim.end] == "Linz has a harbour."
    assert again.text[start:end] == "Linz"
    assert again.text != LINZ.text
    assert repeats(LINZ, again)
    place, thing = replace(LINZ, highlights=((0, 4),)), replace(asked, highlights=((9, 18),))
    there = said_again(thing, place)
    assert there.text.startswith("That stands in what was just quoted:")
    assert quotes_again(LINZ, there)
    assert said_again(asked, replace(LINZ, question="which town has a harbour")) is asked


def test_one_added_word_does_not_bear_out_a_sentence_without_the_question() -> None:
    named = quoting("Linz is a city.")
    plan = QueryPlan("and Linz?", "how old is the harbour of Linz?", ("harbour Linz",))
    asked = replace(quoting("The harbour opened in 1840."), search=SearchResult(plan, ()))
    assert better(asked, named, "and Linz?") is asked
    refused = replace(asked, abstention=Abstention("nothing", 1, 1))
    assert better(refused, named, "and Linz?") is named


def test_the_less_likely_reading_needs_a_typed_word_in_what_it_quotes() -> None:
    near = quoting("Boats pay a toll.")
    near = replace(
        near, citations=(replace(near.citations[0], passage="The harbour of Linz. Boats pay."),)
    )
    assert better(REFUSED, near, "and the harbour of Linz?") is REFUSED
    assert better(near, REFUSED, "and the harbour of Linz?") is near


def test_a_measure_bears_out_a_question_that_only_asks_for_it() -> None:
    likely, other = quoting("Bake it at 200 °C."), quoting("The best temperature is 60 degrees.")
    assert better(likely, other, "what temperature?") is likely
    assert better(likely, other, "what colour?") is likely
    assert better(quoting("Bake it for long."), other, "what temperature?") is other


def test_a_code_is_one_word_that_an_ellipsis_adds() -> None:
    plan = QueryPlan("and the hy5?", "what does the hy5 cost?", ("what does the hy5 cost",))
    completed = replace(quoting("It costs 350 €."), search=SearchResult(plan, ()))
    assert is_settled(completed, "and the hy5?")
    assert not is_settled(completed, "and the hy5 boats?")


def _in(document: str, text: str) -> Answer:
    answer = quoting(text)
    return replace(answer, citations=(replace(answer.citations[0], document_id=document),))


def test_a_pronoun_stays_with_the_document_that_was_spoken_of() -> None:
    """Alone, "why does it steam" finds the heading that the words carried over keep away."""
    last, likely = _in("a", "Press the dial."), _in("a", "The dial is round.")
    other, elsewhere = _in("a", "Units may steam."), _in("b", "Units may steam.")
    typed = "why does it steam"
    assert better(likely, other, typed, last) is other
    assert better(REFUSED, other, typed, last) is other
    assert better(likely, elsewhere, typed, last) is likely
    assert better(likely, _in("a", "It rains."), typed, last) is likely
    assert better(likely, other, typed) is likely
    steam = _in("a", "Steam is normal.")
    assert better(steam, other, typed, last) is steam
    assert is_settled(steam, typed, last)
    assert not is_settled(likely, typed, last)


def test_what_another_document_says_of_nobody_by_name_is_told_of_somebody_else() -> None:
    typed, last = "how much does he earn?", _in("a", "Ada Reed runs the harbour.")
    plan = QueryPlan(typed, f"{typed} (Ada Reed)", ("he earn",), follows=True)

    def answer(document: str, text: str) -> Answer:
        return replace(_in(document, text), search=SearchResult(plan, ()))

    assert not_of(answer("b", "You shall receive 650 crowns."), typed, last) == "Ada Reed"
    assert not_of(answer("b", "Reed receives 650 crowns."), typed, last) == ""
    assert not_of(answer("a", "The head receives 650 crowns."), typed, last) == ""
    assert not_of(answer("b", "You shall receive 650 crowns."), "how much is it?", last) == ""
    assert not_of(_in("b", "You shall receive 650 crowns."), typed, last) == ""


def test_an_answer_that_opens_with_what_was_spoken_of_needs_no_typed_word() -> None:
    typed, last = "what did acme pay for it", _in("a", "Velmark is a lens.")
    plan = QueryPlan(typed, f"{typed} (velmark)", (typed,), follows=True)
    bought = _in("a", "We bought Velmark in return for nine crowns.")
    likely = replace(bought, search=SearchResult(plan, ()))
    alone = _in("a", "Acme sells cards that others pay.")
    assert better(likely, alone, typed, last) is likely
    assert better(likely, _in("a", "Acme did pay for Velmark."), typed, last) is not likely
    assert better(bought, alone, typed, last) is alone  # nothing was carried over


def test_what_counts_those_is_asked_of_what_was_spoken_of() -> None:
    row = quoting("2014 55 39 16")
    alone = quoting("It includes boys in private schools.")
    typed = "how many of those in private schools"
    assert is_settled(row, typed, row)
    assert better(row, alone, typed, row) is row
    assert not is_settled(row, "how many boys in private schools", row)
    assert not is_settled(replace(row, abstention=REFUSED.abstention), typed, row)
    again = said_again(replace(row, question=typed), row)
    assert again.text.startswith("That stands in what was just quoted")
