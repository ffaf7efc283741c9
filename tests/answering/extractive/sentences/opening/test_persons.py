"""The person who is meant: the one the document is about, the one who is in the office."""

from __future__ import annotations

import numpy as np
import pytest

from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.opening.persons import (
    names_holder,
    signer,
    speaks_of_office,
)
from tests.support.hits import hit

LIFE = "He was born in Graz. In 1879, Max Reed died of a stroke. Reed died of old age in 1943."
STAFF = (
    "By /s/ Ann Bell, Chief Financial Officer, and Jo Reed, Chief Executive Officer.\n\n"
    "Ida Holm, Executive Vice President and Officer, is a director of the board.\n\n"
    "Jo B. Reed 59 Chief Executive Officer 2018 Chief Operating Officer, 2017.\n\n"
    "Ann Bell 54 Vice President and Chief Financial Officer 2014."
)


def first(question: str, text: str, scores: list[float], title: str = "", label: str = "") -> str:
    hits = [hit(text, title=title, label=label or "report.pdf", headings=())]
    candidates = find_candidates(hits)
    assert len(candidates) == len(scores)
    chosen = choose(question, candidates, np.array(scores, dtype=np.float32), hits)
    return chosen[0].sentence.text


@pytest.mark.parametrize(("title", "label"), [("Jo Reed", ""), ("", "Jo_Reed.txt")])
def test_another_of_the_same_surname_is_not_meant(title: str, label: str) -> None:
    scores = [-9.0, 9.0, 6.0]
    assert first("what did reed die of?", LIFE, scores, title, label).startswith("Reed")
    assert "Max" in first("what did max reed die of?", LIFE, scores, title, label)
    assert "Max" in first("what did reed die of?", LIFE, scores, "A report")


@pytest.mark.parametrize("rank", ["President", "Judge", "Young", "Jo"])
def test_a_rank_is_no_first_name(rank: str) -> None:
    text = f"He was born in Graz. In 1879, {rank} Reed died of a stroke. Reed died in 1943."
    assert rank in first("what did reed die of?", text, [-9.0, 9.0, 6.0], "Jo Reed")


def test_who_runs_a_company_is_its_chief_executive_and_not_who_signs_for_it() -> None:
    scores = [9.0, 8.0, 5.0, 4.0]
    assert first("who runs acme", STAFF, scores).startswith("Jo B. Reed")
    assert "/s/" in first("who signed for acme", STAFF, scores)


def test_a_signature_says_who_is_in_an_office_where_nothing_else_does() -> None:
    text = "/s/ Ann Bell, Chief Financial Officer.\n\nIda Holm, a chief officer, is a director."
    assert first("who is the cfo", text, [9.0, 8.0]).startswith("/s/")


def test_the_words_of_an_office_stand_side_by_side() -> None:
    scores = [-9.0, 9.0, 5.0, 4.0]
    assert first("who is the ceo", STAFF, scores).startswith("Jo B. Reed")
    assert first("who is acme's cfo?", STAFF, scores).startswith("Ann Bell")


def test_what_runs_something_in_its_own_words_opens() -> None:
    text = "Ida Holm runs the mill. Jo Reed is the Chief Executive Officer of a bank."
    assert first("who runs the mill", text, [9.0, 6.0]).startswith("Ida Holm")


def test_who_was_in_an_office_is_not_in_it() -> None:
    assert names_holder("who is the ceo of acme", "Jo Reed is the CEO of Acme.")
    assert not names_holder("who is the ceo of acme", "Jo Reed was the CEO of Acme.")
    assert not names_holder("who is the ceo of acme", "Jo Reed, then of Bell, saw the CEO.")


def test_what_begins_with_the_holder_of_an_office_opens_as_the_best() -> None:
    text = "Ann Bell, Chief Financial Officer, left.\n\nThe Chief Financial Officer of Acme is Jo."
    assert first("who is acme's cfo", text, [9.0, 8.0]).startswith("Ann Bell")


@pytest.mark.parametrize(
    ("question", "signs"),
    [
        ("who is the ceo of acme", True),
        ("who runs acme", True),
        ("who is the ceo of bell", False),  # the document speaks of no such company
        ("who is the cfo of acme", False),
        ("what does acme do", False),
    ],
)
def test_a_signature_tells_who_is_in_the_office_that_stands_below(
    question: str, signs: bool
) -> None:
    text = "Acme has a chief.\n\n/s/ JO REED President and Chief Executive Officer"
    hits = [hit(text, headings=())]
    found = signer(question, find_candidates(hits), hits)
    assert (found is not None) is signs


def test_who_runs_something_is_an_office_that_is_asked_for() -> None:
    assert speaks_of_office("who runs acme", "Jo runs the mill.")
    assert not speaks_of_office("who runs acme", "Jo signed for the mill.")
    assert speaks_of_office("what does acme do", "Jo signed for the mill.")
