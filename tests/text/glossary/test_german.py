"""German words, inflected, prefixed and compound, by the table."""

from __future__ import annotations

import pytest

from core.text.glossary.german import english_spellings, head, translations, verb


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("Häusern", "house"),
        ("älteste", "old"),
        ("gegründet", "found"),
        ("wohnt", "live"),
        ("schrieb", "write"),
        ("angegriffen", "attack"),
        ("verstand", "understand"),
        ("stattgefunden", "take place"),
        ("Unterschiede", "difference"),
        ("groesse", "size"),
    ],
)
def test_a_form_of_a_word(word: str, english: str) -> None:
    found = translations(word)
    assert [part[0] for part in found] == [english]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("Bürgermeisterwahl", ["mayor", "election"]),
        ("Parlamentsgebäude", ["parliament", "building"]),
        ("Wasserstoffatome", ["hydrogen", "atom"]),
        ("Reisekosten-Abrechnung", ["travel expenses", "statement"]),
    ],
)
def test_a_compound_is_read_by_its_parts(word: str, parts: list[str]) -> None:
    assert [part[0] for part in translations(word)] == parts


@pytest.mark.parametrize("name", ["Hamburg", "Jacksonville", "Obersontheim", "Partnerschaften-X9"])
def test_names_are_no_compounds(name: str) -> None:
    assert translations(name) == ()


def test_a_noun_is_not_cut_at_its_ending() -> None:
    assert all("sheep" not in part for part in translations("Bürgschaft"))


def test_a_verb_whose_particle_stands_apart() -> None:
    assert verb("statt", "fand") == ("take place", "held")
    assert verb("statt", "kostet") == ()


def test_words_from_latin_and_greek() -> None:
    assert "deterministic" in english_spellings("deterministischen")
    assert "financing" not in english_spellings("Haus")
    assert head("Bebopkonzert") == ("concert",)
