"""Spanish and French questions word by word in English."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.text.glossary.gloss import gloss
from core.text.glossary.romance import apart, english_spellings, translations


def holding(*words: str) -> Callable[[str], bool]:
    return lambda word: word.lower().rstrip("s") in words


@pytest.mark.parametrize(
    ("source", "question", "held", "text"),
    [
        ("es", "¿Cómo es el clima allí?", "climate", "how is the climate there?"),
        ("es", "¿cuántas personas viven en Graz?", "graz", "how many people live in Graz?"),
        ("es", "quien vendio las tiendas", "shop", "who sell the shop"),
        ("es", "¿cuál es la montaña más alta?", "mountain", "which is the mountain most high?"),
        ("fr", "que fait la Floride pour les panthères ?", "panther",
         "what do the florida for the panther?"),
        ("fr", "que fait Graz pour protéger les chats ?", "cat",
         "what do Graz to protect the cat?"),
        ("fr", "combien d'habitants y a-t-il là-bas ?", "inhabitant",
         "how many inhabitant have he there?"),
        ("fr", "Qu'est-ce qu'une hallucination ?", "hallucination", "what is a hallucination?"),
        ("fr", "qui a découvert l'oxygène ?", "oxygen", "who have discover the oxygen?"),
    ],
)  # fmt: skip
def test_a_question_is_put_into_english(source: str, question: str, held: str, text: str) -> None:
    found = gloss(question, source, "en", holding(held))
    assert found is not None
    assert found.text == text


def test_a_name_keeps_its_accents() -> None:
    found = gloss("¿cuántos hijos tuvo Béla?", "es", "en", lambda word: True)
    assert found is not None
    assert found.text == "how many son have Béla?"


def test_a_word_from_latin_is_spelled_as_english_does() -> None:
    for word, source, english in (
        ("identidad", "es", "identity"),
        ("estación", "es", "station"),
        ("filosofía", "es", "philosophy"),
        ("participaron", "es", "participate"),
        ("économique", "fr", "economic"),
        ("étable", "fr", "stable"),
        ("forêt", "fr", "forest"),
        ("pollueurs", "fr", "polluer"),
    ):
        assert english in english_spellings(word, source), word


def test_forms_of_a_word_are_those_of_the_table() -> None:
    assert translations("vendieron", "es")[0] == "sell"
    assert translations("canciones", "es")[0] == "song"
    assert translations("élèves", "fr")[0] == "student"
    assert translations("journaux", "fr")[0] == "newspaper"
    assert translations("Graz", "fr") == ()


def test_what_is_written_as_one_word_is_parted() -> None:
    assert apart("l'eau coule-t-elle là-bas ?", "fr") == "le eau coule elle là-bas ?"
    assert apart("est-ce qu'il pleut ?", "fr") == "il pleut ?"


def test_what_was_named_stays_where_the_documents_have_it() -> None:
    found = gloss("¿quién es Ida Vale?", "es", "en", holding("vale"))
    assert found is not None
    assert found.text == "who is Ida Vale?"
    found = gloss("¿con quién se unió Internet2?", "es", "en", lambda word: True)
    assert found is not None
    assert found.text.endswith("Internet2?")


def test_an_english_question_finds_spanish_words() -> None:
    found = gloss("where is the beach?", "en", "es", holding("playa"))
    assert found is not None
    assert "playa" in found.text
