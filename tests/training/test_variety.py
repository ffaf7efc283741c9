"""Forms of questions and titles: what is asked and where the answer stands stay the same."""

from __future__ import annotations

import random

from training.data import Example, Verdict
from training.variety import careless, keywords, titled, varied

QUESTION = "Who is the engineer that built the bridge?"
ONE = Example(
    "squad", "Mills.txt", QUESTION, "It was built by Ada Blom.", True, (16, 24), title="Mills"
)


def test_a_title_moves_the_answer_along() -> None:
    found = titled(ONE)
    assert found.passage == "Mills. It was built by Ada Blom."
    assert found.answer is not None
    assert found.passage[slice(*found.answer)] == "Ada Blom"


def test_without_an_answer_a_title_stands_before_the_passage() -> None:
    found = titled(Example("squad", "m", QUESTION, "Nothing.", True, title="Mills"))
    assert (found.passage, found.answer) == ("Mills. Nothing.", None)


def test_forms_keep_what_is_asked() -> None:
    assert careless(QUESTION) == "whos the engineer that built the bridge"
    assert keywords(QUESTION) == "who engineer built bridge"
    assert keywords("the of") == "the of"


def test_some_are_changed_and_the_seed_decides() -> None:
    many = [ONE] * 200
    found = list(varied(many, random.Random(1)))
    assert found == list(varied(many, random.Random(1)))
    forms = {QUESTION, careless(QUESTION), keywords(QUESTION)}
    assert {one.text for one in found} == forms
    assert {one.passage for one in found} == {ONE.passage, titled(ONE).passage}
    for one in found:
        assert one.answer is not None
        assert one.passage[slice(*one.answer)] == "Ada Blom"


def test_claims_keep_their_words() -> None:
    claim = Example("squad", "m", "It Is So.", "It is so.", verdict=Verdict.SUPPORTED)
    assert list(varied([claim] * 50, random.Random(1))) == [claim] * 50
