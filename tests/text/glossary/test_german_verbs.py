"""A German verb is found in its other forms: its prefix apart, as a participle, as a noun."""

from __future__ import annotations

import pytest

from core.text.glossary.german_verbs import other_verb_forms
from core.text.terms import fold, stem


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("wer ist durchgefallen?", "durchfallen"),
        ("wer ist durchgefallen?", "fällt"),
        ("wie viele fallen durch?", "durchgefallen"),
        ("wann fängt die Schule an?", "angefangen"),
        ("wann hat die Schule angefangen?", "Anfang"),
        ("wann ist der Sender ausgefallen?", "Ausfall"),
        ("wann hat sie geklagt?", "Klage"),
        ("wann begann das Fest?", "begonnen"),
    ],
)
def test_another_form_of_the_verb(question: str, form: str) -> None:
    keys = {stem_of(one) for _, others in other_verb_forms(question) for one in others}
    assert stem_of(form) in keys


@pytest.mark.parametrize(
    "question",
    [
        "was hat den Testern nicht gefallen?",  # "liked", not "fell"
        "welche Angebote gibt es?",
        "wo liegt die Insel?",
        "was kann man dort machen?",
        "was ist im Garten?",
    ],
)
def test_no_verb_that_says_enough(question: str) -> None:
    assert other_verb_forms(question) == ()


def stem_of(word: str) -> str:
    return stem(fold(word))
