"""Pronouns that mean something said before."""

from __future__ import annotations

import pytest

from core.planning.follow_ups.leaning import leans
from core.planning.follow_ups.pronouns import points_back


def test_an_article_before_a_verb_is_a_pronoun() -> None:
    assert points_back("kann ich den vorher kündigen?")
    assert points_back("darf man die essen?")
    assert not points_back("kann ich den vertrag vorher kündigen?")


def test_an_article_at_the_end_is_a_pronoun() -> None:
    assert leans("was kostet der?")
    assert leans("und wo ist die")
    assert not leans("was kostet der Sitz?")


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("warum ist das gefährlich", True),
        ("wer hat das entschieden", True),
        ("wo ist das bad", False),
        ("how old is the stone knife they found", False),
        ("how old is the knife they sold", True),
        ("wie hoch ist das gehalt", False),
    ],
)
def test_an_article_before_an_adjective_is_a_pronoun(question: str, back: bool) -> None:
    assert points_back(question) is back


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("How does the kiln K40 dry its tiles?", False),
        ("how do lichens get their water", False),
        ("What did Ida Holm do in her youth?", False),
        ("Wo hat der Verein seinen Sitz?", False),
        ("Wie viele Leute müssen anwesend sein?", False),
        ("Wer ist sein Chef?", True),
        ("what do critics say about its end", True),
        ("did the critics like its plot", True),
        ("what is the size of its tank", True),
        ("how does the company pay its staff", True),
    ],
)
def test_what_is_owned_may_have_its_owner_in_the_same_clause(question: str, back: bool) -> None:
    assert points_back(question) is back


def test_since_when_names_nothing_that_it_could_mean() -> None:
    assert points_back("since when does it exist")
    assert not points_back("since when the shop was founded, does it exist")


def test_a_spanish_article_is_no_pronoun() -> None:
    assert not points_back("¿cuántas personas trabajaron en el puerto de Linz?")
    assert points_back("¿cuántos años tiene él?")


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("¿cómo es el clima allí?", True),
        ("quel temps fait-il là-bas ?", True),
        ("com'è il clima lì?", True),
        ("wie ist das Wetter dort?", True),
        ("où est la gare ?", False),
        ("quali sono li ?", False),
        ("can i smoke here?", False),
    ],
)
def test_a_place_that_was_named_has_pronouns_in_each_language(question: str, back: bool) -> None:
    assert points_back(question) is back
