"""A question in another language than the documents."""

from __future__ import annotations

from core.planning.other_language import in_their_language, language_asked
from core.types import Document, DocumentKind, DocumentState, QueryPlan


def document(language: str, chunks: int = 5) -> Document:
    return Document(
        language or "x", "s", "x.txt", "x.txt", DocumentKind.TEXT, DocumentState.READY,
        language=language, chunks=chunks,
    )  # fmt: skip


def plan(question: str) -> QueryPlan:
    return QueryPlan(question, question, (question,))


def test_the_languages_are_told_where_they_differ() -> None:
    english, german = document("en"), document("de", 2)
    assert language_asked("Wer ist der Chef?", [english]) == ("de", "en")
    assert language_asked("Wer ist der Chef?", [english, german]) == ("", "")
    assert language_asked("Wer ist der Chef?", [document("")]) == ("", "")
    assert language_asked("Qui est le chef?", [english, german]) == ("fr", "en")


def test_of_a_mixed_library_the_others_are_told() -> None:
    english, german = document("en"), document("de", 2)
    assert language_asked("Who is the boss?", [english, german], mixed=True) == ("en", "de")
    assert language_asked("Who is the boss?", [english], mixed=True) == ("", "")
    made = in_their_language(
        plan("Was kostet die Miete?"), ("de", "en"), lambda word: True, lambda word: None,
        mixed=True,
    )  # fmt: skip
    assert made.notices[0].text.startswith("The question is in German, some documents are in")


def test_the_plan_is_put_into_their_words_and_says_so() -> None:
    made = in_their_language(
        plan("Was kostet die Miete?"), ("de", "en"), lambda word: True, lambda word: None
    )
    assert made.asked == made.queries[0] == "what cost the rent?"
    assert made.goal == "Was kostet die Miete?"
    assert made.own == made.asked
    [notice] = made.notices
    assert notice.text == (
        "The question is in German, the documents are in English: searched for “cost”, “rent”."
    )


def test_without_a_table_names_are_looked_for() -> None:
    asked = plan("Chi è il sindaco?")
    made = in_their_language(asked, ("it", "en"), lambda word: True, lambda word: None)
    assert (made.asked, made.queries) == (asked.goal, asked.queries)
    assert made.notices[0].text == "The question is in Italian, the documents are in English."
