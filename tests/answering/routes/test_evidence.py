"""The reading of a question that its answer bears out."""

from __future__ import annotations

from dataclasses import replace

from core.answering.routes.evidence import better, repeats, said_again
from core.types import Abstention, QueryPlan, SearchResult
from tests.answering.routes.test_comparison import quoting


def test_the_words_that_were_typed_decide() -> None:
    likely, other = quoting("Graz lies in Styria."), quoting("Linz has a harbour.")
    assert better(likely, other, "and the harbour of Linz?") is other
    assert better(other, likely, "and the harbour of Linz?") is other
    assert better(likely, other, "and then?") is likely


def test_an_answer_without_the_typed_words_is_no_better_than_a_refusal() -> None:
    linz = quoting("Linz has a harbour.")
    refused = replace(linz, abstention=Abstention("nothing", 1, 1))
    assert better(refused, linz, "is my data sent anywhere") is refused
    assert better(refused, linz, "are the data of the harbour sent anywhere") is refused
    assert better(refused, linz, "and the harbour of Linz?") is linz


def test_a_refusal_and_the_last_answer_bear_out_nothing() -> None:
    linz = quoting("Linz has a harbour.")
    refused = replace(linz, abstention=Abstention("nothing", 1, 1))
    assert better(refused, linz, "harbour") is linz
    assert better(linz, quoting("A harbour is at Linz."), "harbour", last=linz) is not linz
    assert repeats(linz, linz)
    assert not repeats(linz, quoting("Graz has none."))


def test_an_answer_that_is_given_again_says_so() -> None:
    linz = quoting("Linz has a harbour.")
    again = said_again(replace(linz, highlights=((0, 4),)))
    (claim,), ((start, end),) = again.claims, again.highlights
    assert again.text[claim.start : claim.end] == "Linz has a harbour."
    assert again.text[start:end] == "Linz"
    assert again.text != linz.text
    assert repeats(linz, again)


def test_one_added_word_does_not_bear_out_a_sentence_without_the_question() -> None:
    named = quoting("Linz is a city.")
    plan = QueryPlan("and Linz?", "how old is the harbour of Linz?", ("harbour Linz",))
    asked = replace(quoting("The harbour opened in 1840."), search=SearchResult(plan, ()))
    assert better(asked, named, "and Linz?") is asked
    refused = replace(asked, abstention=Abstention("nothing", 1, 1))
    assert better(refused, named, "and Linz?") is named
