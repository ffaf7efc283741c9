"""Texts and queries as terms of an index."""

from __future__ import annotations

from core.storage.lexical.analysis import forms_of, forms_of_word, phrases_of


def test_whole_words_of_inflected_languages_are_looked_for_too() -> None:
    """An index that an earlier version wrote holds them."""
    assert forms_of("knjižnica", ["sl"]) == [("knjizn", "knjiznica")]
    assert forms_of_word("knjižnica", ["sl"]) == ["knjizn", "knjiznica"]
    assert [list(one) for one in phrases_of(["nova knjižnica"], ["sl"])] == [
        [["nova", "knjizn"], ["nova", "knjiznica"]]
    ]
    assert forms_of("library", ["en"]) == [("librari",)]
