"""Texts and queries as terms of an index."""

from __future__ import annotations

import pytest

from core.storage.lexical.analysis import analyse, forms_of, forms_of_word, phrases_of


def test_words_of_inflected_languages_are_looked_for_as_earlier_versions_wrote_them() -> None:
    """Their indexes hold whole words, or the first six letters of each."""
    assert forms_of("knjižnica", ["sl"]) == [("knjizn", "knjiznica")]
    assert forms_of_word("gradovi", ["sl"]) == ["gradov", "gradovi"]
    assert forms_of_word("jezeru", ["hr"]) == ["jezer", "jezeru"]
    assert forms_of_word("jezerom", ["hr"]) == ["jezer", "jezerom", "jezero"]
    assert [list(one) for one in phrases_of(["nova knjižnica"], ["sl"])] == [
        [["nov", "knjizn"], ["nova", "knjiznica"], ["nova", "knjizn"]]
    ]
    assert forms_of("library", ["en"]) == [("librari",)]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("sl", "grad gradu gradom grada"),
        ("sl", "hiša hiši hiše hišo hiš"),
        ("hr", "jezero jezera jezeru jezerom"),
        ("cs", "město města městu"),
        ("pl", "miasto miasta miastu"),
        ("uk", "місто міста місту містом"),
        ("sr", "град града граду градом"),
    ],
)
def test_short_words_of_slavic_languages_are_found_in_every_case(language: str, words: str) -> None:
    assert len(set(analyse(words, language))) == 1


def test_what_is_left_of_a_word_has_three_letters() -> None:
    assert analyse("reka dom oko", "sl") == ["rek", "dom", "oko"]


def test_articles_at_the_end_stay() -> None:
    """Bulgarian and Macedonian lose by the endings of the others (docs/decisions.md)."""
    assert analyse("града", "bg") == ["града"]
