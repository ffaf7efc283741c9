"""A German word is found within a compound, and a compound by its parts."""

from __future__ import annotations

import pytest

from core.text.glossary.compounds import compounds_in, parts_of_compounds

LEASE = "Zwei Haustürschlüssel. Bei Autoleasing und Leasingraten, sagt der Vermieter, beraten wir."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("welche schlüssel gibt es", ("Haustürschlüssel",)),
        ("welche schlussel gibt es", ("Haustürschlüssel",)),
        ("was kostet leasing", ("Autoleasing", "Leasingraten")),
        ("wie hoch sind die raten", ("Leasingraten",)),  # and not "beraten"
        ("wer sind wir", ()),
        ("wer ist der mieter", ()),  # and not "Vermieter"
        ("was sind zwei", ()),  # the word itself is no compound
        ("was kostet ein haustür", ("Haustürschlüssel",)),
        ("wo kann man leasen", ("Leasingraten",)),  # the verb of a noun that others begin with
        ("wie viel kosten zwei", ()),
    ],
)
def test_what_ends_in_a_word_of_the_question(question: str, found: tuple[str, ...]) -> None:
    assert sum((others for _, others in compounds_in(question, [LEASE])), ()) == found


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("wie lang ist die kündigungsfrist", ("kundigung frist",)),
        ("wie viele urlaubstage gibt es", ("urlaub tage",)),
        ("welche vorteile gibt es", ()),  # a prefix is no part
        ("wann beginnt die miete", ()),
    ],
)
def test_the_parts_of_a_compound(question: str, parts: tuple[str, ...]) -> None:
    assert sum((others for _, others in parts_of_compounds(question)), ()) == parts
