"""Questions word by word in the language of the documents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.text.glossary.gloss import gloss
from core.text.glossary.table import is_known, table


def holding(*words: str) -> Callable[[str], bool]:
    return lambda word: word.lower() in words


def test_the_translation_that_the_documents_hold_is_taken() -> None:
    found = gloss("Was kostet die Miete?", "de", "en", holding("rent", "cost"))
    assert found is not None
    assert found.text == "what cost the rent?"
    assert found.words == ("cost", "rent")
    town = gloss("Wo liegt die Stadt?", "de", "en", holding("town", "located"))
    assert town is not None
    assert town.text == "where located the town?"


def test_other_translations_that_they_hold_are_looked_for_too() -> None:
    found = gloss("Wer leitet die Firma?", "de", "en", holding("lead", "head", "company"))
    assert found is not None
    assert ("lead", ("head",)) in found.also


def test_a_verb_and_its_particle_are_one_word() -> None:
    found = gloss("Wann fand die Messe statt?", "de", "en", lambda word: True)
    assert found is not None
    assert found.text.startswith("when take place the")
    assert "statt" not in found.text


def test_names_and_numbers_stay() -> None:
    found = gloss("Wie alt war Ada Holm 1843?", "de", "en", holding("ada", "holm"))
    assert found is not None
    assert found.text == "how old be Ada Holm 1843?"


def test_an_unknown_word_is_spelled_as_the_documents_spell_it() -> None:
    found = gloss("Was ist Katalyse?", "de", "en", holding("catalyse"))
    assert found is not None
    assert found.text == "what be catalyse?"
    near = gloss("Was ist Katalyse?", "de", "en", holding(), {"Katalyse": "catalysis"}.get)
    assert near is not None
    assert near.text == "what be catalysis?"


def test_english_over_german() -> None:
    found = gloss("When was the old bridge built?", "en", "de", holding("brücke", "gebaut", "alt"))
    assert found is not None
    assert found.text.startswith("wann")
    assert "Brücke" in found.text
    assert "gebaut" in dict(found.also).get("bauen", ()) or "gebaut" in found.text


def test_auxiliaries_of_english_are_not_looked_for() -> None:
    found = gloss("Where does she live?", "en", "de", lambda word: True)
    assert found is not None
    assert "tun" not in found.text


def test_names_in_english_are_not_translated() -> None:
    found = gloss("Who wrote about Bishop Castle Green?", "en", "de", lambda word: True)
    assert found is not None
    assert "Castle Green" in found.text


def test_only_languages_with_a_table() -> None:
    assert gloss("Dov'è il porto?", "it", "en", lambda word: True) is None
    assert not is_known("it", "en")


@pytest.mark.parametrize(("source", "target"), [("de", "en"), ("en", "de")])
def test_every_entry_can_be_read(source: str, target: str) -> None:
    found = table(source, target)
    assert len(found.words) > 3000
    assert all(word and all(there) for word, there in found.words.items())


@pytest.mark.parametrize("source", ["es", "fr"])
def test_every_entry_of_a_smaller_table_can_be_read(source: str) -> None:
    found = table(source, "en")
    assert len(found.words) > 1000
    empty = {word for word, there in found.words.items() if not all(there)}
    assert empty <= {"se", "ne", "y"}
